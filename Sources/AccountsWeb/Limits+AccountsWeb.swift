import Kernel

extension Limits {
    /// Photos that one person adds in an hour; the quota limits how many are kept.
    static let picturesPerHour = 300
}
