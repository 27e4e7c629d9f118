import Kernel
import Storage

/// Checks the messages of sources, and stores them.
struct SourceMessageWriter: Sendable {
    let fixes: SourceFixWriter
    let history: HistoryLimiter
    let databaseClock: DatabaseClock
    let clock: any WallClock

    /// Checks a message and reserves room in the owner's history, which may need a transaction of its own.
    /// - Returns: The message to store; `nil` for a message without a position.
    func prepare(
        _ message: DecodedMessage, from credential: SourceCredential, secretHash: [UInt8]
    ) async throws -> PreparedSourceMessage? {
        let now = clock.now
        let content: PreparedSourceMessage.Content
        switch message {
        case .malformed, .nothing: return nil
        case .unusable(let reason):
            content = .unusable(fixes.quarantineEntry(reason, from: credential, now: now))
        case .report(let report):
            content = try await prepare(report, from: credential, now: now)
        }
        return PreparedSourceMessage(
            content: content, credential: credential, secretHash: secretHash, receivedAt: now)
    }

    private func prepare(
        _ report: Report, from credential: SourceCredential, now: Instant
    ) async throws -> PreparedSourceMessage.Content {
        let at: Instant
        do {
            at = try FixAcceptance.time(of: report, receivedAt: databaseClock.now)
        } catch {
            return .unusable(fixes.quarantineEntry(error, from: credential, now: now))
        }
        guard let tracked = credential.tracked else { return .phonePosition(report, at: at) }
        try await history.reserve(1, of: credential.owner, now: now)
        return .itemPosition(report, at: at, tracked)
    }

    /// Stores a message with its effects.
    /// - Returns: The commands for the response.
    func store(_ message: PreparedSourceMessage, in tx: Transaction) throws -> [Command] {
        let credential = message.credential
        let now = message.receivedAt
        switch message.content {
        case .phonePosition(let report, let at):
            try fixes.storePhone(report, at: at, from: credential, now: now, in: tx)
            return []
        case .itemPosition(let report, let at, let tracked):
            return try fixes.store(
                report, at: at, of: tracked, from: credential, hash: message.secretHash, now: now, in: tx)
        case .unusable(let entry):
            return try fixes.quarantine(entry, from: credential, now: now, in: tx)
        }
    }
}
