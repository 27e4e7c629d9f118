import Kernel
import Storage

/// `/ingest/osmand`: positions of OsmAnd in the query of a URL.
package struct OsmAndIngestService: Sendable {
    let database: Database
    let sources: SourceAuthenticator
    let messages: SourceMessageStorage
    let ingestRate: IngestRate
    let clock: any WallClock

    /// Processes a message of OsmAnd.
    /// - Parameter query: The decoded pairs of the query, or of the form in the body when there is no query.
    /// - Throws: The errors of ``OwnTracksIngestService/ingest(user:password:body:)``.
    package func ingest(query: [(name: String, value: String)]) async throws -> OsmAndResponse {
        let message = OsmAndQuery(query)
        guard let deviceID = message.deviceID else { return .unknownDevice }
        let hash = SourceSecret.hash(deviceID)
        guard let credential = try await sources.credential(hash, kind: .osmand) else { return .unknownDevice }
        try ingestRate.charge(.source(credential.source), of: credential.owner, now: clock.now)
        return try await messages.store(message.decoded(speedUnit: credential.speedUnit ?? .knots), credential, hash)
    }

    /// Returns the response of ``ingest(query:)`` without storing the position.
    /// - Throws: Errors of the database only.
    package func recognize(query: [(name: String, value: String)]) async throws -> OsmAndResponse {
        guard let deviceID = OsmAndQuery(query).deviceID else { return .unknownDevice }
        let hash = SourceSecret.hash(deviceID)
        let credential = try await database.read { tx in try SourceStore.credential(secretHash: hash, in: tx) }
        return credential?.kind == .osmand ? .accepted : .unknownDevice
    }
}
