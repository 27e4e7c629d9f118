package import Accounts
package import Kernel
import Storage

/// `…/people`: the people who can see an item.
package struct ItemMemberService: Sendable {
    let database: Database
    let households: any HouseholdPeopleReader
    let ender: ItemMembershipEnder
    let clock: any WallClock
    let notifier = ItemSharingNotifier()

    /// Returns the people of an item, with the actor's own settings and what the actor may do.
    /// - Throws: `AppError.notFound`.
    package func people(of id: ID<Item>, for actor: Actor) async throws -> ItemPeople {
        let now = clock.now
        return try await database.read { [households] tx in
            guard let item = try ItemStore.item(id, of: actor.person, in: tx) else { throw AppError.notFound }
            let membership = try Self.membership(of: actor.person, in: item, in: tx)
            let owner = ItemPerson(
                id: item.owner, name: try ItemMemberStore.name(of: item.owner, in: tx), access: .own,
                since: item.createdAt)
            let people = [owner] + (try ItemMemberStore.list(of: id, in: tx))
            let canShare = membership.access >= .manage
            let known = Set(people.map(\.id))
            return ItemPeople(
                item: item, access: membership.access, people: people,
                invitations: canShare ? try ItemInvitationStore.open(of: id, now: now, in: tx) : [],
                candidates: canShare
                    ? try households.adults(with: actor.person, in: tx).filter { !known.contains($0.id) } : [],
                membership: membership)
        }
    }

    /// Shares an item with a person of the actor's household.
    /// - Parameter proof: required to let the person manage the item (``SensitiveAct/letManageItem``).
    /// - Throws: `AppError`: `notFound`; `forbidden` without the access to give this access; `invalid` at `personId`
    ///   for a person of another household, or at `password` without the proof; `conflict` when the person can see it
    ///   already, or at a limit.
    package func share(
        _ id: ID<Item>, with person: PersonID, _ access: ItemAccess, proof: Evidence = .stored, by change: Change
    ) async throws {
        let now = clock.now
        let actor = change.actor.person
        _ = try await database.write { [households] tx in
            try tx.once(change.idempotency, status: 201, now: now, resource: person.description) {
                let item = try ItemStore.lock(id, of: actor, requires: .manage, in: tx)
                try Self.requireGrant(access, by: actor, of: item, in: tx)
                guard try households.adults(with: actor, in: tx).contains(where: { $0.id == person }) else {
                    throw AppError(.invalid, .notInHousehold, field: "personId")
                }
                try Self.requireProof(proof, toLet: access, by: change.actor, now: now, in: tx)
                try join(person, item, access, invitedBy: actor, now: now, in: tx)
                try notifier.notify(person, .shared, of: item, who: actor, access: access, now: now, in: tx)
            }
        }
    }

    /// Adds a person to the people of an item, and notifies those who manage it.
    /// - Throws: `AppError.conflict` when the person can see it already, or at a limit.
    func join(
        _ person: PersonID, _ item: Item, _ access: ItemAccess, invitedBy: PersonID, now: Instant,
        in tx: Transaction
    ) throws {
        let present = try ItemMemberStore.access(of: person, to: item.id, in: tx)
        guard person != item.owner, present == nil else { throw AppError(.conflict, .alreadyShared) }
        guard try ItemMemberStore.count(of: item.id, in: tx) < Limits.peoplePerItem else {
            throw AppError(.conflict, .tooManyPeople)
        }
        guard try ItemMemberStore.count(sharedWith: person, in: tx) < Limits.sharedItemsPerAccount else {
            throw AppError(.conflict, .tooManyShared)
        }
        try ItemMemberStore.insert(person, access, to: item.id, now: now, in: tx)
        try notifier.notifyManagers(
            .joined, of: item, who: person, except: person == invitedBy ? person : invitedBy, now: now, in: tx)
        try TrackingEvents.publishItem(item, now: now, in: tx)
    }

    /// Changes what a person may do with an item.
    /// - Parameter proof: required to let the person manage the item (``SensitiveAct/letManageItem``).
    /// - Throws: `AppError`: `notFound` for a person who can't see it; `forbidden` without the access to change it;
    ///   `invalid` at `password` without the proof.
    package func setAccess(
        _ access: ItemAccess, of person: PersonID, to id: ID<Item>, proof: Evidence = .stored, by change: Change
    ) async throws {
        let now = clock.now
        let actor = change.actor.person
        _ = try await database.write { [ender] tx in
            try tx.once(change.idempotency, status: 204, now: now, resource: person.description) {
                let item = try ItemStore.lock(id, of: actor, requires: .manage, in: tx)
                guard let present = try ItemMemberStore.access(of: person, to: id, in: tx) else {
                    throw AppError.notFound
                }
                try Self.requireGrant(max(access, present), by: actor, of: item, in: tx)
                guard access != present else { return }
                try Self.requireProof(proof, toLet: access, by: change.actor, now: now, in: tx)
                try ItemMemberStore.setAccess(access, of: person, to: id, in: tx)
                // A person without the access to share the item must not have open invitations or links to it.
                if access < .manage {
                    try ItemInvitationStore.deleteAll(by: person, of: id, in: tx)
                    try ender.endLinks(of: person, to: id, now: now, in: tx)
                }
                try notifier.notify(person, .changed, of: item, who: actor, access: access, now: now, in: tx)
                try TrackingEvents.publishItem(item, now: now, in: tx)
            }
        }
    }

    /// Removes a person from the people of an item; the actor can leave an item of another person.
    /// - Throws: `AppError`: `notFound` for a person who can't see it; `forbidden` without the access to remove the
    ///   person.
    package func remove(_ person: PersonID, from id: ID<Item>, by change: Change) async throws {
        let now = clock.now
        let actor = change.actor.person
        _ = try await database.write { [ender] tx in
            try tx.once(change.idempotency, status: 204, now: now, resource: person.description) {
                let item = try ItemStore.lock(id, of: actor, requires: person == actor ? .see : .manage, in: tx)
                guard let present = try ItemMemberStore.access(of: person, to: id, in: tx) else {
                    throw AppError.notFound
                }
                if person != actor { try Self.requireGrant(present, by: actor, of: item, in: tx) }
                try ender.end(person, of: item, by: actor, now: now, in: tx)
            }
        }
    }

    // MARK: Own settings

    /// Changes the actor's own settings of an item.
    /// - Throws: `AppError`: `notFound`; `invalid` at `name` and `alertMetres`, also for the owner, whose name and
    ///   distance are the item's; `conflict` when the version in the request is stale.
    package func updateMembership(
        of id: ID<Item>, _ patch: ItemMembershipPatch, by change: Change
    ) async throws -> ItemMembership {
        let now = clock.now
        let actor = change.actor.person
        return try await database.write { tx in
            _ = try tx.once(change.idempotency, status: 200, now: now, resource: id.description) {
                let item = try ItemStore.lock(id, of: actor, requires: .see, in: tx)
                let present = try Self.membership(of: actor, in: item, in: tx)
                if present.access != .own, change.isStale(at: present.version) { throw AppError(.conflict, .movedOn) }
                let changed = try present.applying(patch)
                guard changed != present else { return }
                if present.access == .own {
                    try ItemMemberStore.setMutedByOwner(changed.isMuted, id, in: tx)
                } else {
                    try ItemMemberStore.update(changed, of: actor, in: id, in: tx)
                }
                try tx.publish(TrackingEvents.item(item, to: actor, now: now))
            }
            guard let item = try ItemStore.item(id, of: actor, in: tx) else { throw AppError.notFound }
            return try Self.membership(of: actor, in: item, in: tx)
        }
    }

    private static func membership(of person: PersonID, in item: Item, in tx: Transaction) throws -> ItemMembership {
        if item.owner == person {
            return ItemMembership(
                access: .own, name: nil, alertMetres: nil,
                isMuted: try ItemMemberStore.isMutedByOwner(item.id, in: tx), version: item.version)
        }
        guard let membership = try ItemMemberStore.membership(of: person, in: item.id, in: tx) else {
            throw AppError.notFound
        }
        return membership
    }

    /// Requires a proof to let a person manage an item. People of the household need none: each of them joined it by an
    /// invitation with a proof.
    /// - Throws: `AppError.invalid` at `password`.
    static func requireProof(
        _ proof: Evidence, toLet access: ItemAccess, by actor: Actor, now: Instant, in tx: Transaction
    ) throws {
        guard access >= .manage else { return }
        try SensitiveAct.letManageItem.requireProof(of: actor, with: proof, now: now, in: tx)
    }

    /// - Throws: `AppError.forbidden` when the actor may not give or take this access.
    static func requireGrant(
        _ access: ItemAccess, by actor: PersonID, of item: Item, in tx: Transaction
    ) throws {
        let own = try ItemStore.access(of: actor, to: item.id, owner: item.owner, in: tx)
        guard let own, own.canGrant(access) else { throw AppError(.forbidden, .ownerOnly) }
    }
}

