/// An error as a client may see it. One place maps it to a status, a page and JSON.
package struct AppError: Error, Equatable, Sendable {
    /// The closed set of codes that clients can rely on.
    package enum Code: String, Sendable, CaseIterable {
        /// The syntax is wrong (400; also used with 405, 414 and 415).
        case malformed
        /// A value is missing, has the wrong type or is out of range (422).
        case invalid
        /// Authentication is required, or the credential is wrong (401).
        case unauthenticated
        /// The signed-in account has no permission (403).
        case forbidden
        /// Absent, or belongs to another account (404).
        case notFound = "not_found"
        /// The state does not allow it (409).
        case conflict
        /// The wallet's balance is too low (409).
        case insufficientFunds = "insufficient_funds"
        /// The package's reward is not covered (409).
        case rewardNotFunded = "reward_not_funded"
        /// More bytes than the limit (413).
        case tooLarge = "too_large"
        /// The session is locked (423).
        case locked
        /// Too many failures; see ``AppError/retryAfterSeconds`` (429).
        case throttled
        /// A fault of the server (500).
        case `internal`
        /// Temporarily unavailable; the client can try again later (503).
        case unavailable
    }

    /// The status of a change whose request must state the version that was read (RFC 6585, 3).
    package static let preconditionRequired = 428

    package let code: Code
    /// One sentence for people: what happened and what to do.
    package let message: String
    /// The message of each invalid field, by its JSON path (`settings.lostMetres`).
    package let fields: [String: String]
    /// The number of seconds to wait, with ``Code/throttled``.
    package let retryAfterSeconds: Int?
    /// The HTTP status where it differs from the code's own (405, 414, 415, 428).
    package let status: Int?

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

    /// Returns the same error with its message and the message of each field replaced by `words`.
    package func saying(_ words: (String) -> String) -> AppError {
        AppError(
            code, words(message), fields: fields.mapValues(words), retryAfterSeconds: retryAfterSeconds, status: status
        )
    }

    /// Returns an error of the code ``Code/invalid`` with the message at one field.
    package static func invalid(_ field: String, _ message: String) -> AppError {
        AppError(.invalid, message, fields: [field: message])
    }

    /// The same error for absent resources and for those of another account, so that neither can be told from the
    /// other.
    package static let notFound = AppError(.notFound, "There is nothing here.")
}
