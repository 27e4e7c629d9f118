package import Kernel

extension Limits {
    /// Bytes of a message to a device in Hologram's API: its base64 text.
    package static let hologramMessageBytes = 10_000
    /// Bytes of one response of Hologram's API; a page of records is the largest.
    package static let hologramResponseBytes = 8 * 1024 * 1024
    /// Records requested in one page.
    package static let hologramPageRecords = 100
    /// Seconds until a request to Hologram times out.
    package static let hologramSeconds: Int64 = 20
    /// Seconds until connecting to Hologram times out.
    package static let hologramConnectSeconds: Int64 = 5
    /// Seconds to wait after "API rate limit exceeded"; Hologram's documentation asks for 5 to 10.
    package static let hologramBusySeconds: ClosedRange<Int64> = 5...10
    /// The longest wait in seconds that a response can request.
    package static let hologramLongestBusySeconds: Int64 = 60 * 60
    /// Seconds before the second attempt after a failure, doubled with each further one.
    package static let hologramRetrySeconds: Int64 = 5
    /// The maximum number of seconds between two attempts.
    package static let hologramRetryMaximumSeconds: Int64 = 5 * 60
    /// Seconds before the next attempt after Hologram rejected the key: an administrator has to correct the setting.
    package static let hologramRefusedKeySeconds: Int64 = 15 * 60
    /// Seconds until a switch command that Hologram accepted and no tracker confirmed is sent again; doubled with each
    /// repeat.
    package static let hologramRepeatSeconds: Int64 = 2 * 60
    /// The maximum number of seconds between two such repeats.
    package static let hologramRepeatMaximumSeconds: Int64 = 6 * 60 * 60
    /// The minimum number of characters of a webhook's secret.
    package static let webhookSecretCharacters = 22
}
