package import Kernel
package import Quotas

/// The texts of an account's usage and its quota.
package struct StorageUsageText {
    /// For example `12 of 2,000`.
    package let pictures: String
    package let pictureSize: String
    package let fixes: String

    package init(_ usage: StorageUsage, _ quota: StorageQuota, _ t: Translator) {
        func share(_ count: Int, _ limit: Int) -> String {
            t(
                "{count} of {limit}",
                ["count": t.language.grouped(String(count)), "limit": t.language.grouped(String(limit))])
        }
        pictures = share(usage.pictures, quota.pictures)
        pictureSize = ByteSizeText(t).text(usage.pictureBytes)
        fixes = share(usage.fixes, quota.fixes)
    }
}
