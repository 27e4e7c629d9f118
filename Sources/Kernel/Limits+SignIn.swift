extension Limits {
    /// Seconds for which the server makes no further request to a provider that was unreachable or sent an invalid
    /// response.
    package static let providerFailureSeconds: Int64 = 30
    /// Sign-in codes of one child whose outcome is stored; the oldest ones are removed.
    package static let signInCodesKept = 20
    /// Entries of one list in a request's body.
    package static let listEntries = 1_000
}
