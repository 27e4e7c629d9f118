import Kernel
import Notifications
import Storage

/// Thrown when an account has reached its limit of stored positions.
struct HistoryFull: Error {
    let owner: PersonID
}

extension TrackingService {
    /// Takes capacity for an account's positions.
    /// - Throws: ``AppError`` `throttled` when the history is full.
    func requireRoom(for count: Int, of owner: PersonID, now: Instant) async throws {
        if let isFree = historyRoom.take(count, of: owner, now: now) {
            if isFree { return }
            throw AppError.historyFull
        }
        let stored = try await database.read { tx in try FixStore.total(of: owner, in: tx) }
        if let percent = fullness(stored) {
            try await database.write { [self] tx in try tellFullness(percent, of: owner, now: now, in: tx) }
        }
        guard historyRoom.take(count, of: owner, stored: stored, now: now) else { throw AppError.historyFull }
    }

    /// Takes capacity for an account's positions inside a transaction.
    /// - Throws: ``HistoryFull`` when the history is full; ``refusingFullHistories(_:)`` turns it into an ``AppError``.
    func requireRoom(for count: Int, of owner: PersonID, now: Instant, in tx: Transaction) throws {
        if let isFree = historyRoom.take(count, of: owner, now: now) {
            if isFree { return }
            throw HistoryFull(owner: owner)
        }
        let stored = try FixStore.total(of: owner, in: tx)
        guard historyRoom.take(count, of: owner, stored: stored, now: now) else { throw HistoryFull(owner: owner) }
        if let percent = fullness(stored) { try tellFullness(percent, of: owner, now: now, in: tx) }
    }

    /// Notifies the owner of a full history, in a new transaction, because the one that found it full was rolled back.
    func refusingFullHistories<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch let full as HistoryFull {
            let now = clock.now
            try await database.write { [self] tx in try tellFullness(100, of: full.owner, now: now, in: tx) }
            throw AppError.historyFull
        }
    }

    /// The percentage in the owner's notification; `nil` below the warning level.
    private func fullness(_ stored: Int) -> Int? {
        let percent = Int(Double(stored) / Double(historyRoom.limit) * 100)
        return percent >= 100 ? 100 : percent >= Limits.historyWarningPercent ? Limits.historyWarningPercent : nil
    }

    /// Notifies the owner, at most once a day: without new positions there are no separation alerts.
    private func tellFullness(_ percent: Int, of owner: PersonID, now: Instant, in tx: Transaction) throws {
        let day = Instant(millisecondsSince1970: now.millisecondsSince1970 / 86_400_000 * 86_400_000)
        let notice = Notice(
            id: ID(about: [NoticeKind.historyFull.rawValue, owner.description, "\(percent)"], at: day), person: owner,
            kind: .historyFull, resource: "/tracking/items", subject: "", details: ["percent": "\(percent)"], at: now
        )
        try notice.post(in: tx)
    }
}

extension AppError {
    fileprivate static var historyFull: AppError {
        AppError(
            .throttled, TrackingMessage.historyFull.rawValue, retryAfterSeconds: Limits.historyFullRetrySeconds)
    }
}
