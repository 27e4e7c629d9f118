package import Accounts
package import Kernel
import Storage

/// Invitations with which people join the people of an item: a link that one person can use, within
/// ``Limits/itemInvitationSeconds``.
package struct ItemInvitationService: Sendable {
    let database: Database
    let members: ItemMemberService
    let siteURL: String
    let clock: any WallClock
    let random: any RandomSource

    private static let throttle = Throttle(
        scope: "item-invitation", limit: Limits.wrongItemInvitations, windowSeconds: Limits.throttleSeconds)

    /// Creates an invitation. The link is a secret that isn't stored, so a repeated request creates another one.
    /// - Parameter proof: required to let a person manage the item (``SensitiveAct/letManageItem``).
    /// - Throws: `AppError`: `notFound`; `forbidden` without the access to give this access; `invalid` at `password`
    ///   without the proof; `unauthenticated` when the session ended; `conflict` at ``Limits/openItemInvitations``.
    package func create(
        to id: ID<Item>, _ access: ItemAccess, proof: Evidence = .stored, by change: Change
    ) async throws -> NewItemInvitation {
        let now = clock.now
        let actor = change.actor.person
        let code = Token.make(random: random)
        let invitation = ItemInvitation(
            id: ID(at: now, random: random), access: access, createdBy: actor,
            expiresAt: now.adding(seconds: Limits.itemInvitationSeconds))
        try await database.write { tx in
            let item = try ItemStore.lock(id, of: actor, requires: .manage, in: tx)
            try ItemMemberService.requireGrant(access, by: actor, of: item, in: tx)
            try change.actor.lockOpenSession(in: tx)
            try ItemMemberService.requireProof(proof, toLet: access, by: change.actor, now: now, in: tx)
            try change.charge(now: now, in: tx)
            guard try ItemInvitationStore.open(of: id, now: now, in: tx).count < Limits.openItemInvitations else {
                throw AppError(.conflict, .tooManyInvitations)
            }
            try ItemInvitationStore.insert(invitation, to: id, hash: Token.hash(code), in: tx)
            try TrackingEvents.publishItem(item, now: now, in: tx)
        }
        return NewItemInvitation(invitation: invitation, url: "\(siteURL)/tracking/invitations/\(code)")
    }

    /// Revokes an invitation.
    /// - Throws: `AppError`: `notFound`, also if it was used, revoked or is expired; `forbidden` without the access to
    ///   share the item.
    package func revoke(_ invitation: ID<ItemInvitation>, to id: ID<Item>, by change: Change) async throws {
        let now = clock.now
        let actor = change.actor.person
        _ = try await database.write { tx in
            try tx.once(change.idempotency, status: 204, now: now, resource: invitation.description) {
                let item = try ItemStore.lock(id, of: actor, requires: .manage, in: tx)
                let open = try ItemInvitationStore.open(of: id, now: now, in: tx)
                guard let found = open.first(where: { $0.id == invitation }) else { throw AppError.notFound }
                try ItemMemberService.requireGrant(found.access, by: actor, of: item, in: tx)
                try ItemInvitationStore.delete(invitation, in: tx)
                try TrackingEvents.publishItem(item, now: now, in: tx)
            }
        }
    }

    /// Returns what the invited person sees. Requires no session, and doesn't use the invitation up.
    /// - Parameter clientAddress: The address after trusted proxies; wrong links are counted for it.
    /// - Throws: `AppError`: `notFound` for an invalid link; `throttled`.
    package func preview(ofCode code: String, clientAddress: String) async throws -> ItemInvitationPreview {
        let now = clock.now
        return try await verifying(code, from: clientAddress, now: now) { hash, tx in
            guard let (invitation, id) = try ItemInvitationStore.find(hash: hash, now: now, in: tx),
                let item = try ItemStore.served(id, in: tx)
            else { return nil }
            return ItemInvitationPreview(
                itemName: item.name, inviterName: try ItemMemberStore.name(of: invitation.createdBy, in: tx),
                access: invitation.access)
        }
    }

    /// Adds the actor to the people of the invitation's item.
    /// - Throws: `AppError`: `notFound` for an invalid link; `throttled`; `conflict` when the actor can see the item
    ///   already, or at a limit.
    package func accept(_ code: String, clientAddress: String, by change: Change) async throws -> ID<Item> {
        let now = clock.now
        let actor = change.actor.person
        return try await verifying(code, from: clientAddress, now: now) { [members] hash, tx in
            if let earlier = try change.idempotency.flatMap({ try tx.earlier($0) }) {
                return ID<Item>(earlier)
            }
            guard let (_, id) = try ItemInvitationStore.find(hash: hash, now: now, in: tx) else { return nil }
            // Another request may use the invitation until the item is locked.
            guard let item = try? ItemStore.lockServed(id, in: tx),
                let (invitation, _) = try ItemInvitationStore.find(hash: hash, now: now, in: tx)
            else { return nil }
            _ = try tx.once(change.idempotency, status: 201, now: now, resource: id.description) {
                try members.join(
                    actor, item, invitation.access, invitedBy: actor, now: now, in: tx)
                try ItemInvitationStore.delete(invitation.id, in: tx)
            }
            return id
        }
    }

    /// Runs `body` for a code in a transaction. It returns `nil` for a wrong code, which is counted for the address.
    private func verifying<T: Sendable>(
        _ code: String, from clientAddress: String, now: Instant,
        _ body: @escaping @Sendable ([UInt8], Transaction) throws -> T?
    ) async throws -> T {
        let address = ClientNetwork.key(clientAddress)
        let found = try await database.write { tx -> T? in
            try Self.throttle.check(address, now: now, in: tx)
            if let hash = Token.hash(shown: code), let found = try body(hash, tx) { return found }
            try Self.throttle.fail(address, now: now, in: tx)
            return nil
        }
        guard let found else { throw AppError(.notFound, .invitationUnknown) }
        return found
    }
}
