import Kernel
import Storage

/// Removes position sources inside a transaction.
struct SourceRemover: Sendable {
    let credentials: CredentialCache

    /// Deletes the source's row, and after the commit its cached credential.
    func remove(_ source: Source, in tx: Transaction) throws {
        try SourceStore.delete(source, in: tx)
        let id = source.id
        tx.afterCommit { [credentials] in credentials.drop(id) }
    }
}
