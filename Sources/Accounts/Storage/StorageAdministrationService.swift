package import Kernel
package import Quotas
import Storage

/// How much all accounts store, for administrators, who choose the quotas of single accounts.
package struct StorageAdministrationService: Sendable {
    let database: Database
    let accounts: AccountReader
    let quotas: AccountQuotas
    let counter: StorageUsageCounter
    let acts: AdministratorActs
    let clock: any WallClock

    /// An account with its usage as last counted.
    package struct Summary: Sendable, Equatable {
        package let account: Account
        package let usage: StorageUsage
        package let isNearLimit: Bool
    }

    /// The accounts that store anything, the largest first, and all accounts together.
    package struct Overview: Sendable {
        package let page: ListPage<Summary>
        /// `nil` before the first count.
        package let total: StorageUsage?
    }

    /// One account, as an administrator sees it.
    package struct Details: Sendable, Equatable {
        package let account: Account
        /// Counted now.
        package let usage: StorageUsage
        package let quota: StorageQuota
        /// The account's own limits.
        package let chosen: QuotaOverride
        /// The limits of an account without its own.
        package let standard: StorageQuota
        /// Whether a proof for sensitive acts is stored for this session.
        package let isProven: Bool
    }

    /// - Throws: ``AppError`` `forbidden` unless the actor is an administrator; `invalid` for a malformed cursor.
    package func list(for actor: Actor, after cursor: String?, limit: Int) async throws -> Overview {
        let request = try PageRequest(after: cursor, limit: limit) { StorageUsageStore.Cursor($0) }
        return try await database.read { tx in
            try acts.require(actor, in: tx)
            let entries = request.page(
                try StorageUsageStore.largest(after: request.after, limit: request.rows, in: tx)
            ) { StorageUsageStore.Cursor($0) }
            let ids = entries.items.map(\.account)
            let accounts = try accounts.accounts(ids, in: tx)
            let chosen = try QuotaStore.find(ids, in: tx)
            let items = entries.items.compactMap { entry -> Summary? in
                guard let account = accounts[entry.account] else { return nil }
                let quota = quotas.quota(chosen[account.id] ?? QuotaOverride())
                return Summary(account: account, usage: entry.usage, isNearLimit: entry.usage.isNearLimit(of: quota))
            }
            return Overview(
                page: ListPage(items: items, next: entries.next), total: try StorageUsageStore.total(in: tx))
        }
    }

    /// - Throws: ``AppError`` `forbidden` unless the actor is an administrator; `notFound`.
    package func details(of id: PersonID, for actor: Actor) async throws -> Details {
        let now = clock.now
        return try await database.read { tx in
            try acts.require(actor, in: tx)
            return try details(of: id, for: actor, now: now, in: tx)
        }
    }

    /// Chooses an account's own limits. What is stored beyond a lower limit stays; only more is refused. The account's
    /// owner is notified by mail.
    /// - Throws: ``AppError`` `forbidden` unless the actor is an administrator; `invalid` without a proof; `notFound`.
    package func setQuota(_ chosen: QuotaOverride, of id: PersonID, by change: Change) async throws -> Details {
        let now = clock.now
        return try await database.write { tx in
            try acts.require(change.actor, in: tx)
            _ = try tx.once(change.idempotency, status: 200, now: now, resource: id.description) {
                try acts.requireProof(of: change.actor, now: now, in: tx)
                _ = try AccountStore.requireLockedAccount(id, in: tx)
                guard try QuotaStore.find(id, in: tx) != chosen else { return }
                try QuotaStore.set(chosen, of: id, in: tx)
                let (pictures, fixes) = (chosen.pictures.map(String.init), chosen.fixes.map(String.init))
                let detail = "photos: \(pictures ?? "default"), positions: \(fixes ?? "default")"
                try acts.record(
                    .changeQuota, subject: id.description, detail: detail, by: change.actor, now: now, in: tx)
                if id != change.actor.person { try acts.notify(id, of: .quotaChanged, now: now, in: tx) }
            }
            return try details(of: id, for: change.actor, now: now, in: tx)
        }
    }

    private func details(of id: PersonID, for actor: Actor, now: Instant, in tx: Transaction) throws -> Details {
        guard let account = try AccountStore.account(id, in: tx) else { throw AppError.notFound }
        let chosen = try QuotaStore.find(id, in: tx)
        return Details(
            account: account, usage: try counter.usage(of: id, in: tx), quota: quotas.quota(chosen), chosen: chosen,
            standard: quotas.standard,
            isProven: try acts.isProven(actor, now: now, in: tx))
    }
}
