import Accounts
import Kernel
import Tracking
import WebCore

/// The part of an item's page about its loss.
struct ItemLostPart: Sendable {
    let lostURL: String
    let labelURL: String
    /// The start of lost mode; `nil` while it is off.
    let lostMoment: FormattedTime?
    let lostMessage: String?
    let reports: [FinderReportRow]
    let hasReports: Bool
    /// The newest finder's message, until it is answered; shown at the top of the page.
    let newReport: FinderReportRow?

    init(_ details: ItemDetails, t: Translator, formatter: TrackingFormatter) {
        let id = details.overview.item.id
        lostURL = TrackingPath.lost(id)
        labelURL = TrackingPath.label(id)
        lostMoment = details.lostMode.map { FormattedTime($0.since, formatter.times) }
        lostMessage = details.lostMode?.message
        let names = details.names
        reports = details.finderReports.map { FinderReportRow($0, of: id, names: names, t: t, formatter: formatter) }
        newReport = details.finderReports.first.flatMap { report in
            report.reply == nil ? FinderReportRow(report, of: id, names: names, t: t, formatter: formatter) : nil
        }
        hasReports = !reports.isEmpty
    }
}

/// One finder's message in a list.
struct FinderReportRow: Sendable {
    let reportURL: String
    let reportText: String
    let reportMoment: FormattedTime?
    /// The position, or that the owner has replied.
    let reportNote: String?

    init(
        _ report: FinderReport, of item: ID<Item>, names: PlaceNames, t: Translator, formatter: TrackingFormatter
    ) {
        reportURL = TrackingPath.finderReport(report.id, of: item)
        reportText = report.message
        reportMoment = FormattedTime(report.createdAt, formatter.times)
        let place = report.place.map { formatter.place(names.description(of: $0)) }
        let notes = [place, report.reply.map { _ in t("Replied") }]
        let text = notes.compactMap(\.self).isolated(separator: " · ")
        reportNote = text.isEmpty ? nil : text
    }
}

/// The page that turns lost mode on and off.
struct LostModePage: Sendable {
    private static let ownFields: Set<String> = ["message", "contact"]

    let shell: Shell
    let formAction: String
    let labelURL: String
    let typedVersion: String?
    let lostMoment: FormattedTime?
    let formError: String?
    let messageField: InputField
    let contactField: InputField
    let hasPhoto: Bool
    let isPhotoShown: Bool

    init(
        _ context: SignedInContext, _ item: Item, _ mode: LostMode?, typed: LostModeFormState, error: AppError?,
        t: Translator
    ) {
        shell = Shell(
            context, title: t("Lost mode"), menu: .tracking(t), isLargeTitle: false, isNarrow: true, hasTabs: false,
            back: ShellBack(url: TrackingPath.item(item.id), label: item.name)
        )
        formAction = TrackingPath.lost(item.id)
        labelURL = TrackingPath.label(item.id)
        typedVersion = typed.version.isEmpty ? nil : typed.version
        lostMoment = mode.map { FormattedTime($0.since, context.formatter(t).times) }
        let faults = error?.translated(to: context.language).fields ?? [:]
        messageField = .finderMessage(t("Message to finders"), typed.message, fault: faults["message"], t)
        contactField = InputField(
            id: "contact", inputName: "contact", label: t("Phone number or email"), value: typed.contact,
            hint: t("Finders see it as you enter it here. Without one, they write through the page."), unit: "",
            isInvalid: faults["contact"] != nil, message: faults["contact"] ?? ""
        )
        hasPhoto = item.pictureID != nil
        isPhotoShown = typed.showsPhoto
        formError = error.flatMap { error in
            if error.isStaleVersion {
                return t("This was changed elsewhere. Your entries are still here. Save again to keep them.")
            }
            return error.fields.keys.contains(where: Self.ownFields.contains)
                ? nil : error.translated(to: context.language).message
        }
    }
}

/// The submitted form of lost mode.
struct LostModeFormState: Sendable {
    let message: String
    let contact: String
    let showsPhoto: Bool
    /// The version from which the form was rendered; empty while lost mode is off.
    var version: String

    init(_ mode: LostMode?) {
        message = mode?.message ?? ""
        contact = mode?.contact?.text ?? ""
        showsPhoto = mode?.showsPhoto ?? false
        version = mode.map { String($0.version) } ?? ""
    }

