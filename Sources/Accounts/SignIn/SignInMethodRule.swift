import Kernel
import Storage

/// Every account keeps a way to sign in.
enum SignInMethodRule {
    /// Requires that a person can still sign in: by a password, a passkey, or a provider that is set up.
    /// - Throws: ``AppError`` `conflict` when no way to sign in is left.
    static func requireOne(
        of account: Account, usableProviders: Set<ProviderName>, in tx: Transaction
    ) throws {
        if try PasskeyStore.count(of: account.id, in: tx) > 0 { return }
        if account.email != nil, try AccountStore.credential(of: account.id, in: tx)?.password != nil { return }
        let identities = try IdentityStore.identities(of: account.id, in: tx)
        guard identities.contains(where: { usableProviders.contains($0.provider) }) else {
            throw AppError(.conflict, .lastWayIn)
        }
    }
}
