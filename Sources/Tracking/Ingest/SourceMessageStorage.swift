import Kernel
import Storage

/// Stores the messages of sources whose response has no commands.
struct SourceMessageStorage: Sendable {
    let database: Database
    let sources: SourceAuthenticator
    let writer: SourceMessageWriter

    /// Stores a message; a message without a position is accepted and stores nothing.
    func store(
        _ message: DecodedMessage, _ credential: SourceCredential, _ hash: [UInt8]
    ) async throws -> OsmAndResponse {
        if case .malformed = message { return .malformed }
        guard let write = try await writer.write(for: message, credential, hash) else { return .accepted }
        // The response to OsmAnd has no commands.
        let result: Void? = try await sources.unlessRevoked(credential) {
            try await database.commit { tx in _ = try write(tx) }
        }
        return result == nil ? .unknownDevice : .accepted
    }
}
