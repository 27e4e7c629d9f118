import Kernel
import Tracking
import WebCore

/// The part of a finder's page about an item that is reported lost.
struct LostItemView: Sendable {
    let photoURL: String?
    let ownerWords: String
    let contactText: String?
    let contactURL: String
    let contactIcon: String

    init(_ lost: LostItem, at place: FinderPlace) {
        photoURL = lost.pictureID.map { _ in place.pictureURL }
        ownerWords = lost.message
        contactText = lost.contact?.text
        switch lost.contact {
        case .email(let text)?:
            contactURL = "mailto:" + PercentEncoding.encoded(text)
            contactIcon = "mail"
        case .phone(let text)?:
            contactURL = "tel:" + text
            contactIcon = "phone"
        case nil:
            contactURL = ""
            contactIcon = "mail"
        }
    }
}

/// The form with which a finder writes to the owner. For an item that isn't reported lost, it has a message already.
struct FinderForm: Sendable {
    let formTitle: String
    let sendLabel: String
    let formAction: String
    let idempotencyKey: String
    let messageField: InputField
    let typedLatitude: String
    let typedLongitude: String
    let typedAccuracy: String
    let formError: String?

    init(
        _ context: AppContext, at place: FinderPlace, isLost: Bool, typed: FinderFormState?, error: AppError?
    ) {
        let t = context.t
        formTitle = isLost ? t("Write through this page") : t("Write to the owner")
        sendLabel = isLost ? t("Send") : t("I found this")
        formAction = place.url
        idempotencyKey = context.newIdempotencyKey()
        let shown = error?.translated(to: context.language)
        let typed = typed ?? FinderFormState(message: isLost ? "" : t("I found this."))
        messageField = .finderMessage(t("Your message"), typed.message, fault: shown?.fields["message"], t)
        typedLatitude = typed.latitude
        typedLongitude = typed.longitude
        typedAccuracy = typed.accuracy
        formError = shown.flatMap { $0.fields["message"] == nil ? $0.message : nil }
    }
}

/// The submitted form of a finder.
struct FinderFormState: Sendable {
    var message = ""
    var latitude = ""
    var longitude = ""
    var accuracy = ""

    init(message: String) { self.message = message }

    init(_ fields: Fields) {
        message = fields.typed("message")
        latitude = fields.typed("latitude")
        longitude = fields.typed("longitude")
        accuracy = fields.typed("accuracy")
    }
}

/// The page of a label's code.
struct FoundItemPage: Sendable {
    let shell: Shell
    /// `nil`: the item isn't reported lost.
    let lost: LostItemView?
    let form: FinderForm

    init(_ context: AppContext, _ lost: LostItemView?, _ form: FinderForm) {
        shell = Shell(
            context, title: lost == nil ? context.t("Not reported lost") : context.t("You found a lost item"),
            menu: .bare, isNarrow: true, hasTabs: false
        )
        self.lost = lost
        self.form = form
    }
}

/// The page of a label that no longer works.
struct EndedLabelPage: Sendable {
    let shell: Shell
    let endedText: String

    init(_ context: AppContext, _ error: AppError) {
        shell = Shell(
            context, title: context.t("This label no longer works"), menu: .bare, isNarrow: true, hasTabs: false)
        endedText = error.translated(to: context.language).message
    }
}

/// The page where a finder reads the owner's reply.
struct OwnReportPage: Sendable {
    let shell: Shell
    let words: String
    let moment: FormattedTime?
    let placeText: String?
    let reply: String?
    let replyMoment: FormattedTime?
    let keptText: String
    let pollURL: String

    init(_ context: AppContext, _ report: FinderReport, url: String) {
        pollURL = url
        let t = context.t
        let formatter = context.formatter(t)
        shell = Shell(
            context, title: t("Your message to the owner"), menu: .bare, isNarrow: true, isRefreshable: true,
            hasTabs: false)
        words = report.message
        moment = FormattedTime(report.createdAt, formatter.times)
        placeText = report.place.map(formatter.place)
        reply = report.reply
        replyMoment = report.repliedAt.map { FormattedTime($0, formatter.times) }
        keptText = t(
            "Messages are deleted after {n} day.", plural: "Messages are deleted after {n} days.",
            count: Int(Limits.finderReportKeptSeconds / (24 * 60 * 60)))
    }
}

/// The page of a finder's message that doesn't exist or was deleted.
struct OwnReportGonePage: Sendable {
    let shell: Shell

    init(_ context: AppContext) {
        shell = Shell(
            context, title: context.t("Your message to the owner"), menu: .bare, isNarrow: true, hasTabs: false)
    }
}
