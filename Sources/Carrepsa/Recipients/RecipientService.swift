package import Accounts
package import Kernel
import Storage

/// `/carrepsa/packages/{id}/recipient`: who receives a package, as its owner and its carrier see it.
package struct RecipientService: Sendable {
    let database: Database
    let memberships: MembershipService
    let details: PackageDetailsReader
    let link: RecipientLink
    let notifier: RecipientNotifier
    let clock: any WallClock
    let random: any RandomSource

    /// Whether recipients get mails.
    package var sendsMail: Bool { notifier.mails.isEnabled }

    /// Returns the recipient.
    /// - Throws: `AppError`: `notFound` unless the actor is the owner or the carrier.
    package func recipient(of id: ID<Package>, for actor: Actor) async throws -> RecipientDetails {
        try await memberships.ensureWallet(of: actor)
        let now = clock.now
        return try await database.read { tx in
            guard let named = try PackageList.find(id, in: tx) else { throw AppError.notFound }
            return try found(named, for: actor.person, now: now, in: tx)
        }
    }

    /// Enters or changes the recipient. The first time creates the link to their page.
    /// - Throws: `AppError`: `notFound`; `forbidden` unless the actor is the owner; `conflict` after the end of the
    ///   delivery or for a stale version; `invalid` at `name`, `contact` and `address`.
    package func set(_ input: RecipientInput, of id: ID<Package>, by change: Change) async throws -> RecipientDetails {
        let new = try input.validated()
        let secret = try link.make(random: random)
        return try await write(id, by: change) { package, linked, now, tx in
            let isSamePerson = linked?.recipient.email == new.email && linked?.recipient.phone == new.phone
            guard isSamePerson, linked?.hash != nil else {
                // Another contact may be another person, who must not get the former's page.
                try RecipientStore.set(
                    new, of: id, isSamePerson: isSamePerson, hash: secret.hash, sealed: secret.sealed, now: now,
                    in: tx)
                var present = package
                present.hasRecipient = true
                try notifier.send(.invited, present, by: change.actor.person, now: now, in: tx)
                return
            }
            try RecipientStore.update(new, of: id, now: now, in: tx)
        }
    }

    /// Replaces the link to the recipient's page. The former link and its delivery code end.
    /// - Throws: the errors of ``set(_:of:by:)``; `conflict` without a recipient.
    package func renewLink(of id: ID<Package>, by change: Change) async throws -> RecipientDetails {
        let secret = try link.make(random: random)
        return try await write(id, by: change) { package, linked, now, tx in
            guard linked != nil else { throw AppError(.conflict, .noRecipient) }
            try RecipientStore.setLink(hash: secret.hash, sealed: secret.sealed, of: id, now: now, in: tx)
            try notifier.send(.invited, package, by: change.actor.person, now: now, in: tx)
        }
    }

    /// Closes the recipient's page.
    /// - Throws: the errors of ``renewLink(of:by:)``.
    package func revokeLink(of id: ID<Package>, by change: Change) async throws -> RecipientDetails {
        try await write(id, by: change) { _, linked, now, tx in
            guard linked != nil else { throw AppError(.conflict, .noRecipient) }
            try RecipientStore.setLink(hash: nil, sealed: nil, of: id, now: now, in: tx)
        }
    }

    /// Removes the recipient with their page.
    /// - Throws: the errors of ``set(_:of:by:)``.
    package func remove(of id: ID<Package>, by change: Change) async throws {
        _ = try await write(id, by: change) { _, linked, _, tx in
            guard linked != nil else { throw AppError.notFound }
            try RecipientStore.delete(of: id, in: tx)
        }
    }

    /// Says when and where to meet the recipient.
    /// - Throws: `AppError`: `notFound` unless the actor is the owner or the carrier; `conflict` without a recipient or
    ///   after the end of the delivery; `invalid` at `meeting`.
    package func setMeeting(
        _ typed: String?, of id: ID<Package>, by change: Change
    ) async throws -> RecipientDetails {
        let text = try RecipientText.validated(typed, "meeting")
        return try await write(id, roles: [.owner, .carrier], by: change) { _, linked, now, tx in
            guard linked != nil else { throw AppError(.conflict, .noRecipient) }
            try RecipientStore.setMeeting(text, of: id, now: now, in: tx)
        }
    }

    private func write(
        _ id: ID<Package>, roles: [PackageRole] = [.owner], by change: Change,
        _ body: @escaping @Sendable (StoredPackage, RecipientStore.Linked?, Instant, Transaction) throws -> Void
    ) async throws -> RecipientDetails {
        let now = clock.now
        let person = change.actor.person
        return try await database.write { tx in
            _ = try tx.once(change.idempotency, status: 200, now: now, resource: id.description) {
                guard let package = try PackageStore.lock(id, in: tx) else { throw AppError.notFound }
                let role = package.role(of: person)
                guard package.withdrawnAt == nil, role == .owner || role == .carrier else { throw AppError.notFound }
                guard roles.contains(role) else { throw AppError(.forbidden, .roleMayNot) }
                guard !package.state.isFinished else { throw AppError(.conflict, .deliveryEnded) }
                let linked = try RecipientStore.linked(of: id, in: tx)
                if change.isStale(at: linked?.recipient.version ?? 0) { throw AppError(.conflict, .recipientMovedOn) }
                try body(package, linked, now, tx)
                try tx.publish(
                    [package.owner, package.carrier].compactMap { $0 }
                        .map { CarrepsaEvents.package(package, to: $0, now: now) })
            }
            guard let named = try PackageList.find(id, in: tx) else { throw AppError.notFound }
            return try found(named, for: person, now: now, in: tx)
        }
    }

    private func found(
        _ named: NamedPackage, for person: PersonID, now: Instant, in tx: Transaction
    ) throws -> RecipientDetails {
        let role = named.stored.role(of: person)
        guard named.stored.withdrawnAt == nil, role == .owner || role == .carrier else { throw AppError.notFound }
        let linked = try RecipientStore.linked(of: named.stored.id, in: tx)
        let isOpen = linked.map { $0.recipient.endsAt.map { now < $0 } ?? true } ?? false
        // A carrier of a package without a recipient has no such page.
        guard role == .owner || isOpen else { throw AppError.notFound }
        return RecipientDetails(
            package: try details.package(named, in: tx), role: role, recipient: isOpen ? linked?.recipient : nil,
            secret: isOpen && role == .owner ? try linked?.sealedSecret.map(link.open) : nil,
            isRefused: named.stored.refusedAt != nil)
    }
}
