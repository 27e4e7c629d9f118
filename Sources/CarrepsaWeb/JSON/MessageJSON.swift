import Carrepsa
import Kernel
import WebCore

/// A message about a package.
struct MessageJSON: Encodable {
    let id: String
    let number: Int64
    /// `owner` or `carrier`.
    let role: String
    let at: Instant
    /// `null` without a text, and if the author's account was deleted.
    @Nullable var text: String?
    @Nullable var pictureId: String?
    @Nullable var latitude: Double?
    @Nullable var longitude: Double?

    init(_ message: PackageMessage) {
        id = message.id.description
        number = message.number
        role = message.role.rawValue
        at = message.at
        text = message.text
        pictureId = message.pictureID?.description
        latitude = message.place?.latitude
        longitude = message.place?.longitude
    }
}

/// The conversation about a package, with a page of messages, the newest first.
struct ConversationJSON: Encodable {
    let canWrite: Bool
    @Nullable var closesAt: Instant?
    /// The number of the last message that the reader has read.
    let read: Int64
    let readByOther: Int64
    let items: [MessageJSON]
    @Nullable var next: String?

    init(_ conversation: PackageConversation) {
        canWrite = conversation.obstacle == nil
        closesAt = conversation.closesAt
        read = conversation.read
        readByOther = conversation.readByOther
        items = conversation.messages.items.map(MessageJSON.init)
        next = conversation.messages.next
    }
}

/// A person whom the reader blocked.
struct BlockJSON: Encodable {
    let id: PersonID
    let name: String
    let blockedAt: Instant

    init(_ blocked: BlockedPerson) {
        id = blocked.id
        name = blocked.name
        blockedAt = blocked.blockedAt
    }
}

/// A reported message, for administrators.
struct MessageReportJSON: Encodable {
    let id: String
    let message: MessageJSON
    let title: String
    @Nullable var author: String?
    let reporter: String
    @Nullable var reason: String?
    let createdAt: Instant

    init(_ report: MessageReport) {
        id = report.id.description
        message = MessageJSON(report.message)
        title = report.title
        author = report.authorName
        reporter = report.reporterName
        reason = report.reason
        createdAt = report.createdAt
    }
}
