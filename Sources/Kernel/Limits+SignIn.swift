extension Limits {
    /// Seconds for which a provider that could not be reached, or made no sense, isn't asked again.
    package static let providerFailureSeconds: Int64 = 30
    /// Sign-in codes of one child that it is remembered of what became of them; the oldest ones go.
    package static let signInCodesKept = 20
    /// Entries of one list in a request's body.
    package static let listEntries = 1_000
}
