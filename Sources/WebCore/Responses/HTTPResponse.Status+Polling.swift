package import HTTPTypes

extension HTTPResponse.Status {
    /// htmx swaps the response in and ends the polling.
    package static let stopPolling = Self(code: 286)
}
