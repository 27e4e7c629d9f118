package import Kernel
package import Quotas
package import Storage

/// The services for storage usage and quotas.
package struct StorageServices: Sendable {
    package let usage: StorageUsageService
    package let administration: StorageAdministrationService
    package let counter: StorageUsageCounter
}

/// A person's own storage usage and limits.
package struct StorageUsageService: Sendable {
    let database: Database
    let quotas: AccountQuotas
    let counter: StorageUsageCounter

    /// Counts what the actor stores now, and returns it with the actor's limits.
    package func usage(of actor: Actor) async throws -> (usage: StorageUsage, quota: StorageQuota) {
        try await database.read { tx in
            (
                usage: try counter.usage(of: actor.person, in: tx),
                quota: try quotas.quota(of: actor.person, in: tx)
            )
        }
    }
}

extension AccountServices {
    /// Returns the services for storage usage and quotas.
    /// - Parameter fixCount: counts the positions of an account.
    package func storage(
        quotas: AccountQuotas, fixCount: @escaping @Sendable (PersonID, Transaction) throws -> Int
    ) -> StorageServices {
        let counter = StorageUsageCounter(database: database, fixCount: fixCount)
        return StorageServices(
            usage: StorageUsageService(database: database, quotas: quotas, counter: counter),
            administration: StorageAdministrationService(
                database: database, accounts: reader, quotas: quotas, counter: counter, acts: administratorActs,
                clock: clock),
            counter: counter)
    }
}
