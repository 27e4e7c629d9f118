package import Accounts
import Kernel
import Storage

/// How a person puts money into their wallet and gets it out.
package struct PaymentGuide: Sendable, Hashable {
    package let instructions: PaymentInstructions
    /// The reference for transfers: `HW-7K2M-9QXA`.
    package let reference: String
    package let wallet: Wallet
    /// The person's latest payout requests, the newest first.
    package let requests: [PayoutRequest]

    /// The open request; `nil` for none.
    package var openRequest: PayoutRequest? { requests.first { $0.state == .open } }
}

/// `/carrepsa/money`: explains how money comes in and goes out on this server.
package struct PaymentGuideService: Sendable {
    let database: Database
    let memberships: MembershipService
    let wallets: WalletService
    let random: any RandomSource

    /// Returns the guide. The first call creates the actor's reference.
    /// - Throws: `AppError`: `invalid` at `phone` without a phone number; `forbidden` for a child.
    package func guide(for actor: Actor) async throws -> PaymentGuide {
        let person = actor.person
        let wallet = try await wallets.wallet(of: actor)
        if let guide = try await database.read({ tx in try stored(of: person, wallet, in: tx) }) { return guide }
        for _ in 0..<Limits.paymentReferenceAttempts {
            let reference = PaymentReference.make(random: random)
            let guide = try await database.write { tx in
                try PaymentReferenceStore.insert(reference, of: person, in: tx)
                return try stored(of: person, wallet, in: tx)
            }
            if let guide { return guide }
        }
        throw AppError(.unavailable, .referenceUnavailable)
    }

    private func stored(of person: PersonID, _ wallet: Wallet, in tx: Transaction) throws -> PaymentGuide? {
        guard let reference = try PaymentReferenceStore.reference(of: person, in: tx) else { return nil }
        return PaymentGuide(
            instructions: try PaymentInstructionsStore.instructions(in: tx),
            reference: PaymentReference.written(reference), wallet: wallet,
            requests: try PayoutRequestStore.latest(of: person, limit: Limits.payoutRequestsShown, in: tx))
    }
}
