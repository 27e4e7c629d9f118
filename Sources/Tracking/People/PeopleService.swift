package import Accounts
package import Kernel
import Storage

/// `/tracking/people`: the people who share their position with a person. Each view is stored for them.
package struct PeopleService: Sendable {
    let database: Database
    let households: any HouseholdPeopleReader
    let clock: any WallClock
    let notifier = PositionShareNotifier()

    /// Returns the people who share their position with the actor, and those whom the actor can ask.
    package func list(for actor: Actor) async throws -> SharedPeople {
        let now = clock.now
        let viewer = actor.person
        let (people, others) = try await database.read { [households] tx in
            let household =
                try households.adults(with: viewer, in: tx) + households.children(of: viewer, in: tx)
            let members = Set(household.map(\.id))
            let shares = try PositionShareStore.shares(with: viewer, now: now, in: tx)
                .filter { members.contains($0.person) }
            let sharing = Set(shares.map(\.person))
            let since = now.adding(seconds: -Limits.positionRequestSeconds)
            let asked = try PositionRequestStore.asked(by: viewer, since: since, in: tx)
            return (
                try Self.people(shares, for: actor, now: now, in: tx),
                household.filter { !sharing.contains($0.id) }
                    .map { SharedPeople.Other(person: $0, askedAt: asked[$0.id]) }
            )
        }
        try await record(people, now: now)
        return SharedPeople(people: people, others: others)
    }

    /// Returns one person who shares their position with the actor, and the actor's rules about that person.
    /// - Parameter showsPosition: Whether the actor sees the position, so that the view is stored.
    /// - Throws: `AppError.notFound`.
    package func person(
        _ id: PersonID, for actor: Actor, showsPosition: Bool = true
    ) async throws -> (person: SharedPerson, rules: [PersonRule], places: [SafePlace]) {
        let now = clock.now
        let found = try await database.read { [households] tx in
            guard let share = try Self.share(of: id, with: actor.person, households, now: now, in: tx),
                let person = try Self.people([share], for: actor, now: now, in: tx).first
            else { throw AppError.notFound }
            return (
                person: person, rules: try PersonRuleStore.list(about: id, owner: actor.person, in: tx),
                places: try SafePlaceStore.page(
                    of: actor.person, after: nil, limit: Limits.safePlacesPerAccount, in: tx)
            )
        }
        if showsPosition { try await record([found.person], now: now) }
        return found
    }

    /// Whether a person of the household shares their position with the actor. This is no view.
    package func isShared(by person: PersonID, with actor: Actor) async throws -> Bool {
        let now = clock.now
        return try await database.read { [households] tx in
            try Self.share(of: person, with: actor.person, households, now: now, in: tx) != nil
        }
    }

    /// Asks a person of the household to share their position. Nothing happens when the actor asked recently, or sees
    /// it already.
    /// - Throws: `AppError.notFound` for a person of another household.
    package func ask(_ person: PersonID, by change: Change) async throws {
        let now = clock.now
        let asker = change.actor.person
        _ = try await database.write { [households, notifier] tx in
            try tx.once(change.idempotency, status: 204, now: now, resource: person.description) {
                let household =
                    try households.adults(with: asker, in: tx) + households.children(of: asker, in: tx)
                guard household.contains(where: { $0.id == person }) else { throw AppError.notFound }
                guard try PositionShareStore.share(of: person, with: asker, now: now, in: tx) == nil,
                    try PositionRequestStore.insert(from: asker, to: person, now: now, in: tx)
                else { return }
                try notifier.notify(person, .asked, who: asker, now: now, in: tx)
                try tx.publish(TrackingEvents.sharing(of: person, now: now))
                try tx.publish(TrackingEvents.position(of: person, to: asker, now: now))
            }
        }
    }

    /// What a person shares with a viewer of the same household; `nil` for nothing.
    static func share(
        of person: PersonID, with viewer: PersonID, _ households: any HouseholdPeopleReader, now: Instant,
        in tx: Transaction
    ) throws -> PositionShare? {
        guard let share = try PositionShareStore.share(of: person, with: viewer, now: now, in: tx) else { return nil }
        // The end of a membership ends the sharing. This holds even if it didn't.
        let household = try households.adults(with: viewer, in: tx) + households.children(of: viewer, in: tx)
        return household.contains { $0.id == person } ? share : nil
    }

    private static func people(
        _ shares: [PositionShare], for actor: Actor, now: Instant, in tx: Transaction
    ) throws -> [SharedPerson] {
        guard !shares.isEmpty else { return [] }
        let names = try PlaceNames.all(for: actor, in: tx)
        return try shares.map { share in
            let position = try PositionShareStore.position(of: share, now: now, in: tx)
            return SharedPerson(
                share: share, name: try FirstName.of(share.person, in: tx), position: position,
                place: position.map { names.description(of: $0.coordinate) })
        }
    }

    /// Stores that the viewer saw the positions, before the response.
    private func record(_ people: [SharedPerson], now: Instant) async throws {
        let shares = people.filter { $0.position != nil }.map(\.share)
        guard let viewer = shares.first?.viewer else { return }
        let since = now.adding(seconds: -Limits.viewMergeSeconds)
        let latest = try await database.read { tx in try PositionViewStore.latest(by: viewer, since: since, in: tx) }
        let unrecorded = shares.filter { latest[$0.person] == nil }
        guard !unrecorded.isEmpty else { return }
        try await database.write { tx in
            for share in unrecorded where try PositionViewStore.insert(share, at: now, in: tx) {
                try tx.publish(TrackingEvents.sharing(of: share.person, now: now))
            }
        }
    }
}

/// The first names of people.
enum FirstName {
    /// The first word of a person's name; empty for a deleted account.
    static func of(_ person: PersonID, in tx: Transaction) throws -> String {
        let name = try ItemMemberStore.name(of: person, in: tx)
        return name.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? name
    }
}
