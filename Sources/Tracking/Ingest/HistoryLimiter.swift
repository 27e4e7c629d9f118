import Kernel
import Notifications
import Quotas
import Storage

/// Thrown when an account has reached its limit of stored positions.
struct HistoryFullError: Error {
    let owner: PersonID
}

/// Limits the number of an account's stored positions, and notifies owners of full histories.
struct HistoryLimiter: Sendable {
    let database: Database
    let quotas: AccountQuotas
    let capacity = HistoryCapacity()
    let clock: any WallClock

    /// Takes capacity for an account's positions.
    /// - Throws: ``AppError`` `throttled` when the history is full.
    func reserve(_ count: Int, of owner: PersonID, now: Instant) async throws {
        if let isFree = capacity.reserve(count, of: owner, now: now) {
            if isFree { return }
            throw AppError.historyFull
        }
        let stored = try await database.read { tx in try self.stored(of: owner, in: tx) }
        if let percent = stored.noticePercent {
            try await database.write { tx in try notifyOfFullHistory(percent, of: owner, now: now, in: tx) }
        }
        guard capacity.reserve(count, of: owner, stored, now: now) else { throw AppError.historyFull }
    }

    /// Takes capacity for an account's positions inside a transaction.
    /// - Throws: ``HistoryFullError`` when the history is full; ``notifyingOwner(_:)`` turns it into an
    ///   ``AppError``.
    func reserve(_ count: Int, of owner: PersonID, now: Instant, in tx: Transaction) throws {
        if let isFree = capacity.reserve(count, of: owner, now: now) {
            if isFree { return }
            throw HistoryFullError(owner: owner)
        }
        let stored = try stored(of: owner, in: tx)
        guard capacity.reserve(count, of: owner, stored, now: now) else { throw HistoryFullError(owner: owner) }
        if let percent = stored.noticePercent { try notifyOfFullHistory(percent, of: owner, now: now, in: tx) }
    }

    /// Notifies the owner of a full history, in a new transaction, because the one that found it full was rolled back.
    func notifyingOwner<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch let full as HistoryFullError {
            let now = clock.now
            try await database.write { tx in try notifyOfFullHistory(100, of: full.owner, now: now, in: tx) }
            throw AppError.historyFull
        }
    }

    /// Counts the positions of an account.
    func stored(of owner: PersonID, in tx: Transaction) throws -> StoredFixes {
        StoredFixes(count: try FixStore.total(of: owner, in: tx), limit: try quotas.quota(of: owner, in: tx).fixes)
    }

    /// Notifies the owner, at most once a day: without new positions there are no separation alerts.
    private func notifyOfFullHistory(_ percent: Int, of owner: PersonID, now: Instant, in tx: Transaction) throws {
        let day = Instant(millisecondsSince1970: now.millisecondsSince1970 / 86_400_000 * 86_400_000)
        let notification = Notice(
            id: ID(about: [NoticeKind.historyFull.rawValue, owner.description, "\(percent)"], at: day), person: owner,
            kind: .historyFull, resource: "/tracking/items", subject: "", details: ["percent": "\(percent)"], at: now
        )
        try notification.post(in: tx)
    }
}

/// The positions of an account and their limit.
struct StoredFixes {
    let count: Int
    let limit: Int

    /// The percentage in the owner's notification; `nil` below the warning level.
    var noticePercent: Int? {
        let percent = limit == 0 ? 100 : Int(Double(count) / Double(limit) * 100)
        return percent >= 100 ? 100 : percent >= Limits.quotaWarningPercent ? Limits.quotaWarningPercent : nil
    }
}

extension AppError {
    fileprivate static var historyFull: AppError {
        AppError(
            .throttled, TrackingErrorMessage.historyFull.text, retryAfterSeconds: Limits.historyFullRetrySeconds)
    }
}
