import Carrepsa
import Kernel
import WebCore

/// A review of owner or carrier of a delivery by the other.
struct PackageReviewJSON: Encodable {
    let id: String
    /// The role of the author: `owner` or `carrier`.
    let role: String
    let at: Instant
    let onTime: Bool
    let careful: Bool
    let friendly: Bool
    @Nullable var text: String?
    @Nullable var reply: String?

    init(_ review: PackageReview) {
        id = review.id.description
        role = review.role.rawValue
        at = review.at
        onTime = review.words.contains(.onTime)
        careful = review.words.contains(.careful)
        friendly = review.words.contains(.friendly)
        text = review.text
        reply = review.reply
    }
}

/// The reviews of a delivery; `other` is `null` while it is hidden.
struct PackageReviewsJSON: Encodable {
    @Nullable var own: PackageReviewJSON?
    @Nullable var other: PackageReviewJSON?
    let canWrite: Bool
    let canReply: Bool
    let endsAt: Instant

    init(_ reviews: PackageReviews) {
        own = reviews.own.map(PackageReviewJSON.init)
        other = reviews.other.map(PackageReviewJSON.init)
        canWrite = reviews.canWrite
        canReply = reviews.canReply
        endsAt = reviews.endsAt
    }
}
