package import Accounts
package import Kernel
import Storage

/// `/my-position`: with whom a person shares their own position. Adults and children use it; only the person turns it
/// on.
package struct PositionShareService: Sendable {
    let database: Database
    let households: any HouseholdPeopleReader
    let ender: PositionShareEnder
    let positions: PhonePositionService
    let clock: any WallClock

    private var notifier: PositionShareNotifier { ender.notifier }

    /// Returns everything about the sharing of the actor's position.
    package func overview(for actor: Actor) async throws -> PositionSharingOverview {
        let now = clock.now
        let person = actor.person
        return try await database.read { [households] tx in
            let items = try actor.role == .child ? [] : PositionShareItems.list(of: person, in: tx)
            let entries = try PositionShareStore.shares(of: person, now: now, in: tx).map { share in
                PositionSharingOverview.Entry(
                    share: share, viewerName: try ItemMemberStore.name(of: share.viewer, in: tx),
                    itemName: try share.item.flatMap { try ItemStore.item($0, of: person, in: tx)?.name })
            }
            return PositionSharingOverview(
                entries: entries, candidates: try households.adults(with: person, in: tx),
                views: try PositionViewStore.list(of: person, limit: Limits.viewsShown, in: tx),
                requests: try PositionRequestStore.open(of: person, in: tx),
                rules: try PersonRuleStore.list(about: person, in: tx).map { rule in
                    PositionSharingOverview.Rule(
                        rule: rule, ownerName: try ItemMemberStore.name(of: rule.owner, in: tx))
                },
                items: items)
        }
    }

    /// Shares the actor's position with people of the household, from now on. A sharing with the same person is
    /// replaced; its rules remain.
    /// - Throws: `AppError`: `invalid` at `personIds`, `duration` and `itemId`; `conflict` at `Limits.positionViewers`,
    ///   and when a chosen person's account was deleted at the same time.
    package func share(_ input: PositionShareInput, by change: Change) async throws {
        let now = clock.now
        let actor = change.actor
        let person = actor.person
        let isChild = actor.role == .child
        guard PositionShareDuration.offered(toChild: isChild).contains(input.duration) else {
            throw AppError(.invalid, .sharingTooLong, field: "duration")
        }
        let chosen = Set(input.viewers.compactMap { PersonID($0) })
        guard !chosen.isEmpty, chosen.count == Set(input.viewers).count else {
            throw AppError(.invalid, .viewersMissing, field: "personIds")
        }
        do {
            _ = try await database.write { tx in
                try tx.once(change.idempotency, status: 201, now: now, resource: person.description) {
                    try share(input, with: chosen, of: person, isChild: isChild, now: now, in: tx)
                }
            }
        } catch StorageError.foreignKeyViolation {
            throw AppError(.conflict, .movedOn)
        }
    }

    private func share(
        _ input: PositionShareInput, with chosen: Set<PersonID>, of person: PersonID, isChild: Bool, now: Instant,
        in tx: Transaction
    ) throws {
        // The lock order of departures and deletions: household, item, account, last positions.
        try households.lock(householdOf: person, in: tx)
        let adults = Set(try households.adults(with: person, in: tx).map(\.id))
        guard chosen.isSubset(of: adults) else {
            throw AppError(.invalid, .notInHousehold, field: "personIds")
        }
        if let item = input.item {
            guard !isChild, try PositionShareItems.lock(item, of: person, in: tx) else {
                throw AppError(.invalid, .itemNotOwned, field: "itemId")
            }
        }
        try ender.state.lock(person, in: tx)
        let overdue = try PositionShareStore.overdue(of: person, now: now, in: tx)
        let before = try PositionShareStore.shares(of: person, now: now, in: tx)
        guard chosen.union(before.map(\.viewer)).count <= Limits.positionViewers else {
            throw AppError(.conflict, .tooManyViewersOfPerson)
        }
        let items = Set((overdue + before).compactMap(\.item) + [input.item].compactMap(\.self)).sorted()
        for item in items { _ = try HealthStore.lockLastPosition(of: item, in: tx) }
        // A sharing whose time is over must not start again with its rules.
        try ender.end(overdue, of: person, as: .expired, now: now, in: tx)
        let zone = try timeZone(of: person, isChild: isChild, given: input.timeZone, in: tx)
        let end = input.duration.end(now: now, calendar: DayCalendar(zone), isChild: isChild)
        for viewer in chosen.sorted() {
            let earlier = before.first { $0.viewer == viewer }
            let isSameSource = earlier?.item == input.item
            // An older position would be history, also that of another source.
            let share = PositionShare(
                person: person, viewer: viewer, item: input.item,
                startedAt: isSameSource ? earlier?.startedAt ?? now : now, expiresAt: end)
            try PositionShareStore.upsert(share, in: tx)
            _ = try PositionRequestStore.close(from: viewer, to: person, in: tx)
            if earlier == nil {
                var details: [String: String] = [:]
                details["until"] = end?.rfc3339
                try notifier.notify(viewer, .shared, who: person, details: details, now: now, in: tx)
            }
            try tx.publish(TrackingEvents.position(of: person, to: viewer, now: now))
        }
        for item in items { try PositionShareStore.setFlag(of: item, in: tx) }
        try ender.refresh(person, now: now, in: tx)
    }

    /// The time zone that decides when the day ends. That of a child is the household's, because the time zone of a
    /// device can be changed on the device.
    private func timeZone(of person: PersonID, isChild: Bool, given: String?, in tx: Transaction) throws -> String? {
        let household = try households.timeZone(of: person, in: tx)
        return isChild ? household ?? given : given ?? household
    }

    /// Ends the sharing with one person. Nothing happens when it has ended.
    package func end(with viewer: PersonID, by change: Change) async throws {
        try await end(by: change, resource: viewer.description) { $0.viewer == viewer }
    }

    /// Ends the sharing with everyone.
    package func endAll(by change: Change) async throws {
        try await end(by: change, resource: "") { _ in true }
    }

    private func end(
        by change: Change, resource: String, where isChosen: @escaping @Sendable (PositionShare) -> Bool
    ) async throws {
        let now = clock.now
        let person = change.actor.person
        _ = try await database.write { [ender] tx in
            try tx.once(change.idempotency, status: 204, now: now, resource: resource) {
                try ender.state.lock(person, in: tx)
                let shares = try PositionShareStore.shares(of: person, now: now, in: tx).filter(isChosen)
                try ender.end(shares, of: person, as: .turnedOff, now: now, in: tx)
                // The account may say that the person shares their position although the rows are deleted.
                if shares.isEmpty { try ender.refresh(person, now: now, in: tx) }
            }
        }
    }

    /// Returns the names of the people who wait for an answer whether the actor shares their position.
    package func askers(of actor: Actor) async throws -> [String] {
        try await database.read { tx in try PositionRequestStore.open(of: actor.person, in: tx).map(\.name) }
    }

    /// Ends what another person shares with the actor. That person is notified.
    /// - Throws: `AppError.notFound` if the actor doesn't see that person's position.
    package func leave(_ person: PersonID, by change: Change) async throws {
        let now = clock.now
        let viewer = change.actor.person
        _ = try await database.write { [ender] tx in
            try tx.once(change.idempotency, status: 204, now: now, resource: person.description) {
                try ender.state.lock(person, in: tx)
                guard let share = try PositionShareStore.share(of: person, with: viewer, now: now, in: tx) else {
                    throw AppError.notFound
                }
                try ender.end([share], of: person, as: .leftByViewer, now: now, in: tx)
            }
        }
    }

    /// Declines a request to share the actor's position.
    /// - Throws: `AppError.notFound` if it was answered.
    package func decline(_ asker: PersonID, by change: Change) async throws {
        let now = clock.now
        let person = change.actor.person
        _ = try await database.write { [notifier] tx in
            try tx.once(change.idempotency, status: 204, now: now, resource: asker.description) {
                guard try PositionRequestStore.close(from: asker, to: person, in: tx) else { throw AppError.notFound }
                try notifier.notify(asker, .declined, who: person, now: now, in: tx)
                try tx.publish(TrackingEvents.sharing(of: person, now: now))
            }
        }
    }

    /// Ends another person's rule about the actor.
    /// - Throws: `AppError.notFound`.
    package func endRule(_ id: ID<PersonRule>, by change: Change) async throws {
        let now = clock.now
        let person = change.actor.person
        _ = try await database.write { [notifier] tx in
            try tx.once(change.idempotency, status: 204, now: now, resource: id.description) {
                guard let rule = try PersonRuleStore.one(id, in: tx), rule.person == person,
                    try PersonRuleStore.delete(id, in: tx)
                else { throw AppError.notFound }
                try notifier.notify(
                    rule.owner, .ruleEnded, who: person, key: id.description, details: ["rulePlace": rule.placeName],
                    now: now, in: tx)
                try tx.publish(TrackingEvents.position(of: person, to: rule.owner, now: now))
                try tx.publish(TrackingEvents.sharing(of: person, now: now))
            }
        }
    }

    /// Stores the position of the device that sent the request. That of a child is stored only while the child shares
    /// it.
    /// - Throws: The errors of ``PhonePositionService/report(_:by:)``; `conflict` for a child that doesn't share.
    package func report(_ position: PhonePosition, by change: Change) async throws {
        try await positions.report(position, by: change)
    }
}

/// The items that can show where their owner is: those with a position source, such as an app on the person's phone.
enum PositionShareItems {
    /// Locks an item until the end of the transaction.
    /// - Returns: Whether it is one of them.
    static func lock(_ item: ID<Item>, of person: PersonID, in tx: Transaction) throws -> Bool {
        _ = try tx.row("SELECT id FROM item WHERE id = \(item) \(sql: tx.forChange)")
        return try list(of: person, in: tx).contains { $0.id == item }
    }

    static func list(of person: PersonID, in tx: Transaction) throws -> [Item] {
        let ids = try tx.rows(
            """
            SELECT i.id FROM item i JOIN source s ON s.item_id = i.id
            WHERE i.account_id = \(person) AND i.deleted_at IS NULL ORDER BY i.name, i.id
            LIMIT \(Limits.sourcesPerAccount)
            """
        ).map { try $0.get("id", as: ID<Item>.self) }
        return try ids.compactMap { try ItemStore.item($0, of: person, in: tx) }
    }
}
