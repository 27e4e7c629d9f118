package import Accounts
package import Kernel
import Storage

/// The codes with which devices of children sign in.
package struct SignInCodeService: Sendable {
    let transactions: HouseholdTransactions
    let sessions: SessionService
    let notifier: ChildNotifier
    let siteURL: String
    let clock: any WallClock
    let random: any RandomSource

    /// Creates a code with which a child's device signs in once, within ``Limits/signInCodeSeconds``. It revokes the
    /// child's earlier codes; the newest ``Limits/signInCodesKept`` codes stay stored.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a child.
    package func create(for child: PersonID, by change: Change) async throws -> SignInCode {
        let now = clock.now
        let code = Token.make(byteCount: Limits.familyCodeBytes, random: random)
        let created = SignInCode(
            id: ID(at: now, random: random), code: code, url: "\(siteURL)/family/sign-in?code=\(code)",
            expiresAt: now.adding(seconds: Limits.signInCodeSeconds)
        )
        // The response contains a secret that isn't stored, so it can't be replayed.
        return try await transactions.write(by: change.actor) { tx, householdActor in
            try householdActor.require(.makeCode, with: child, in: tx)
            try change.charge(now: now, in: tx)
            // A password change may have ended the session and revoked the codes created in it.
            try sessions.requireOpen(of: change.actor, in: tx)
            try notifier.notifyOfCode(of: child, by: householdActor, now: now, in: tx)
            if try SignInCodeStore.close(of: child, as: .replaced, now: now, in: tx) {
                try publish(child, householdActor.household, now: now, in: tx)
            }
            try SignInCodeStore.insert(
                created.id, child: child, hash: Token.hash(code), now: now, expiresAt: created.expiresAt, in: tx)
            try SignInCodeStore.deleteBeyond(Limits.signInCodesKept, of: child, in: tx)
            return created
        }
    }

    /// Returns the state of a code, for ``Limits/signInCodeKeptSeconds`` after it expires.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a child.
    package func state(
        _ id: ID<SignInCode>, of child: PersonID, for actor: Actor
    ) async throws -> SignInCode.State {
        let now = clock.now
        return try await transactions.read(for: actor) { tx, householdActor in
            try householdActor.require(.seeCode, with: child, in: tx)
            guard let code = try SignInCodeStore.find(id, of: child, in: tx) else { throw AppError.notFound }
            return code.state(now)
        }
    }

    /// Revokes a child's open code.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a child.
    package func revoke(of child: PersonID, by change: Change) async throws {
        let now = clock.now
        try await transactions.write(by: change.actor) { tx, householdActor in
            _ = try tx.once(change.idempotency, status: 204, now: now, resource: child.description) {
                try householdActor.require(.voidCodes, with: child, in: tx)
                guard try SignInCodeStore.close(of: child, as: .revoked, now: now, in: tx) else { return }
                try publish(child, householdActor.household, now: now, in: tx)
            }
        }
    }

    private func publish(
        _ child: PersonID, _ household: ID<Household>, now: Instant, in tx: Transaction
    ) throws {
        try FamilyEvents.publish("child", FamilyEvents.child(child), of: household, to: .parents, now: now, in: tx)
    }
}
