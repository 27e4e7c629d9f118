import Kernel
import Synchronization

/// A cache of sources by the hash of their secret, so that a fix needs no look-up.
///
/// An entry may be stale, because another node may have deleted the source. So a report's transaction checks the source
/// again before it commits.
final class CredentialCache: Sendable {
    private let entries = Mutex<[[UInt8]: SourceCredential]>([:])

    func credential(_ secretHash: [UInt8]) -> SourceCredential? { entries.withLock { $0[secretHash] } }

    func store(_ credential: SourceCredential, for secretHash: [UInt8]) {
        entries.withLock { entries in
            // Rare, and simpler than an LRU list: all entries are read again from the database.
            if entries.count >= Limits.ingestCredentials { entries.removeAll(keepingCapacity: true) }
            entries[secretHash] = credential
        }
    }

    func drop(_ source: ID<Source>) {
        entries.withLock { entries in entries = entries.filter { $0.value.source != source } }
    }

    func dropAll() { entries.withLock { $0.removeAll() } }
}
