import Kernel
import Storage

/// Stores a message of a source in one transaction, and returns the commands for the response.
typealias IngestWrite = @Sendable (Transaction) throws -> [Command]

/// Decides what a message of a source writes.
struct SourceMessageWriter: Sendable {
    let fixes: SourceFixWriter
    let history: HistoryLimiter
    let databaseClock: DatabaseClock
    let clock: any WallClock

    /// Returns what a message writes; `nil` for a message without a position.
    func write(
        for message: DecodedMessage, _ credential: SourceCredential, _ hash: [UInt8]
    ) async throws -> IngestWrite? {
        switch message {
        case .malformed, .nothing: nil
        case .unusable(let reason): quarantineWrite(reason, from: credential)
        case .report(let report): try await fixWrite(report, from: credential, hash: hash)
        }
    }

    private func quarantineWrite(_ reason: QuarantineReason, from credential: SourceCredential) -> IngestWrite {
        let now = clock.now
        let entry = fixes.quarantineEntry(reason, from: credential, now: now)
        return { [fixes] tx in try fixes.quarantine(entry, from: credential, now: now, in: tx) }
    }

    private func fixWrite(
        _ report: Report, from credential: SourceCredential, hash: [UInt8]
    ) async throws -> IngestWrite {
        let now = clock.now
        let at = report.at ?? databaseClock.now
        guard FixAcceptance.isAcceptable(at, now: databaseClock.now) else {
            return quarantineWrite(.timeOutOfRange, from: credential)
        }
        guard let tracked = credential.tracked else {
            return { [fixes] tx in
                try fixes.storePhone(report, at: at, from: credential, now: now, in: tx)
                return []
            }
        }
        try await history.reserve(1, of: credential.owner, now: now)
        return { [fixes] tx in
            try fixes.store(report, at: at, of: tracked, from: credential, hash: hash, now: now, in: tx)
        }
    }
}
