import Kernel
import Logging
import Storage

/// Applies deadlines: packages that weren't accepted or picked up in time expire, and an unanswered delivery report
/// becomes a dispute.
struct PackageDeadlines: Sendable {
    let database: Database
    let transitions: PackageTransitions
    let failures: FailedExpiries
    let clock: any WallClock
    let random: any RandomSource
    let logger: Logger

    /// Reads the database after expiring overdue packages, so that results don't depend on the scheduled job.
    func read<T: Sendable>(_ body: @escaping @Sendable (Transaction, Instant) throws -> T) async throws -> T {
        let now = clock.now
        let failed = failures.all(now: now)
        let first = try await database.read { tx -> T? in
            // If there are too many failures, only the scheduled job expires packages.
            let isTried = failed.count < Limits.failedExpiries
            return try isTried && PackageStore.hasOverduePackages(now, except: failed, in: tx) ? nil : try body(tx, now)
        }
        if let first { return first }
        _ = await expireOverdueOrLog()
        return try await database.read { tx in try body(tx, now) }
    }

    /// Runs `work`. If money is missing, expires overdue packages, which may release money, and runs it once more.
    func retryingAfterExpiry<T: Sendable>(_ work: () async throws -> T) async throws -> T {
        do {
            return try await work()
        } catch let error as AppError where error.code == .insufficientFunds || error.code == .rewardNotFunded {
            guard await expireOverdueOrLog() else { throw error }
            return try await work()
        }
    }

    /// Expires packages that weren't accepted or picked up in time, each in its own transaction.
    /// - Returns: the number of expired packages.
    @discardableResult
    func expireOverdue() async throws -> Int {
        try await applyAll { now, after, tx in
            try PackageStore.due(now, after: after, limit: Limits.housekeepingBatch, in: tx).map { ($0, .expire) }
        }
    }

    func escalateUnanswered() async throws {
        try await applyAll { now, after, tx in
            try PackageStore.unanswered(
                reportedBefore: now.adding(seconds: -Limits.deliveryReportSeconds), after: after,
                limit: Limits.housekeepingBatch, in: tx
            ).map { ($0, .escalate) }
        }
    }

    /// Ends the time for statements of disputes, and lets decisions take effect.
    func applyToDisputes() async throws {
        try await database.write { tx in try DisputeStore.closeFinished(in: tx) }
        try await applyAll { now, after, tx in
            try DisputeStore.withStatementsOver(now, after: after, limit: Limits.housekeepingBatch, in: tx)
                .map { ($0, .closeStatements) }
        }
        try await applyAll { now, after, tx in
            try DisputeStore.inEffect(now, after: after, limit: Limits.housekeepingBatch, in: tx)
        }
    }

    /// Expires overdue packages on behalf of a request. Logs errors: a read must succeed even if the database can't be
    /// written, and the error of a change takes precedence.
    /// - Returns: whether a package expired, which may have released money.
    private func expireOverdueOrLog() async -> Bool {
        do {
            return try await expireOverdue() > 0
        } catch {
            logger.warning("Overdue packages could not expire", metadata: ["error": "\(error)"])
            return false
        }
    }

    /// - Parameter find: returns due packages after a cursor, each with the action that is due.
    @discardableResult
    private func applyAll(
        find:
            @escaping @Sendable (Instant, DueCursor?, Transaction) throws -> [(
                cursor: DueCursor, action: PackageAction
            )]
    ) async throws -> Int {
        let now = clock.now
        let failed = Set(failures.all(now: now))
        var count = 0
        var last: DueCursor?
        while true {
            let batch = try await database.read { [last] tx in try find(now, last, tx) }
            for due in batch where !failed.contains(due.cursor.package) {
                if try await apply(due.action, to: due.cursor.package) { count += 1 }
            }
            guard batch.count == Limits.housekeepingBatch else { return count }
            last = batch.last?.cursor
        }
    }

    /// - Returns: whether the transition was applied; `false` if it no longer applies or failed.
    private func apply(_ action: PackageAction, to package: ID<Package>) async throws -> Bool {
        let now = clock.now
        do {
            return try await database.write { [transitions, random] tx in
                let command = PackageCommand(action, on: package, by: .clock, now: now, random: random)
                _ = try transitions.apply(command, in: tx)
                return true
            }
        } catch let error as CancellationError {
            throw error
        } catch let error as AppError where error.code == .conflict || error.code == .notFound {
            return false
        } catch {
            // A damaged ledger account must not block other refunds.
            failures.insert(package, now: now)
            logger.error(
                "A deadline of a package could not be applied",
                metadata: ["package": "\(package)", "error": "\(error)"])
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

    /// Returns the condition for the rows after a cursor, in the order of the time and the package's id.
    static func start(after last: DueCursor?, by column: StaticString, id: StaticString) -> SQL {
        guard let last else { return SQL() }
        return """
             AND (\(raw: column) > \(last.at) OR (\(raw: column) = \(last.at) AND \(raw: id) > \(last.package)))
            """
    }
}
