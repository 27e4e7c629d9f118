import Kernel
import Storage

/// `/ingest/owntracks`: the messages of OwnTracks.
package struct OwnTracksIngestService: Sendable {
    let database: Database
    let sources: SourceAuthenticator
    let writer: SourceMessageWriter
    let handover: SourceCommandHandover
    let ingestRate: IngestRate
    let clock: any WallClock

    /// Processes a message of OwnTracks.
    /// - Parameters:
    ///   - user: The user name of Basic authentication.
    ///   - password: The password of Basic authentication.
    ///   - body: The body as received, at most `Limits.ingestBytes`; may be empty.
    /// - Throws: `AppError.throttled` for a source that sends too fast or whose owner's history is full. Errors of the
    ///   database, after which the app retries.
    package func ingest(user: String, password: String, body: [UInt8]) async throws -> OwnTracksResponse {
        let hash = SourceSecret.hash(password)
        guard let credential = try await sources.credential(hash, kind: .owntracks), credential.user == user else {
            return .unauthorized
        }
        try ingestRate.charge(.source(credential.source), of: credential.owner, now: clock.now)
        let passphrase = try sources.passphrase(of: credential)
        let message = OwnTracksJSON.decoded(body, passphrase: passphrase)
        if case .malformed = message { return .malformed }
        let prepared = try await writer.prepare(message, from: credential, secretHash: hash)
        let commands = try await sources.unlessRevoked(credential) {
            guard let prepared else { return try await handOverWaitingCommands(to: credential) }
            return try await database.write { [writer] tx in try writer.store(prepared, in: tx) }
        }
        return commands.map { .accepted(OwnTracksResponseBody.encoded($0)) } ?? .unauthorized
    }

    /// Hands the waiting commands over to a source, after a message without a position.
    /// - Returns: The commands for the response.
    /// - Throws: ``SourceRevokedError``; errors of the database.
    private func handOverWaitingCommands(to credential: SourceCredential) async throws -> [Command] {
        // Most of these messages change nothing, so a read comes first.
        let isWaiting = try await database.read { tx in
            guard try SourceStore.exists(credential, in: tx) else { throw SourceRevokedError() }
            return try credential.tracked.map { try FixStore.isWaiting($0.item, in: tx) } ?? false
        }
        guard isWaiting else { return [] }
        let now = clock.now
        return try await database.write { [handover] tx in
            guard try SourceStore.exists(credential, in: tx) else { throw SourceRevokedError() }
            return try handover.handOver(to: credential, now: now, in: tx)
        }
    }
}
