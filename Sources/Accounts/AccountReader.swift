package import Kernel
package import Storage

/// Reads accounts.
package struct AccountReader: Sendable {
    let database: Database

    /// Returns the actor's account.
    package func account(_ actor: Actor) async throws -> Account {
        let found = try await database.read { tx in try AccountStore.account(actor.person, in: tx) }
        guard let found else { throw AppError.notFound }
        return found
    }

    /// Returns the accounts with these ids. Unknown ids are left out.
    package func accounts(_ ids: [PersonID], in tx: Transaction) throws -> [PersonID: Account] {
        let found = try AccountStore.accounts(ids, in: tx)
        return Dictionary(uniqueKeysWithValues: found.map { ($0.id, $0) })
    }
}
