package import Accounts
import Kernel
import Ledger
import Storage

/// The membership of Carrepsa: an adult with a phone number has a wallet.
package struct MembershipService: Sendable {
    let database: Database
    let walletAccounts: WalletAccounts
    let cache: MembershipCache
    let clock: any WallClock

    /// Opens the actor's wallet with the welcome amount unless it is open. All use cases call it; it is cheap for
    /// known members.
    /// - Throws: `AppError`: `invalid` at `phone` if the account has no phone number; `forbidden` for a child.
    package func ensureWallet(of actor: Actor) async throws {
        let person = actor.person
        guard !cache.contains(person) else { return }
        let isOpen = try await database.read { [walletAccounts] tx in
            guard let contact = try PeopleStore.contact(person, in: tx) else { throw AppError.notFound }
            guard !contact.isChild else { throw AppError(.forbidden, .grownUpsOnly) }
            guard contact.phone != nil else { throw AppError(.invalid, .phoneMissing, field: "phone") }
            return try walletAccounts.isComplete(person, in: tx)
        }
        if !isOpen {
            let now = clock.now
            try await database.write { [walletAccounts] tx in
                // Locked, so that a concurrent email confirmation credits the welcome amount once in total.
                guard let contact = try PeopleStore.locked(person, in: tx) else { throw AppError.notFound }
                try walletAccounts.open(for: contact, now: now, in: tx)
            }
        }
        cache.insert(person)
    }

    /// Runs `work` after ensuring that the actor has a wallet.
    func withWallet<T: Sendable>(_ actor: Actor, _ work: () async throws -> T) async throws -> T {
        try await ensureWallet(of: actor)
        do {
            return try await work()
        } catch LedgerError.unknownAccount {
            // The wallet was lost because an administrator restored an older backup.
            cache.remove(actor.person)
            try await ensureWallet(of: actor)
            return try await work()
        }
    }
}
