import Kernel

/// `/ingest/osmand` with a JSON body: the messages of Traccar Client.
package struct TraccarIngestService: Sendable {
    let sources: SourceAuthenticator
    let messages: SourceMessageStorage
    let ingestRate: IngestRate
    let clock: any WallClock

    /// Processes a message of Traccar Client.
    /// - Parameter body: The body as received, at most `Limits.ingestBytes`.
    /// - Throws: The errors of ``OwnTracksIngestService/ingest(user:password:body:)``.
    package func ingest(body: [UInt8]) async throws -> OsmAndResponse {
        let message: TraccarJSON
        do {
            message = try TraccarJSON(body)
        } catch .notJSON {
            return .malformed
        } catch {
            return .unknownDevice
        }
        guard let deviceID = message.deviceID else { return .unknownDevice }
        let hash = SourceSecret.hash(deviceID)
        guard let credential = try await sources.credential(hash, kind: .osmand) else { return .unknownDevice }
        let parts = message.decoded()
        // Charged as a whole: a batch that fails in the middle would be retried from the start forever.
        try ingestRate.charge(
            .source(credential.source), of: credential.owner, positions: parts.count, now: clock.now)
        for part in parts {
            let response = try await messages.store(part, credential, hash)
            guard response == .accepted else { return response }
        }
        return .accepted
    }
}
