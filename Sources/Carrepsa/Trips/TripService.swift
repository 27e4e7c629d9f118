package import Accounts
package import Kernel
import Notifications
import Storage

/// `/carrepsa/trips`: the ways that a person travels, and the offers on them.
package struct TripService: Sendable {
    let database: Database
    let memberships: MembershipService
    let deadlines: PackageDeadlines
    let details: PackageDetailsReader
    let roads: RoadDetours
    let clock: any WallClock
    let random: any RandomSource

    /// Returns the actor's trips, the newest first.
    package func list(for actor: Actor) async throws -> [Trip] {
        try await memberships.ensureWallet(of: actor)
        return try await database.read { tx in try TripStore.all(of: actor.person, in: tx) }
    }

    /// Returns a trip.
    /// - Throws: `AppError.notFound`, also for another person's trip.
    package func trip(_ id: ID<Trip>, of actor: Actor) async throws -> Trip {
        try await memberships.ensureWallet(of: actor)
        return try await database.read { tx in
            guard let trip = try TripStore.one(id, of: actor.person, in: tx) else { throw AppError.notFound }
            return trip
        }
    }

    /// Returns where the actor is likely to want a new point: the origin of their latest package, or the start of
    /// their latest trip if that is newer; `nil` if there is none.
    package func likelyPlace(of actor: Actor) async throws -> Coordinate? {
        try await database.read { tx in
            let trip = try TripStore.all(of: actor.person, in: tx).first
            guard let origin = try PackageStore.lastOrigin(of: actor.person, in: tx) else { return trip?.start }
            guard let trip, trip.createdAt > origin.at else { return origin.point }
            return trip.start
        }
    }

    /// Returns a trip with the best offers on its way, the most reward for an extra kilometre first, at most
    /// ``Limits/tripMatches``. Where a router is set up, the first ``Limits/roadMatches`` have detours by road.
    /// - Throws: `AppError.notFound`, also for another person's trip.
    package func matches(of id: ID<Trip>, for actor: Actor) async throws -> (trip: Trip, matches: [TripMatch]) {
        try await memberships.ensureWallet(of: actor)
        let (trip, found) = try await straightMatches(of: id, for: actor)
        return (trip, try await roads.measured(found, of: trip))
    }

    private func straightMatches(
        of id: ID<Trip>, for actor: Actor
    ) async throws -> (trip: Trip, matches: [TripMatch]) {
        try await deadlines.read { [details] tx, now in
            guard let trip = try TripStore.one(id, of: actor.person, in: tx) else { throw AppError.notFound }
            let found = try DetourSearch(trip: trip, now: now).best(Limits.tripMatches, in: tx)
            let packages = try details.packages(PackageList.all(found.map(\.id), in: tx), in: tx)
            let byID = Dictionary(uniqueKeysWithValues: packages.map { ($0.id, $0) })
            let matches = found.compactMap { candidate in
                byID[candidate.id].map { TripMatch(candidate, $0) }
            }
            return (trip, matches.filter { $0.package.owner.id != actor.person })
        }
    }

    /// Saves a trip. The person is notified of new offers on its way.
    /// - Throws: `AppError`: `invalid` with every invalid field; `conflict` with ``Limits/tripsPerAccount`` trips.
    package func create(_ input: TripInput, by change: Change) async throws -> Trip {
        try await memberships.ensureWallet(of: change.actor)
        let now = clock.now
        let person = change.actor.person
        let trip = Trip(try input.validated(), id: ID(at: now, random: random), person: person, now: now)
        let cells = TripStore.cells(of: trip)
        return try await database.write { tx in
            let once = try tx.once(change.idempotency, status: 201, now: now, resource: trip.id.description) {
                // Locked, so that two requests at once don't exceed the limit.
                guard try PeopleStore.locked(person, in: tx) != nil else { throw AppError.notFound }
                guard try TripStore.count(of: person, in: tx) < Limits.tripsPerAccount else {
                    throw AppError(.conflict, .tooManyTrips)
                }
                try TripStore.insert(trip, cells: cells, in: tx)
            }
            guard let id = ID<Trip>(once.resource), let trip = try TripStore.one(id, of: person, in: tx) else {
                throw AppError.notFound
            }
            return trip
        }
    }

    /// Changes a trip. The person is notified of new offers on its new way.
    /// - Throws: `AppError`: `invalid` with every invalid field; `notFound`, also for another person's trip; `conflict`
    ///   for a client that read another version.
    package func edit(_ id: ID<Trip>, _ input: TripInput, by change: Change) async throws -> Trip {
        try await memberships.ensureWallet(of: change.actor)
        let now = clock.now
        let person = change.actor.person
        let terms = try input.validated()
        // Computed before the transaction. The cells don't depend on the trip's version.
        let cells = TripStore.cells(of: Trip(terms, id: id, person: person, now: now))
        return try await database.write { tx in
            _ = try tx.once(change.idempotency, status: 200, now: now, resource: id.description) {
                // Locked, so that two changes at once don't both count as the next version.
                guard try PeopleStore.locked(person, in: tx) != nil,
                    let before = try TripStore.one(id, of: person, in: tx)
                else { throw AppError.notFound }
                guard !change.isStale(at: before.version) else { throw AppError(.conflict, .tripMovedOn) }
                try TripStore.update(before.with(terms), cells: cells, in: tx)
            }
            guard let trip = try TripStore.one(id, of: person, in: tx) else { throw AppError.notFound }
            return trip
        }
    }

    /// Deletes a trip.
    /// - Throws: `AppError.notFound`, also for another person's trip.
    package func delete(_ id: ID<Trip>, by change: Change) async throws {
        let now = clock.now
        let person = change.actor.person
        _ = try await database.write { tx in
            try tx.once(change.idempotency, status: 204, now: now, resource: id.description) {
                // Locked, so that a change at the same time finds the trip or misses it.
                guard try PeopleStore.locked(person, in: tx) != nil, try TripStore.one(id, of: person, in: tx) != nil
                else { throw AppError.notFound }
                try TripStore.delete(id, in: tx)
            }
        }
    }
}