extension ItemMembership {
    /// Returns the settings with a change; the version grows by one when a value differs.
    /// - Throws: `AppError.invalid` at `name` and `alertMetres`.
    fileprivate func applying(_ patch: ItemMembershipPatch) throws -> ItemMembership {
        var problems = FieldErrors<TrackingErrorMessage>()
        var name = name
        var alertMetres = alertMetres
        switch patch.name {
        case .unchanged: break
        case .clear: name = nil
        case .set(let typed): name = problems.name(typed) ?? name
        }
        switch patch.alertMetres {
        case .unchanged: break
        case .clear: alertMetres = nil
        case .set(let metres) where SettingsRule.lostMetres.contains(metres): alertMetres = metres
        case .set: problems.refuse("alertMetres", .metresOutOfRange)
        }
        if access == .own {
            if name != self.name { problems.refuse("name", .ownerEditsItem) }
            if alertMetres != self.alertMetres { problems.refuse("alertMetres", .ownerEditsItem) }
        }
        try problems.finish()
        let isMuted = if case .set(let muted) = patch.isMuted { muted } else { self.isMuted }
        let isSame = name == self.name && alertMetres == self.alertMetres && isMuted == self.isMuted
        return ItemMembership(
            access: access, name: name, alertMetres: alertMetres, isMuted: isMuted,
            version: isSame ? version : version + 1)
    }
}
