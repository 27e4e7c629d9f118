import Accounts
import Hummingbird
import Kernel
import Quotas
import WebCore

/// `/account/storage`: how much the person stores, and their limits.
struct StorageUsageController: Sendable {
    let usage: StorageUsageService

    func addRoutes(to account: RouterGroup<SignedInContext>) {
        account.get("storage", use: show)
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let (usage, quota) = try await usage.usage(of: context.actor)
        return try Responses.of(
            context, template: "accounts-storage",
            page: { StorageUsagePage(context, usage, quota) },
            json: { StorageUsageJSON(usage, quota) }
        )
    }
}

/// How much a person stores.
struct StorageUsageJSON: Encodable {
    let pictures: Int
    let pictureBytes: Int64
    let pictureLimit: Int
    let fixes: Int
    let fixLimit: Int

    init(_ usage: StorageUsage, _ quota: StorageQuota) {
        pictures = usage.pictures
        pictureBytes = usage.pictureBytes
        pictureLimit = quota.pictures
        fixes = usage.fixes
        fixLimit = quota.fixes
    }
}

/// The view model of how much a person stores.
struct StorageUsagePage: Sendable {
    let shell: Shell
    let picturesText: String
    let pictureSizeText: String
    let pictureCount: Int
    let pictureLimit: Int
    let fixesText: String
    let fixCount: Int
    let fixLimit: Int
    let isNearLimit: Bool

    init(_ context: SignedInContext, _ usage: StorageUsage, _ quota: StorageQuota) {
        let t = context.t
        let texts = StorageUsageText(usage, quota, t)
        picturesText = texts.pictures
        pictureSizeText = texts.pictureSize
        fixesText = texts.fixes
        (pictureCount, fixCount) = (usage.pictures, usage.fixes)
        // A bar without a maximum would be full.
        (pictureLimit, fixLimit) = (max(1, quota.pictures), max(1, quota.fixes))
        isNearLimit = usage.isNearLimit(of: quota)
        shell = Shell(
            context, title: t("Storage"), menu: .settings(context), tab: "settings", isLargeTitle: false,
            back: ShellBack(url: "/account", label: t("Settings", context: "narrow button")))
    }
}
