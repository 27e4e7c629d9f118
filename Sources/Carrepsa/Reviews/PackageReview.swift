package import Kernel

/// What was good about a person in a delivery. The number of each word is on the person's profile.
package enum ReviewWord: String, Sendable, CaseIterable {
    case onTime
    case careful
    case friendly
}

/// The review of owner or carrier of a finished delivery by the other.
package struct PackageReview: Sendable, Hashable {
    package let id: ID<PackageReview>
    package let package: ID<Package>
    /// The role of the author: ``PackageRole/owner`` or ``PackageRole/carrier``.
    package let role: PackageRole
    /// `nil` if the account was deleted, and with it the text.
    package let author: PersonID?
    package let authorName: String?
    package let at: Instant
    package let words: Set<ReviewWord>
    package let text: String?
    /// The answer of the reviewed person; `nil` for none, and if that account was deleted.
    package let reply: String?
    package let repliedAt: Instant?
}

/// A review that isn't validated yet.
package struct PackageReviewInput: Sendable {
    let words: Set<ReviewWord>
    /// At most ``Limits/messageCharacters`` characters.
    let text: String?

    package init(words: Set<ReviewWord>, text: String?) {
        self.words = words
        self.text = text
    }

    /// - Throws: `AppError.invalid` at `text`.
    package func check() throws { _ = try validated() }

    func validated() throws -> String? {
        var problems = FieldErrors<CarrepsaMessage>()
        let text = MessageText.read(text, "text", &problems)
        if text == nil, words.isEmpty { problems.refuse("text", .reviewMissing) }
        try problems.finish()
        return text
    }
}

/// The reviews of a delivery as its owner or its carrier sees them.
package struct PackageReviews: Sendable, Hashable {
    /// The review that the reader wrote.
    package let own: PackageReview?
    /// The review about the reader; `nil` while it is hidden.
    package let other: PackageReview?
    /// Whether the reader can write a review now.
    package let canWrite: Bool
    /// Whether the reader can reply to ``other``.
    package let canReply: Bool
    /// When all written reviews are shown, and no more can be written.
    package let endsAt: Instant
}

/// What people say about a person.
package struct Reputation: Sendable, Hashable {
    /// The finished deliveries of packages that the person carried, up to ``Limits/deliveriesCounted``.
    package let carried: Int64
    /// The finished deliveries of packages that the person sent, up to ``Limits/deliveriesCounted``.
    package let sent: Int64
    /// The number of shown reviews with each word, among the newest ``Limits/reviewsCounted``.
    package let words: [ReviewWord: Int64]
    /// The newest shown reviews.
    package let reviews: [PackageReview]
}
