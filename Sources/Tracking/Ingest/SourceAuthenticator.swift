import Accounts
import Kernel
import Storage

/// Thrown when the source was deleted or got another secret while its message was processed.
struct SourceRevokedError: Error {}

/// Finds sources by the hash of their secret.
struct SourceAuthenticator: Sendable {
    let database: Database
    let credentials: CredentialCache
    let secrets: SecretBox

    /// Returns the source with this secret; `nil` for none of this kind.
    func credential(_ hash: [UInt8], kind: SourceKind) async throws -> SourceCredential? {
        if let known = credentials.credential(hash) { return known.kind == kind ? known : nil }
        let found = try await database.read { tx in try SourceStore.credential(secretHash: hash, in: tx) }
        guard let found else { return nil }
        credentials.store(found, for: hash)
        return found.kind == kind ? found : nil
    }

    /// Returns the passphrase of OwnTracks; empty for none.
    func passphrase(of credential: SourceCredential) throws -> String {
        guard let sealed = credential.sealedPassphrase else { return "" }
        return String(decoding: try secrets.open(sealed), as: UTF8.self)
    }

    /// Runs `work` and returns its result; `nil` if the source was revoked.
    func unlessRevoked<T>(
        _ credential: SourceCredential, _ work: () async throws -> T
    ) async throws -> T? {
        do {
            return try await work()
        } catch is SourceRevokedError, StorageError.foreignKeyViolation {
            // A foreign key is violated if the item's track or the source was deleted during the transaction.
            credentials.drop(credential.source)
            return nil
        }
    }
}
