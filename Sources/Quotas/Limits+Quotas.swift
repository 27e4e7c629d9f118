package import Kernel

extension Limits {
    /// Pictures of an account without a quota of its own, unless the settings say otherwise.
    package static let picturesPerAccount = 2_000
    /// The highest value of the setting and of a quota for pictures.
    package static let pictureQuotaMaximum = 1_000_000
    /// Positions that an account without a quota of its own can store, unless the settings say otherwise.
    package static let fixesPerAccount = 20_000_000
    /// The highest quota of a single account for positions.
    package static let fixQuotaMaximum = 10_000_000_000
    /// The approximate size of a stored position in bytes, with its indexes, as measured in `docs/scaling.md`.
    static let fixBytes: Int64 = 160
    /// The share of a quota in percent from which its account is marked and, for positions, notified.
    package static let quotaWarningPercent = 90
}
