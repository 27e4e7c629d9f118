package import Accounts
package import Kernel
import Storage

/// Invitations with which other parents join a household.
package struct InvitationService: Sendable {
    let transactions: HouseholdTransactions
    let accounts: AccountReader
    let proofs: ProofService
    let siteURL: String
    let clock: any WallClock
    let random: any RandomSource

    /// Creates an invitation for another parent. It can be used once, within ``Limits/invitationSeconds``. Creating it
    /// requires a proof (``SensitiveAct/inviteParent``).
    /// - Parameter password: the proof; `nil` if a proof was stored before.
    /// - Throws: `AppError`: `invalid` at `password`; `throttled` after too many wrong passwords; `forbidden` for a
    ///   child.
    package func create(password: String? = nil, by change: Change) async throws -> Invitation {
        let now = clock.now
        let code = Token.make(byteCount: Limits.familyCodeBytes, random: random)
        let id = ID<Invitation>(at: now, random: random)
        let invitation = Invitation(
            id: id, code: code, url: "\(siteURL)/family/invitations/\(code)",
            expiresAt: now.adding(seconds: Limits.invitationSeconds)
        )
        // The response is a secret that isn't stored, so it can't be replayed.
        return try await transactions.writeWithProof(by: change.actor, password: password) {
            tx, householdActor, evidence in
            try householdActor.require(.invite)
            try change.charge(now: now, in: tx)
            try proofs.require(.inviteParent, of: change.actor, with: evidence, now: now, in: tx)
            let stored = StoredInvitation(id: id, household: householdActor.household, invitedBy: householdActor.person)
            try InvitationStore.insert(stored, hash: Token.hash(code), expiresAt: invitation.expiresAt, in: tx)
            try InvitationStore.deleteBeyond(Limits.openInvitations, of: householdActor.household, in: tx)
            try FamilyEvents.publish(
                "parent", FamilyEvents.parents, of: householdActor.household, to: .parents, now: now, in: tx)
            return invitation
        }
    }

    /// Returns the household's unused invitations, newest first: at most ``Limits/openInvitations``.
    /// - Throws: `AppError.forbidden` for a child.
    package func list(for actor: Actor) async throws -> [OpenInvitation] {
        let now = clock.now
        return try await transactions.read(for: actor) { tx, householdActor in
            try open(for: householdActor, now: now, in: tx)
        }
    }

    /// Returns the data of the invitations' page.
    /// - Throws: `AppError.forbidden` for a child.
    package func details(for actor: Actor) async throws -> InvitationDetails {
        let now = clock.now
        return try await transactions.read(for: actor) { tx, householdActor in
            InvitationDetails(
                open: try open(for: householdActor, now: now, in: tx),
                proof: try proofs.state(of: actor, for: .inviteParent, now: now, in: tx))
        }
    }

    private func open(for householdActor: HouseholdActor, now: Instant, in tx: Transaction) throws -> [OpenInvitation] {
        try householdActor.require(.seeInvitations)
        let open = try InvitationStore.open(of: householdActor.household, now: now, in: tx)
        let names = try accounts.accounts(open.map(\.by), in: tx)
        return open.map { invitation in
            OpenInvitation(
                id: invitation.id, by: invitation.by, byName: names[invitation.by]?.name ?? "",
                expiresAt: invitation.expiresAt)
        }
    }

    /// Revokes an invitation.
    /// - Throws: `AppError`: `notFound`, also if it was used, revoked or is expired; `forbidden` for a child.
    package func revoke(_ id: ID<Invitation>, by change: Change) async throws {
        let now = clock.now
        try await transactions.write(by: change.actor) { tx, householdActor in
            _ = try tx.once(change.idempotency, status: 204, now: now, resource: id.description) {
                try householdActor.require(.revokeInvitation)
                let open = try InvitationStore.open(of: householdActor.household, now: now, in: tx)
                guard open.contains(where: { $0.id == id }) else { throw AppError.notFound }
                try InvitationStore.delete(id, in: tx)
                try FamilyEvents.publish(
                    "parent", FamilyEvents.parents, of: householdActor.household, to: .parents, now: now, in: tx)
            }
        }
    }
}
