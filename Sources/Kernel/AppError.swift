/// What went wrong, as far as a client may know. Mapped once, at the edge, to a status, a page and JSON.
package struct AppError: Error, Equatable, Sendable {
    /// The closed set of codes that clients may rely on.
    package enum Code: String, Sendable, CaseIterable {
        /// The syntax is broken (400; 415 and 405 use it too).
        case malformed
        /// A value is missing, of the wrong type or out of range (422).
        case invalid
        /// Nobody is signed in, or the credential is wrong (401).
        case unauthenticated
        /// Signed in, but the role may not (403).
        case forbidden
        /// Absent, or somebody else's (404).
        case notFound = "not_found"
        /// The state does not allow it (409).
        case conflict
        /// The wallet does not hold enough (409).
        case insufficientFunds = "insufficient_funds"
        /// The parcel's reward is not covered (409).
        case rewardNotFunded = "reward_not_funded"
        /// More bytes than allowed (413).
        case tooLarge = "too_large"
        /// The session is locked (423).
        case locked
        /// Too many failures; see ``AppError/retryAfterSeconds`` (429).
        case throttled
        /// Our fault (500).
        case `internal`
        /// Try again later (503).
        case unavailable
    }

    /// The code.
    package let code: Code
    /// One sentence for people: what to do about it, in the user's terms.
    package let message: String
    /// A message for each field that is at fault, by its JSON path (`settings.lostMetres`).
    package let fields: [String: String]
    /// With ``Code/throttled``: how many seconds to wait.
    package let retryAfterSeconds: Int?
    /// The status to answer with where it isn't the code's own (405, 415).
    package let status: Int?

    /// Makes an error.
    package init(
        _ code: Code, _ message: String, fields: [String: String] = [:], retryAfterSeconds: Int? = nil,
        status: Int? = nil
    ) {
        self.code = code
        self.message = message
        self.fields = fields
        self.retryAfterSeconds = retryAfterSeconds
        self.status = status
    }

    /// The same error with other sentences: its message, and that of each field.
    package func saying(_ words: (String) -> String) -> AppError {
        AppError(
            code, words(message), fields: fields.mapValues(words), retryAfterSeconds: retryAfterSeconds, status: status
        )
    }

    /// A value that can't be taken, told at its field.
    package static func invalid(_ field: String, _ message: String) -> AppError {
        AppError(.invalid, message, fields: [field: message])
    }

    /// The one answer for what is absent and for what is somebody else's.
    package static let notFound = AppError(.notFound, "There is nothing here.")
}
