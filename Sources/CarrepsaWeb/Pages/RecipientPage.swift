import Carrepsa
import Kernel
import WebCore

/// What was entered into the forms about a recipient; `nil` means nothing.
struct RecipientFormState: Sendable {
    var name: String?
    var contact: String?
    var address: String?
    var meeting: String?
}

/// The page about a package's recipient, for its owner and its carrier.
struct RecipientPage: Sendable {
    struct Link: Sendable {
        let share: ShareView
        let linkNote: String
    }

    let shell: Shell
    let recipientURL: String
    let version: String
    let formError: String?
    let isRefused: Bool
    let contacts: [RecipientRow]
    let hasContacts: Bool
    let link: Link?
    /// Whether the owner can create a link.
    let isWithoutLink: Bool
    /// The owner's form; `nil` for the carrier and after the end.
    let form: RecipientForm?
    let meetingForm: MeetingForm?
    /// What the recipient gets, and how.
    let formNote: String
    let canRemove: Bool

    init(
        _ context: SignedInContext, _ found: RecipientDetails, sendsMail: Bool,
        typed: RecipientFormState = RecipientFormState(), error: AppError? = nil, t: Translator
    ) {
        let package = found.package
        shell = Shell(
            context, title: t("Recipient"), menu: .carrepsa(t), isLargeTitle: false, isNarrow: true,
            isRefreshable: true, back: ShellBack(url: CarrepsaPath.package(package.id), label: package.title))
        recipientURL = CarrepsaPath.recipient(package.id)
        version = String(found.recipient?.version ?? 0)
        let isOwner = found.role == .owner
        isRefused = found.isRefused
        contacts = found.recipient.map { RecipientRow.all($0, t) } ?? []
        hasContacts = !contacts.isEmpty
        let isLive = !package.state.isFinished
        link = found.secret.map {
            Link(
                share: ShareView(
                    context.site.url + CarrepsaPath.delivery($0), title: t("A package for you"), id: "recipient-link",
                    isMain: true),
                linkNote: t(
                    "Everyone who gets the link can open it. It ends {n} day after the delivery.",
                    plural: "Everyone who gets the link can open it. It ends {n} days after the delivery.",
                    count: Limits.recipientPageSeconds.wholeDays))
        }
        let isWithoutLink = isOwner && isLive && found.recipient != nil && found.secret == nil
        self.isWithoutLink = isWithoutLink
        let shown = error?.translated(to: context.language)
        let faults = shown?.fields ?? [:]
        form = isOwner && isLive ? RecipientForm(found.recipient, typed, faults, t) : nil
        meetingForm =
            isLive
            ? found.recipient.map { MeetingForm($0, typed, faults, package.id, hasPage: !isWithoutLink, t) } : nil
        canRemove = isOwner && isLive && found.recipient != nil
        formError = faults.isEmpty ? shown?.message : nil
        let delivery =
            sendsMail
            ? t("If you enter an email address, the link is sent there.")
            : t("This server sends no mail. Share the link yourself.")
        formNote =
            t("The recipient needs no account: a link shows where the package is, and a delivery code.") + " "
            + delivery
    }
}

/// One thing that is known about the recipient.
struct RecipientRow: Sendable {
    let rowIcon: String
    let rowLabel: String
    let rowText: String
    /// `nil` for a text.
    let rowURL: String?
    /// What the link does; `nil` if the text says it.
    var rowAction: String?

    /// - Parameters:
    ///   - addressURL: where the address is on a map; `nil` for no link.
    ///   - isCallable: whether the phone number is labelled *Call*.
    static func all(
        _ recipient: Recipient, addressURL: String? = nil, isCallable: Bool = false, _ t: Translator
    ) -> [RecipientRow] {
        var rows = [RecipientRow(rowIcon: "user", rowLabel: t("Name"), rowText: recipient.name, rowURL: nil)]
        if let phone = recipient.phone {
            rows.append(
                RecipientRow(
                    rowIcon: "phone", rowLabel: t("Phone"), rowText: phone,
                    rowURL: "tel:" + phone.filter { !$0.isWhitespace }, rowAction: isCallable ? t("Call") : nil))
        }
        if let email = recipient.email {
            rows.append(RecipientRow(rowIcon: "mail", rowLabel: t("Email"), rowText: email, rowURL: "mailto:" + email))
        }
        if let address = recipient.address {
            rows.append(
                RecipientRow(
                    rowIcon: "map-pin", rowLabel: t("Address"), rowText: address, rowURL: addressURL,
                    rowAction: addressURL == nil ? nil : t("Open in maps")))
        }
        if let meeting = recipient.meeting {
            rows.append(
                RecipientRow(rowIcon: "clock", rowLabel: t("When and where to meet"), rowText: meeting, rowURL: nil))
        }
        if let leaveAt = recipient.leaveAt {
            rows.append(
                RecipientRow(rowIcon: "package", rowLabel: t("Where to leave it"), rowText: leaveAt, rowURL: nil))
        }
        return rows
    }
}

/// The form with which the owner enters a recipient.
struct RecipientForm: Sendable {
    let textFields: [PackageField]
    let addressField: PackageField

    init(_ recipient: Recipient?, _ typed: RecipientFormState, _ faults: [String: String], _ t: Translator) {
        textFields = [
            PackageField(
                "name", t("Name"), value: typed.name ?? recipient?.name ?? "", placeholder: t("Who receives it?"),
                message: faults["name"] ?? ""),
            PackageField(
                "contact", t("Phone number or email"),
                value: typed.contact ?? recipient?.email ?? recipient?.phone ?? "", placeholder: "",
                message: faults["contact"] ?? "", isContact: true),
        ]
        addressField = PackageField(
            "address", t("Address"), value: typed.address ?? recipient?.address ?? "",
            hint: t("The carrier sees name, contact and address after accepting, and no other person."),
            message: faults["address"] ?? "")
    }
}

/// The form that says when and where to meet the recipient.
struct MeetingForm: Sendable {
    let meetingURL: String
    let meetingField: PackageField

    init(
        _ recipient: Recipient, _ typed: RecipientFormState, _ faults: [String: String], _ package: ID<Package>,
        hasPage: Bool, _ t: Translator
    ) {
        meetingURL = CarrepsaPath.recipient(package) + "/meeting"
        meetingField = PackageField(
            "meeting", t("When and where to meet"), value: typed.meeting ?? recipient.meeting ?? "",
            hint: hasPage ? t("The recipient’s page shows it.") : "", message: faults["meeting"] ?? "")
    }
}

/// The row of a package's page that leads to its recipient.
struct RecipientLinkRow: Sendable {
    let recipientURL: String
    let recipientNote: String

    init?(_ details: PackageDetails, _ t: Translator) {
        let package = details.package
        switch details.role {
        case .owner where package.hasRecipient: recipientNote = t("Contact, address and link")
        case .owner where !package.state.isFinished: recipientNote = t("Add who receives it")
        case .carrier where package.hasRecipient: recipientNote = t("Contact and address")
        default: return nil
        }
        recipientURL = CarrepsaPath.recipient(package.id)
    }
}
