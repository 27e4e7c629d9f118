import Kernel
import Storage

extension CarrepsaService {
    /// What time brings about: what wasn't picked up goes back, reports that nobody answered go to the operators, and
    /// old codes go. Cheap when there is nothing to do; at least once a minute.
    package func housekeeping() async throws {
        try await expireDue()
        try await escalateUnanswered()
        let now = clock.now
        try await database.write { tx in try HandoverStore.prune(now: now, in: tx) }
    }

    /// Gives back what wasn't picked up in time, each package in a transaction of its own.
    /// - Returns: how many went back.
    @discardableResult
    func expireDue() async throws -> Int {
        try await takeAll(.expire) { now, tx in
            try PackageStore.due(now, limit: Limits.housekeepingBatch, in: tx)
        }
    }

    private func escalateUnanswered() async throws {
        try await takeAll(.escalate) { now, tx in
            try PackageStore.unanswered(
                reportedBefore: now.adding(seconds: -Limits.deliveryReportSeconds), limit: Limits.housekeepingBatch,
                in: tx
            )
        }
    }

    @discardableResult
    private func takeAll(
        _ action: PackageAction, find: @escaping @Sendable (Instant, Transaction) throws -> [ID<Package>]
    ) async throws -> Int {
        let now = clock.now
        var count = 0
        while true {
            let ids = try await database.read { tx in try find(now, tx) }
            var taken = 0
            for id in ids {
                do {
                    try await make(Move(action, id, by: .clock, service: self), status: 200, scope: nil)
                    taken += 1
                } catch let error as AppError where error.code == .conflict || error.code == .notFound {
                    // Somebody was faster.
                }
            }
            count += taken
            guard taken > 0, ids.count == Limits.housekeepingBatch else { return count }
        }
    }
}
