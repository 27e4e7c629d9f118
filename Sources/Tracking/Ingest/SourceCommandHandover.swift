import Kernel
import Storage

/// Hands commands over to sources, inside a transaction. OwnTracks gets its commands in the response to a message.
struct SourceCommandHandover: Sendable {
    /// Marks the waiting commands of a source as sent.
    /// - Parameter isAnswered: The message has a new position, which fulfils the commands that were sent earlier.
    /// - Returns: The commands for the response.
    func handOver(
        to credential: SourceCredential, isAnswered: Bool = false, now: Instant, in tx: Transaction
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
        try TrackingEvents.publishCommand(of: item, owner: credential.owner, now: now, in: tx)
        return waiting
    }
}