    init(_ fields: Fields) {
        message = fields.typed("message")
        contact = fields.typed("contact")
        showsPhoto = fields.typed("showsPhoto") == "on"
        version = fields.typed("version")
    }
}

extension InputField {
    /// Returns the field for a text between owner and finder.
    static func finderMessage(_ label: String, _ value: String, fault: String?, _ t: Translator) -> InputField {
        InputField(
            id: "message", inputName: "message", label: label, value: value,
            hint: t("1 to {n} characters", ["n": String(Limits.finderMessageCharacters)]), unit: "",
            isInvalid: fault != nil, message: fault ?? ""
        )
    }
}

/// The size of a printed label.
enum LabelSize: String, CaseIterable {
    case small
    case medium
    case large
}

/// The page with the label to print.
struct ItemLabelPage: Sendable {
    struct Label: Sendable {
        let link: String
        let qr: String
        let sizeClass: String
        let sizes: [Size]
    }

    struct Size: Sendable {
        let sizeURL: String
        let sizeName: String
        let isChosen: Bool
    }

    let shell: Shell
    let formAction: String
    let label: Label?

    init(_ context: SignedInContext, _ stored: ItemLabel, t: Translator) throws {
        let path = TrackingPath.label(stored.item.id)
        shell = Shell(
            context, title: t("Label for finders"), menu: .tracking(t), isLargeTitle: false, isNarrow: true,
            hasTabs: false, back: ShellBack(url: TrackingPath.item(stored.item.id), label: stored.item.name)
        )
        formAction = path
        let chosen = context.query("size").flatMap(LabelSize.init(rawValue:)) ?? .medium
        label = try stored.secret.map { secret in
            let link = context.site.url + TrackingPath.foundItem(secret)
            return Label(
                link: link, qr: try QRCode.svg(link), sizeClass: "label-\(chosen.rawValue)",
                sizes: LabelSize.allCases.map { size in
                    Size(
                        sizeURL: path + "?size=\(size.rawValue)", sizeName: Self.name(size, t),
                        isChosen: size == chosen)
                }
            )
        }
    }

    private static func name(_ size: LabelSize, _ t: Translator) -> String {
        switch size {
        case .small: t("Small", context: "label")
        case .medium: t("Medium", context: "label")
        case .large: t("Large", context: "label")
        }
    }
}

/// The page of one finder's message.
struct FinderReportPage: Sendable {
    /// Where the finder was.
    struct Place: Sendable {
        /// Opens the chosen maps app, or asks for one.
        let navigationURL: String
        let placeText: String
        let asksForApp: Bool
    }

    let shell: Shell
    let addressCredit: String?
    let moment: FormattedTime?
    let words: String
    let place: Place?
    let replyAction: String
    let deleteAction: String
    let replyField: InputField
    let formError: String?

    init(
        _ context: SignedInContext, _ details: FinderReportDetails, typed: String? = nil, error: AppError?,
        t: Translator
    ) {
        let formatter = context.formatter(t)
        let (item, report) = (details.item, details.report)
        let url = TrackingPath.finderReport(report.id, of: item.id)
        addressCredit = AddressCredit.text([details.place].compactMap(\.self), t)
        shell = Shell(
            context, title: t("Message from a finder"), menu: .tracking(t), isLargeTitle: false, isNarrow: true,
            hasTabs: false, back: ShellBack(url: TrackingPath.item(item.id), label: item.name)
        )
        moment = FormattedTime(report.createdAt, formatter.times)
        words = report.message
        place = details.place.map { place in
            let parts = [formatter.place(place), report.accuracyMetres.map(formatter.accuracy)]
            return Place(
                navigationURL: url + "/navigation", placeText: parts.compactMap(\.self).isolated(separator: " · "),
                asksForApp: context.account.mapsApp == nil)
        }
        replyAction = url + "/reply?_method=put"
        deleteAction = url + "?_method=delete"
        let fault = error?.translated(to: context.language).fields["message"]
        replyField = .finderMessage(t("Your reply"), typed ?? report.reply ?? "", fault: fault, t)
        formError = fault == nil ? error?.translated(to: context.language).message : nil
    }
}
