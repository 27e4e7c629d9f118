import Kernel

extension Limits {
    /// Photos that one person adds in an hour; the quota limits how many are kept.
    static let picturesPerHour = 300
    /// Transports that a browser names for a new passkey; the server knows fewer.
    static let passkeyTransports = 16
}
