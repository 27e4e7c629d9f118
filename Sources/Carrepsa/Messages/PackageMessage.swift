package import Kernel
package import Pictures

/// A message of the owner or the carrier of a package.
package struct PackageMessage: Sendable, Hashable {
    package let id: ID<PackageMessage>
    /// 1, 2, 3 … in its conversation.
    package let number: Int64
    /// ``PackageRole/owner`` or ``PackageRole/carrier``.
    package let role: PackageRole
    /// `nil` if the account was deleted, and with it the content.
    package let author: PersonID?
    package let at: Instant
    package let text: String?
    package let pictureID: ID<Picture>?
    package let place: Coordinate?
}

/// A message that isn't validated yet. It has a text, a picture or a place.
package struct PackageMessageInput: Sendable {
    /// At most ``Limits/messageCharacters`` characters.
    let text: String?
    /// A picture from the author's own library.
    package var pictureID: ID<Picture>?
    let place: Coordinate?

    package init(text: String?, pictureID: ID<Picture>?, place: Coordinate?) {
        self.text = text
        self.pictureID = pictureID
        self.place = place
    }

    /// - Parameter hasUpload: whether the request has a picture that isn't stored yet.
    /// - Throws: `AppError.invalid` at `text`.
    package func check(hasUpload: Bool) throws { _ = try validated(hasUpload: hasUpload) }

    func validated(hasUpload: Bool = false) throws -> String? {
        var problems = FieldErrors<CarrepsaMessage>()
        let text = MessageText.read(text, "text", &problems)
        if text == nil, pictureID == nil, place == nil, !hasUpload { problems.refuse("text", .messageMissing) }
        try problems.finish()
        return text
    }
}

/// The texts of messages, reports and reviews.
enum MessageText {
    /// Returns the text; `nil` if it is blank or refused.
    static func read(
        _ typed: String?, _ field: String, _ problems: inout FieldErrors<CarrepsaMessage>
    ) -> String? {
        problems.lines(
            typed, field, characters: Limits.messageCharacters, bytes: Limits.messageBytes, tooLong: .messageTooLong)
    }
}

/// The conversation about a package, as one person sees it.
package struct PackageConversation: Sendable {
    package let package: ID<Package>
    package let title: String
    /// The reader's role; ``PackageRole/stranger`` for a former carrier, ``PackageRole/operator`` for an
    /// administrator in a dispute.
    package let role: PackageRole
    package let owner: Party
    package let carrier: Party
    /// Why the reader can't write; `nil` if they can.
    package let obstacle: ConversationObstacle?
    /// When it closes; `nil` while the delivery is under way.
    package let closesAt: Instant?
    /// Whether the owner withdrew the package, so that its page can't be opened.
    package let isWithdrawn: Bool
    /// Whether administrators can read it, because owner or carrier opened a dispute.
    package let isOpenToAdministrators: Bool
    /// Whether the reader blocked the other person.
    package let hasBlocked: Bool
    /// Whether the reader and the other person have a delivery under way, which a block doesn't end.
    package let isDeliveryUnderWay: Bool
    /// The other person's phone number while the delivery is under way.
    package let phone: String?
    /// The number of the last message that the reader has read.
    package let read: Int64
    /// The number of the last message that the other person has read.
    package let readByOther: Int64
    /// A page of messages, the newest first.
    package let messages: ListPage<PackageMessage>

    /// The other person; `nil` for an administrator.
    package var other: Party? {
        switch role {
        case .owner: carrier
        case .carrier, .stranger: owner
        default: nil
        }
    }
}

/// Why a person can't write in a conversation.
package enum ConversationObstacle: Sendable, Hashable {
    /// The delivery ended more than ``Limits/conversationOpenSeconds`` ago.
    case closed
    /// The carrier or the package has changed: the carrier no longer carries it.
    case ended
    /// One of the two blocked the other.
    case blocked
    /// An administrator only reads.
    case administrator
}
