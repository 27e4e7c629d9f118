import Kernel
import Pictures
import Quotas
import Storage

/// Counts how much each account stores.
package struct StorageUsageCounter: Sendable {
    let database: Database
    /// Counts the positions of an account.
    let fixCount: @Sendable (PersonID, Transaction) throws -> Int

    /// Counts now; the cost grows with the number of the account's pictures and items, not of its positions.
    func usage(of account: PersonID, in tx: Transaction) throws -> StorageUsage {
        let pictures = try PictureLibrary.usage(of: account, in: tx)
        return StorageUsage(
            pictures: pictures.count, pictureBytes: pictures.bytes, fixes: try fixCount(account, tx))
    }

    /// Counts all accounts, some in each transaction, and stores what changed. For a periodic job.
    package func run() async throws {
        var total = StorageUsage.nothing
        var last: PersonID?
        while true {
            let page = try await database.read { [last] tx in
                try AccountStore.newest(before: last, limit: Limits.storageCountBatch, in: tx).map { account in
                    Count(
                        account: account.id, usage: try usage(of: account.id, in: tx),
                        stored: try StorageUsageStore.usage(of: account.id, in: tx) ?? .nothing)
                }
            }
            total = page.reduce(total) { $0 + $1.usage }
            for count in page where count.usage != count.stored {
                try await database.write { tx in
                    // The lock keeps an account that is being deleted from getting a row again.
                    guard try AccountStore.lockedAccount(count.account, in: tx) != nil else { return }
                    try StorageUsageStore.set(count.usage, of: count.account, in: tx)
                }
            }
            guard page.count == Limits.storageCountBatch else { break }
            last = page.last?.account
        }
        let (counted, stored) = (total, try await database.read { tx in try StorageUsageStore.total(in: tx) })
        if counted != stored { try await database.write { tx in try StorageUsageStore.setTotal(counted, in: tx) } }
    }

    private struct Count: Sendable {
        let account: PersonID
        let usage: StorageUsage
        let stored: StorageUsage
    }
}
