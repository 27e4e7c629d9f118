import Kernel
import Notifications
import Storage

/// An account has as many positions as it may.
struct HistoryFull: Error {
    let owner: PersonID
}

extension TrackingService {
    /// Takes room for positions of an account.
    /// - Throws: ``AppError`` `throttled` when there is none.
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

    /// The same inside a transaction.
    /// - Throws: ``HistoryFull`` when there is none; ``refusingFullHistories(_:)`` makes an answer of it.
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

    /// The percentage in the owner's notification; `nil` while there is room enough.
    private func fullness(_ stored: Int) -> Int? {
        let percent = Int(Double(stored) / Double(historyRoom.limit) * 100)
        return percent >= 100 ? 100 : percent >= Limits.historyWarningPercent ? Limits.historyWarningPercent : nil
    }

    /// Once a day: without new positions there are no alerts.
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
    /// The account has as many positions as it may.
    fileprivate static var historyFull: AppError {
        AppError(
            .throttled, TrackingMessage.historyFull.rawValue, retryAfterSeconds: Limits.historyFullRetrySeconds)
    }
}
