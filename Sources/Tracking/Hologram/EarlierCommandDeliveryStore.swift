import Jobs
import Kernel
import Storage

/// The table `hologram_errand`, in which earlier versions queue commands. While nodes of both versions run, those of
/// this version move its rows to the job queue.
enum EarlierCommandDeliveryStore {
    /// Returns whether a delivery can be moved. This read avoids a write for an empty table.
    static func isAnyDue(now: Instant, in tx: Transaction) throws -> Bool {
        try !due(now: now, limit: 1, in: tx).isEmpty
    }

    /// Moves due deliveries, at most ``Limits/hologramBatch``. A delivery that isn't due may be leased to a node of an
    /// earlier version.
    static func move(now: Instant, in tx: Transaction) throws {
        for row in try due(now: now, limit: Limits.hologramBatch, in: tx) {
            let id: ID<Command> = try row.get("command_id")
            let attempts: Int = try row.get("attempts")
            // No row is deleted if another node leased the delivery after the rows were read.
            let count = try tx.executeCounting(
                "DELETE FROM hologram_errand WHERE command_id = \(id) AND attempts = \(attempts)")
            // The delivery of a command that has ended since is deleted only.
            guard count == 1, let command = try CommandStore.command(id, now: now, in: tx) else { continue }
            try HologramJobs.enqueue(command, in: tx)
        }
    }

    private static func due(now: Instant, limit: Int, in tx: Transaction) throws -> [Row] {
        try tx.rows(
            """
            SELECT command_id, attempts FROM hologram_errand WHERE next_at <= \(now)
            ORDER BY next_at, command_id LIMIT \(limit)
            """
        )
    }
}
