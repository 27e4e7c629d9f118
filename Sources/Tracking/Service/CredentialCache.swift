import Kernel
import Synchronization

/// Sources by the hash of their secret, so that a fix needs no look-up.
///
/// An entry may be out of date: another node may have deleted the source. That is why a report's transaction asks
/// for the source again before it is committed.
final class CredentialCache: Sendable {
    private let entries = Mutex<[[UInt8]: Credential]>([:])

    func credential(_ secretHash: [UInt8]) -> Credential? { entries.withLock { $0[secretHash] } }

    func keep(_ credential: Credential, for secretHash: [UInt8]) {
        entries.withLock { entries in
            // Rare, and cheaper than an order of use: all are read again from the store.
            if entries.count >= Limits.ingestCredentials { entries.removeAll(keepingCapacity: true) }
            entries[secretHash] = credential
        }
    }

    func drop(_ source: ID<Source>) {
        entries.withLock { entries in entries = entries.filter { $0.value.source != source } }
    }

    func dropAll() { entries.withLock { $0.removeAll() } }
}
