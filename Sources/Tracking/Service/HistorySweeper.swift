import Kernel
import Storage

/// Removes the remaining histories of deleted items.
struct HistorySweeper: Sendable {
    let database: Database

    /// Removes all remaining histories, in small transactions that block no other work.
    func sweepAll() async throws {
        while try await sweepPart() { try Task.checkCancellation() }
    }

    /// Removes a part of a deleted item's remaining history.
    /// - Returns: Whether more may remain.
    func sweepPart() async throws -> Bool { try await database.write { tx in try Self.sweepPart(in: tx) } }

    /// Removes a part of a deleted item's remaining history, inside a transaction.
    /// - Returns: Whether more may remain.
    static func sweepPart(in tx: Transaction) throws -> Bool {
        guard let item = try ItemStore.deletedItemWithHistory(in: tx) else { return false }
        if try FixStore.delete(of: item, limit: Limits.fixesPerDeletion, in: tx) { try ItemStore.delete(item, in: tx) }
        return true
    }
}