/// Notifies people of new offers on the way of their trips. The comparison isn't part of posting, so that posting costs
/// the same however many trips are saved.
struct TripNotifier: Sendable {
    let database: Database
    let currency: Currency
    let clock: any WallClock

    func run() async throws {
        let offers = try await database.read { tx in try NewOfferStore.first(Limits.newOffersPerRun, in: tx) }
        for offer in offers {
            let now = clock.now
            try await database.write { tx in
                // Locked before the row is deleted, so that a concurrent edit adds the row again.
                let package = try PackageStore.lock(offer, in: tx)
                try NewOfferStore.delete(offer, in: tx)
                if let package { try notify(of: package, now: now, in: tx) }
            }
        }
    }

    private func notify(of package: StoredPackage, now: Instant, in tx: Transaction) throws {
        guard package.state == .available, let owner = package.owner, let origin = package.route.origin.area,
            let destination = package.route.destination.area
        else { return }
        var notified: Set<PersonID> = []
        var last: ID<Trip>?
        for _ in 0..<Limits.tripPagesCompared {
            let page = try TripStore.near(origin, destination, except: owner, after: last, in: tx)
            for trip in page {
                let isInTime = package.deadline.map { $0 > trip.nextStart(now) } ?? true
                let fits = package.route.size.map { trip.fittingSizes.contains($0) } ?? true
                guard isInTime, fits, trip.extraMetres(from: origin, to: destination) <= Double(trip.detourMetres),
                    notified.insert(trip.person).inserted
                else { continue }
                try notify(trip, of: package, now: now, in: tx)
                guard notified.count < Limits.tripPeopleNotified else { return }
            }
            guard page.count == Limits.tripsPerPage, let end = page.last?.id else { return }
            last = end
        }
    }

    private func notify(_ trip: Trip, of package: StoredPackage, now: Instant, in tx: Transaction) throws {
        let notice = Notice(
            id: ID(about: ["trip", package.id.description, trip.person.description], at: package.createdAt),
            // No text of the offer's owner, who could write to many people by it.
            person: trip.person, kind: .packageOnTrip, resource: "/carrepsa/trips/\(trip.id)",
            subject: [trip.from, trip.to].isolated(separator: " → "),
            details: ["amount": String(package.reward), "currency": currency.code], at: now)
        try notice.post(in: tx)
    }
}
