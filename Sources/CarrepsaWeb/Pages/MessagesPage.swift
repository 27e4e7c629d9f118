import Accounts
import Carrepsa
import Kernel
import Pictures
import WebCore

/// What was entered into the form of a message.
struct MessageFormState: Sendable {
    var text = ""
    var pictureID = ""
    var latitude = ""
    var longitude = ""

    init() {}

    init(_ fields: Fields) {
        text = fields.typed("text")
        pictureID = fields.typed("pictureId")
        latitude = fields.typed("latitude")
        longitude = fields.typed("longitude")
    }
}

/// The view model of the messages about a package.
struct MessagesPage: Sendable {
    let shell: Shell
    let reloadURL: String
    /// The resources whose changes reload the messages.
    let liveResources: String
    /// `nil` if the back link names the package.
    let packageTitle: String?
    let callURL: String?
    let notices: [PackageBanner]
    let form: MessageForm?
    /// The oldest first.
    let rows: [MessageRow]
    let isEmpty: Bool
    let earlierURL: String?
    /// The newest messages; `nil` if the page shows them.
    let newestURL: String?
    /// Reports the messages as read; `nil` if the reader has read all of them.
    let reading: ReadingMark?
    /// Blocks the other person; `nil` for administrators and deleted accounts.
    let block: BlockForm?

    init(
        _ context: SignedInContext, _ conversation: PackageConversation, after: String? = nil,
        typed: MessageFormState = MessageFormState(), error: AppError? = nil
    ) {
        let t = context.t
        let times = TimeFormatter(t, now: context.web.clock.now)
        let id = conversation.package
        let url = CarrepsaPath.messages(id)
        let canOpenPackage = conversation.role != .stranger && !conversation.isWithdrawn
        let otherName = conversation.other?.name ?? t("Former member")
        shell = Shell(
            context, title: conversation.role == .operator ? t("Messages") : otherName, menu: .carrepsa(t),
            isRefreshable: true,
            back: canOpenPackage
                ? ShellBack(url: CarrepsaPath.package(id), label: conversation.title)
                : ShellBack(url: CarrepsaPath.packages, label: t("Search")))
        reloadURL = url + (after.map { "?after=\($0)" } ?? "")
        liveResources = "\(url) \(CarrepsaPath.package(id))"
        packageTitle = canOpenPackage ? nil : conversation.title
        callURL = conversation.phone.map { "tel:\($0)" }
        notices = Self.notices(conversation, t)
        form = conversation.obstacle == nil && after == nil ? MessageForm(url, typed, error, t) : nil
        let app = context.account.mapsApp
        rows = conversation.messages.items.reversed().map { MessageRow($0, in: conversation, app, t, times) }
        isEmpty = rows.isEmpty
        earlierURL = conversation.messages.next.map { "\(url)?after=\($0)" }
        newestURL = after == nil ? nil : url
        reading = ReadingMark(conversation)
        block = BlockForm(conversation, otherName, t)
    }

    private static func notices(_ conversation: PackageConversation, _ t: Translator) -> [PackageBanner] {
        var notices: [PackageBanner] = []
        func add(_ text: String, _ icon: String = "info") {
            notices.append(PackageBanner(noticeKind: "banner-info", noticeIcon: icon, noticeText: text))
        }
        if conversation.isOpenToAdministrators, conversation.role != .operator {
            add(t("Administrators can read these messages while they decide on the problem."), "eye")
        }
        switch conversation.obstacle {
        case .closed: add(t("The messages about this package are closed."), "lock")
        case .ended: add(t("This delivery has ended, and with it the messages."), "lock")
        case .blocked:
            add(
                conversation.hasBlocked
                    ? t("You blocked this person. You can’t write to each other.")
                    : t("You can’t write to each other: one of you blocked the other."), "user-x")
        case .administrator:
            add(t("You see these messages because the owner or the carrier asked for a decision."), "eye")
        case nil: break
        }
        return notices
    }
}

/// The form of a new message.
struct MessageForm: Sendable {
    let sendURL: String
    let typedText: String
    let typedLatitude: String
    let typedLongitude: String
    /// Whether the photo and the position are shown.
    let isUnfolded: Bool
    let textError: String?
    let formError: String?
    let photo: PhotoField

