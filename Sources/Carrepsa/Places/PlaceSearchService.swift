package import Accounts
package import Kernel
import Logging
package import MapServices
import Storage

/// `/carrepsa/place-searches`: the places that a typed address may mean. The server sends the text and the reader's
/// language to the geocoder, which doesn't learn the person or their network address.
package struct PlaceSearchService: Sendable {
    private struct Query: Hashable {
        let text: String
        let language: Language
    }

    private static let throttle = Throttle(
        scope: "place search", limit: Limits.placeSearches, windowSeconds: Limits.placeSearchSeconds)

    private let database: Database
    private let memberships: MembershipService
    private let geocoder: (any Geocoder)?
    private let clock: any WallClock
    private let logger: Logger
    private let recent = RecentResults<Query, [FoundPlace]>(capacity: Limits.placeSearchesKept)

    /// - Parameter geocoder: `nil` where none is set up.
    init(
        database: Database, memberships: MembershipService, geocoder: (any Geocoder)?, clock: any WallClock,
        logger: Logger
    ) {
        self.database = database
        self.memberships = memberships
        self.geocoder = geocoder
        self.clock = clock
        self.logger = logger
    }

    /// Whether a geocoder is set up.
    package var isEnabled: Bool { geocoder != nil }

    /// Returns the places that a text may mean, the best first.
    /// - Throws: `AppError`: `notFound` without a geocoder; `invalid` at `text`; `throttled`; `unavailable` when the
    ///   geocoder doesn't answer, or when too many searches wait for it.
    package func places(_ text: String?, language: Language, for actor: Actor) async throws -> [FoundPlace] {
        guard let geocoder else { throw AppError.notFound }
        try await memberships.ensureWallet(of: actor)
        var problems = FieldErrors<CarrepsaMessage>()
        let place = PackageDraft.place(text, "text", &problems)
        try problems.finish()
        guard let place else { throw AppError(.invalid, .placeMissing, field: "text") }
        let query = Query(text: place.folded, language: language)
        if let known = recent[query] { return known }
        let now = clock.now
        let key = actor.person.description
        // A search counts whether or not the geocoder finds anything. Only one that wasn't sent is released.
        try await database.write { tx in
            try Self.throttle.reserve(key, .placeSearchesThrottled, now: now, in: tx)
        }
        do {
            let found = try await geocoder.places(place.text, language: language.rawValue)
            recent.insert(found, for: query)
            return found
        } catch is CancellationError {
            throw CancellationError()
        } catch is MapServiceBusy {
            let end = clock.now
            try await database.write { tx in try Self.throttle.release(key, reservedAt: now, now: end, in: tx) }
            throw AppError(.unavailable, .placesBusy)
        } catch {
            logger.warning("The geocoder didn't answer", metadata: ["error": "\(type(of: error))"])
            throw AppError(.unavailable, .placesUnavailable)
        }
    }
}
