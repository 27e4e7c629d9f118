import Foundation
import Kernel
import Storage

/// OwnTracks gets its commands in the response to a report.
extension TrackingService {
    /// Returns the commands that wait for a source, for a message without a position.
    /// - Throws: ``Revoked``; errors of the database.
    func waitingCommands(of credential: SourceCredential) async throws -> [Command] {
        // Most of these messages change nothing, so a read comes first.
        let isWaiting = try await database.read { tx in
            guard try SourceStore.exists(credential, in: tx) else { throw Revoked() }
            return try credential.tracked.map { try FixStore.isWaiting($0.item, in: tx) } ?? false
        }
        guard isWaiting else { return [] }
        let now = clock.now
        return try await database.write { [self] tx in
            guard try SourceStore.exists(credential, in: tx) else { throw Revoked() }
            return try handOver(credential, now: now, in: tx)
        }
    }

    /// Returns the commands for the response.
    /// - Parameter isAnswered: The message has a new position, which fulfils the commands that were sent earlier.
    func handOver(
        _ credential: SourceCredential, isAnswered: Bool = false, now: Instant, in tx: Transaction
    ) throws -> [Command] {
        guard credential.kind == .owntracks, let item = credential.tracked?.item else { return [] }
        guard try FixStore.isWaiting(item, in: tx) else { return [] }
        let receiver = CommandStore.Receiver.source(credential.source)
        var waiting = try CommandStore.waiting(for: receiver, now: now, in: tx)
        if isAnswered {
            for command in waiting where command.state == .sent {
                _ = try CommandStore.finish(command.id, of: receiver, as: .applied, in: tx)
            }
            waiting.removeAll { $0.state == .sent }
        }
        try CommandStore.markSent(waiting.filter { $0.state == .queued }.map(\.id), in: tx)
        if waiting.isEmpty { try FixStore.setHasWaitingCommands(false, of: item, in: tx) }
        try publishCommandEvent(of: item, owner: credential.owner, now: now, in: tx)
        return waiting
    }
}

/// The response to OwnTracks, which is always a JSON array.
enum OwnTracksResponseBody {
    private static let locate = #"{"_type":"cmd","action":"reportLocation"}"#

    static func encoded(_ commands: [Command]) -> [UInt8] {
        let asksForPlace = commands.contains { $0.kind == .locate }
        return Array((asksForPlace ? "[\(locate)]" : "[]").utf8)
    }
}