    init(_ url: String, _ typed: MessageFormState, _ error: AppError?, _ t: Translator) {
        sendURL = url
        typedText = typed.text
        typedLatitude = typed.latitude
        typedLongitude = typed.longitude
        textError = error?.fields["text"]
        let pictureError = error?.fields["pictureId"] ?? error?.fields["picture"]
        isUnfolded = !typed.latitude.isEmpty || !typed.pictureID.isEmpty || pictureError != nil
        formError = textError == nil && pictureError == nil ? error?.message : nil
        let picture = ID<Picture>(typed.pictureID)
        photo = PhotoField(
            pictureID: picture?.description ?? "",
            imageURL: picture.map { CarrepsaPath.picture($0, size: .medium) }, error: pictureError ?? "",
            label: t("Photo"))
    }
}

/// A message in the list.
struct MessageRow: Sendable {
    let messageID: String
    /// The CSS class.
    let side: String
    let authorText: String
    let sentMoment: FormattedTime
    let messageText: String?
    let isDeleted: Bool
    let photoURL: String?
    let photoLargeURL: String
    let placeURL: String?
    let placeText: String
    /// Whether the other person has read it.
    let isRead: Bool
    let reportURL: String?

    init(
        _ message: PackageMessage, in conversation: PackageConversation, _ app: MapsApp?, _ t: Translator,
        _ times: TimeFormatter
    ) {
        let mine: PackageRole? =
            switch conversation.role {
            case .owner: .owner
            case .carrier, .stranger: .carrier
            default: nil
            }
        let isMine = message.role == mine
        let party = message.role == .owner ? conversation.owner : conversation.carrier
        messageID = "message-\(message.number)"
        side = isMine ? "is-mine" : ""
        authorText = isMine ? t("You") : party.name ?? t("Former member")
        sentMoment = FormattedTime(message.at, times)
        messageText = message.text
        isDeleted = message.author == nil
        photoURL = message.pictureID.map { CarrepsaPath.picture($0, size: .medium) }
        photoLargeURL = message.pictureID.map { CarrepsaPath.picture($0, size: .large) } ?? ""
        placeURL = message.place.map { PlaceLink.url($0, app: app) }
        placeText = message.place.map { "\($0.latitude), \($0.longitude)" } ?? ""
        isRead = isMine && message.number <= conversation.readByOther
        reportURL =
            mine != nil && !isMine && message.author != nil
            ? CarrepsaPath.messageReport(message.id, about: conversation.package) : nil
    }
}

/// The last message that the page shows, which a script reports as read.
struct ReadingMark: Sendable {
    let readingURL: String
    let lastNumber: String

    init?(_ conversation: PackageConversation) {
        guard conversation.role != .operator, let last = conversation.messages.items.first,
            last.number > conversation.read
        else { return nil }
        readingURL = CarrepsaPath.messages(conversation.package) + "/reading"
        lastNumber = String(last.number)
    }
}

/// The button that blocks the other person, or ends the block.
struct BlockForm: Sendable {
    let blockURL: String
    let blockLabel: String
    /// The CSS class of the button; empty if it ends the block.
    let blockStyle: String
    let blockQuestion: String
    let blockNote: String

    init?(_ conversation: PackageConversation, _ name: String, _ t: Translator) {
        guard conversation.role != .operator, let other = conversation.other?.id else { return nil }
        let values: KeyValuePairs = ["name": name]
        blockURL = CarrepsaPath.block(other) + (conversation.hasBlocked ? "?_method=delete" : "?_method=put")
        blockLabel = conversation.hasBlocked ? t("Unblock {name}", values) : t("Block {name}", values)
        blockStyle = conversation.hasBlocked ? "" : "button-plain-danger"
        blockQuestion =
            conversation.hasBlocked ? t("Unblock {name}?", values) : t("Block {name}?", values)
        blockNote =
            switch (conversation.hasBlocked, conversation.isDeliveryUnderWay) {
            case (true, _): t("You can write to each other again.")
            case (false, true):
                t(
                    """
                    You have a delivery under way with {name}. It continues, but you can no longer write to each \
                    other, or accept each other’s packages.
                    """, values)
            case (false, false): t("You can no longer write to each other, or accept each other’s packages.")
            }
    }
}
