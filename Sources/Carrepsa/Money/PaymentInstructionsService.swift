package import Accounts
import Kernel
import Storage

/// `/admin/payment-instructions`: what people read about payments on this server.
package struct PaymentInstructionsService: Sendable {
    let database: Database
    let acts: AdministratorActs
    let clock: any WallClock

    /// - Throws: `AppError` `forbidden` unless the actor is an administrator.
    package func instructions(for actor: Actor) async throws -> (instructions: PaymentInstructions, isProven: Bool) {
        let now = clock.now
        return try await database.read { tx in
            try acts.require(actor, in: tx)
            return (
                try PaymentInstructionsStore.instructions(in: tx), try acts.isProven(actor, now: now, in: tx)
            )
        }
    }

    /// Changes the instructions. A wrong account would lead people's money astray, so it needs a proof.
    /// - Throws: `AppError` `forbidden` unless the actor is an administrator; `invalid` without a proof, and for each
    ///   invalid field; `conflict` when the version in the request is stale.
    package func change(_ input: PaymentInstructionsInput, by change: Change) async throws -> PaymentInstructions {
        let now = clock.now
        return try await database.write { tx in
            try acts.require(change.actor, in: tx)
            _ = try tx.once(change.idempotency, status: 200, now: now, resource: "payment-instructions") {
                try acts.requireProof(of: change.actor, now: now, in: tx)
                let before = try PaymentInstructionsStore.instructions(in: tx)
                if change.isStale(at: before.version) { throw AppError(.conflict, .instructionsMovedOn) }
                let after = try input.validated(version: before.version + 1)
                guard try PaymentInstructionsStore.set(after, now: now, in: tx) else {
                    throw AppError(.conflict, .instructionsMovedOn)
                }
                try acts.record(
                    .changePaymentInstructions, detail: after.bankAccount?.iban.grouped, by: change.actor, now: now,
                    in: tx)
            }
            return try PaymentInstructionsStore.instructions(in: tx)
        }
    }
}
