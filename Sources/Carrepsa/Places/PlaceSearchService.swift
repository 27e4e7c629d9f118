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
    ///   geocoder doesn't answer.
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
        try await database.write { tx in try Self.count(actor.person, now: now, in: tx) }
        do {
            let found = try await geocoder.places(place.text, language: language.rawValue)
            recent.insert(found, for: query)
            return found
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            logger.warning("The geocoder didn't answer", metadata: ["error": "\(type(of: error))"])
            throw AppError(.unavailable, .placesUnavailable)
        }
    }

    private static func count(_ person: PersonID, now: Instant, in tx: Transaction) throws {
        let throttle = Throttle(
            scope: "place-search", limit: Limits.placeSearches, windowSeconds: Limits.placeSearchSeconds)
        do {
            try throttle.fail(person.description, now: now, in: tx)
        } catch let error as AppError where error.code == .throttled {
            throw AppError(
                .throttled, CarrepsaMessage.placeSearchesThrottled.text, retryAfterSeconds: error.retryAfterSeconds)
        }
    }
}
