import Kernel

/// How much an account can store.
package struct StorageQuota: Sendable, Equatable {
    /// The maximum number of pictures.
    package let pictures: Int
    /// The maximum number of positions.
    package let fixes: Int

    package init(pictures: Int = Limits.picturesPerAccount, fixes: Int = Limits.fixesPerAccount) {
        self.pictures = pictures
        self.fixes = fixes
    }
}

/// An account's own limits; `nil` where the server's default applies.
package struct QuotaOverride: Sendable, Equatable {
    package let pictures: Int?
    package let fixes: Int?

    package init(pictures: Int? = nil, fixes: Int? = nil) {
        self.pictures = pictures
        self.fixes = fixes
    }
}
