import Kernel

/// How much an account stores.
package struct StorageUsage: Sendable, Equatable {
    package let pictures: Int
    /// The bytes of the pictures in all sizes.
    package let pictureBytes: Int64
    package let fixes: Int

    package static let nothing = StorageUsage(pictures: 0, pictureBytes: 0, fixes: 0)

    package init(pictures: Int, pictureBytes: Int64, fixes: Int) {
        self.pictures = pictures
        self.pictureBytes = pictureBytes
        self.fixes = fixes
    }

    /// The bytes of the pictures, and those of the positions as an estimate.
    package var bytes: Int64 { pictureBytes + Int64(fixes) * Limits.fixBytes }

    /// Whether the pictures or the positions reach ``Limits/quotaWarningPercent`` of the quota.
    package func isNearLimit(of quota: StorageQuota) -> Bool {
        func isNear(_ count: Int, _ limit: Int) -> Bool {
            count > 0 && Double(count) >= Double(limit) * Double(Limits.quotaWarningPercent) / 100
        }
        return isNear(pictures, quota.pictures) || isNear(fixes, quota.fixes)
    }

    /// Adds the usage of two accounts.
    package static func + (left: StorageUsage, right: StorageUsage) -> StorageUsage {
        StorageUsage(
            pictures: left.pictures + right.pictures, pictureBytes: left.pictureBytes + right.pictureBytes,
            fixes: left.fixes + right.fixes)
    }
}
