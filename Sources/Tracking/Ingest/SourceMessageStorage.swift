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
        guard let prepared = try await writer.prepare(message, from: credential, secretHash: hash) else {
            return .accepted
        }
        // The response to OsmAnd has no commands.
        let result: Void? = try await sources.unlessRevoked(credential) {
            try await database.commit { [writer] tx in _ = try writer.store(prepared, in: tx) }
        }
        return result == nil ? .unknownDevice : .accepted
    }
}
