import Kernel
import Ledger
import Logging
import Storage

extension CarrepsaService {
    /// What time brings about: what wasn't accepted or picked up in time is paid back, the sides of what soon will be are
    /// reminded, reports that nobody answered go to the operators, and old codes go. Cheap when there is nothing to do; at least once a minute.
    /// - Throws: the first error of a part; the other parts are done all the same.
    package func housekeeping() async throws {
        stuck.forgetAll()
        var failure: (any Error)?
        for part in [expireDue, remindOfDeadlines, escalateUnanswered, pruneCodes] {
            do {
                try await part()
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    private func expireDue() async throws { try await takeDue() }

    private func escalateUnanswered() async throws {
        try await takeAll(.escalate) { now, after, tx in
            try PackageStore.unanswered(
                reportedBefore: now.adding(seconds: -Limits.deliveryReportSeconds), after: after,
                limit: Limits.housekeepingBatch, in: tx
            )
        }
    }

    private func pruneCodes() async throws {
        let now = clock.now
        try await database.write { tx in try HandoverStore.prune(now: now, in: tx) }
    }

    /// Pays back what wasn't accepted or picked up in time, each package in a transaction of its own.
    /// - Returns: how many were.
    @discardableResult
    func takeDue() async throws -> Int {
        try await takeAll(.expire) { now, after, tx in
            try PackageStore.due(now, after: after, limit: Limits.housekeepingBatch, in: tx)
        }
    }

    /// The same for whoever wants something else and was refused: that refusal is what they are told, whatever happens.
    /// - Returns: whether money came free.
    func hasFreedMoney() async -> Bool {
        do {
            return try await takeDue() > 0
        } catch {
            logger.warning("What was not picked up in time could not go back", metadata: ["error": "\(error)"])
            return false
        }
    }

    @discardableResult
    private func takeAll(
        _ action: PackageAction, find: @escaping @Sendable (Instant, DueCursor?, Transaction) throws -> [DueCursor]
    ) async throws -> Int {
        let now = clock.now
        var count = 0
        var last: DueCursor?
        while true {
            let batch = try await database.read { [last] tx in try find(now, last, tx) }
            for place in batch where !stuck.contains(place.package) {
                if try await take(action, place.package) { count += 1 }
            }
            guard batch.count == Limits.housekeepingBatch else { return count }
            last = batch.last
        }
    }

    /// - Returns: whether it was taken; no when somebody was faster, or when it can't be taken.
    private func take(_ action: PackageAction, _ package: ID<Package>) async throws -> Bool {
        do {
            try await make(Move(action, package, by: .clock, service: self), status: 200, scope: nil)
            return true
        } catch let error as CancellationError {
            throw error
        } catch let error as AppError where error.code == .conflict || error.code == .notFound {
            return false
        } catch {
            // One account that the ledger won't touch must not keep everybody else's money.
            stuck.insert(package)
            logger.error(
                "A package can't be paid back or escalated", metadata: ["package": "\(package)", "error": "\(error)"])
            return false
        }
    }
}

/// A package that time does something to, and its place among the others.
struct DueCursor: Sendable {
    let at: Instant
    let package: ID<Package>

    init(_ row: Row) throws {
        at = try row.get(at: 0)
        package = try row.get(at: 1)
    }
}
