import Kernel
import Logging
import Storage

/// Processes entries that are due in a job.
struct DueEntries: Sendable {
    let database: Database
    let logger: Logger

    /// Processes each entry in its own transaction. One that fails is postponed by ``Limits/dueRetrySeconds``, so that
    /// it doesn't delay the others in each run.
    /// - Parameters:
    ///   - name: what the log calls an entry.
    ///   - postpone: stores the time of the next try.
    func process<Entry: Sendable>(
        _ entries: [Entry], name: String, now: Instant,
        _ process: @escaping @Sendable (Entry, Transaction) throws -> Void,
        postpone: @escaping @Sendable (Entry, Instant, Transaction) throws -> Void
    ) async throws {
        var failed: [Entry] = []
        try await database.write(each: entries, process) { entry, error in
            logger.error("A due \(name) failed", metadata: ["entry": "\(entry)", "error": "\(error)"])
            failed.append(entry)
        }
        let later = now.adding(seconds: Limits.dueRetrySeconds)
        try await database.write(each: failed) { entry, tx in
            try postpone(entry, later, tx)
        } failed: { entry, error in
            logger.error(
                "A due \(name) could not be postponed", metadata: ["entry": "\(entry)", "error": "\(error)"])
        }
    }
}
