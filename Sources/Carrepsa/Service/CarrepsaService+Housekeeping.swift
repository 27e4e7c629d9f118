import Kernel
import Ledger
import Logging
import Storage

extension CarrepsaService {
    /// Expires overdue packages, sends deadline reminders, escalates unanswered delivery reports and deletes expired
    /// codes. Must run at least once a minute; cheap when nothing is due.
    /// - Throws: the first error, after all parts have run.
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

    /// Expires packages that weren't accepted or picked up in time, each in its own transaction.
    /// - Returns: the number of expired packages.
    @discardableResult
    func takeDue() async throws -> Int {
        try await takeAll(.expire) { now, after, tx in
            try PackageStore.due(now, after: after, limit: Limits.housekeepingBatch, in: tx)
        }
    }

    /// Expires overdue packages on behalf of another request, whose own error takes precedence over errors here.
    /// - Returns: whether a package expired, which may have released money.
    func expireOverduePackages() async -> Bool {
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

    /// - Returns: whether the transition was applied; `false` if it no longer applies or failed.
    private func take(_ action: PackageAction, _ package: ID<Package>) async throws -> Bool {
        do {
            try await make(PackageCommand(action, package, by: .clock, service: self), status: 200, scope: nil)
            return true
        } catch let error as CancellationError {
            throw error
        } catch let error as AppError where error.code == .conflict || error.code == .notFound {
            return false
        } catch {
            // A damaged ledger account must not block other refunds.
            stuck.insert(package)
            logger.error(
                "A package can't be paid back or escalated", metadata: ["package": "\(package)", "error": "\(error)"])
            return false
        }
    }
}

/// A due package and its position in the list of due packages.
struct DueCursor: Sendable {
    let at: Instant
    let package: ID<Package>

    init(_ row: Row) throws {
        at = try row.get(at: 0)
        package = try row.get(at: 1)
    }
}
