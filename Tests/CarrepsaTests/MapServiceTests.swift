import Accounts
import Kernel
import MapServices
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Carrepsa

/// A geocoder that finds one place for every text but `nowhere`.
private final class FakeGeocoder: Geocoder {
    struct Unreachable: Error {}

    private let state = Mutex<(texts: [String], failure: (any Error)?)>(([], nil))

    var texts: [String] { state.withLock(\.texts) }

    /// - Parameter failure: `nil` for none.
    func fail(with failure: (any Error)?) { state.withLock { $0.failure = failure } }

    func address(of position: Coordinate) async throws -> String? { nil }

    func places(_ text: String, language: String) async throws -> [FoundPlace] {
        let failure = state.withLock { state in
            state.texts.append("\(language) \(text)")
            return state.failure
        }
        if let failure { throw failure }
        guard text != "nowhere", let point = Coordinate(latitude: 50, longitude: 6) else { return [] }
        return [FoundPlace(name: text, point: point)]
    }
}

@Suite("Places by their address")
struct PlaceSearchTests {
    private func withSearch(
        _ engine: Engine, _ body: (CarrepsaFixture, FakeGeocoder, PlaceSearchService, Actor) async throws -> Void
    ) async throws {
        try await withFixture(engine) { fixture in
            let geocoder = FakeGeocoder()
            let search = PlaceSearchService(
                database: fixture.database, memberships: fixture.carrepsa.memberships, geocoder: geocoder,
                clock: fixture.clock, logger: .silent)
            try await body(fixture, geocoder, search, try await fixture.people(1)[0])
        }
    }

    @Test("The geocoder gets the text and the language, and the same text only once", arguments: Engine.allCases)
    func found(engine: Engine) async throws {
        try await withSearch(engine) { _, geocoder, search, ada in
            for _ in 0..<2 {
                let places = try await search.places(" Pontstraße ", language: .german, for: ada)
                #expect(places.map(\.name) == ["Pontstraße"])
            }
            #expect(geocoder.texts == ["de Pontstraße"])
            let none = try await search.places("nowhere", language: .german, for: ada)
            #expect(none.isEmpty)
        }
    }

    @Test("An empty or too long text isn't sent", arguments: Engine.allCases)
    func invalid(engine: Engine) async throws {
        try await withSearch(engine) { _, geocoder, search, ada in
            for text in [nil, " ", String(repeating: "a", count: Limits.placeCharacters + 1)] {
                let error = await #expect(throws: AppError.self) {
                    try await search.places(text, language: .english, for: ada)
                }
                #expect(error.map { Array($0.fields.keys) } == ["text"])
            }
            #expect(geocoder.texts.isEmpty)
        }
    }

    @Test("A person's searches are limited, and wait for the end of the time", arguments: Engine.allCases)
    func throttled(engine: Engine) async throws {
        try await withSearch(engine) { fixture, geocoder, search, ada in
            for number in 0..<Limits.placeSearches {
                _ = try await search.places("Street \(number)", language: .english, for: ada)
            }
            let error = await #expect(throws: AppError.self) {
                try await search.places("One more", language: .english, for: ada)
            }
            #expect(error?.code == .throttled && geocoder.texts.count == Limits.placeSearches)
            fixture.clock.advance(seconds: Limits.placeSearchSeconds + 1)
            let places = try await search.places("One more", language: .english, for: ada)
            #expect(places.count == 1)
        }
    }

    @Test("A failure of the geocoder is reported, and isn't remembered", arguments: Engine.allCases)
    func failure(engine: Engine) async throws {
        try await withSearch(engine) { _, geocoder, search, ada in
            geocoder.fail(with: FakeGeocoder.Unreachable())
            let error = await #expect(throws: AppError.self) {
                try await search.places("Kiel", language: .english, for: ada)
            }
            #expect(error?.code == .unavailable)
            geocoder.fail(with: nil)
            let places = try await search.places("Kiel", language: .english, for: ada)
            #expect(places.count == 1)
        }
    }

    @Test("A search that wasn't sent because too many wait doesn't count", arguments: Engine.allCases)
    func busy(engine: Engine) async throws {
        try await withSearch(engine) { _, geocoder, search, ada in
            geocoder.fail(with: MapServiceBusy())
            for _ in 0...Limits.placeSearches {
                let error = await #expect(throws: AppError.self) {
                    try await search.places("Kiel", language: .english, for: ada)
                }
                #expect(error?.code == .unavailable && error?.message == CarrepsaMessage.placesBusy.text)
            }
            geocoder.fail(with: nil)
            let places = try await search.places("Kiel", language: .english, for: ada)
            #expect(places.count == 1)
        }
    }

    @Test("Without a geocoder there is no search")
    func disabled() async throws {
        try await withFixture(.sqlite) { fixture in
            let ada = try await fixture.people(1)[0]
            #expect(!fixture.carrepsa.placeSearches.isEnabled)
            let error = await #expect(throws: AppError.self) {
                try await fixture.carrepsa.placeSearches.places("Kiel", language: .english, for: ada)
            }
            #expect(error?.code == .notFound)
        }
    }
}

/// A router whose roads are some times as long as straight lines.
private final class FakeRouter: RoadRouter {
    struct Unreachable: Error {}

    private struct State {
        var requests: [[Coordinate]] = []
        var factor: Double? = 2
        var island: Coordinate?
        var isRefusing = false
        var whileAsked: (@Sendable () async throws -> Void)?
    }

    private let state = Mutex(State())

    var requests: [[Coordinate]] { state.withLock(\.requests) }

    /// - Parameter factor: `nil` for no answer.
    func set(factor: Double?) { state.withLock { $0.factor = factor } }

    /// Whether it refuses requests.
    func set(isRefusing: Bool) { state.withLock { $0.isRefusing = isRefusing } }

    /// Runs before the next response.
    func set(whileAsked: @escaping @Sendable () async throws -> Void) {
        state.withLock { $0.whileAsked = whileAsked }
    }

    /// No road leads to that point.
    func set(island: Coordinate) { state.withLock { $0.island = island } }

    func distances(between points: [Coordinate]) async throws -> [[Double?]] {
        let now = state.withLock { state in
            state.requests.append(points)
            defer { state.whileAsked = nil }
            return state
        }
        try await now.whileAsked?()
        if now.isRefusing { throw MapServiceRefusal() }
        guard let factor = now.factor else { throw Unreachable() }
        return points.map { one in
            points.map { other in
                one == now.island || other == now.island ? nil : factor * one.distanceMetres(to: other)
            }
        }
    }
}

@Suite("Detours by road")
struct RoadDetourTests {
    /// The trip, and the offers on its way by straight lines.
    private func withMatches(
        _ body: (CarrepsaFixture, FakeRouter, RoadDetours, Trip, [TripMatch]) async throws -> Void
    ) async throws {
        try await withFixture(.sqlite) { fixture in
            let people = try await fixture.people(2)
            // The second one is some kilometres beside the way.
            for (to, reward) in [((54.323, 10.123), 1_00), ((54.36, 10.25), 20_00)] as [((Double, Double), Int64)] {
                let input = TripTests.parcel(to: (latitude: to.0, longitude: to.1), reward: reward)
                _ = try await fixture.carrepsa.packages.create(input, by: Change(actor: people[0]))
            }
            let trip = try await fixture.carrepsa.trips.create(TripTests.trip(), by: Change(actor: people[1]))
            let matches = try await fixture.carrepsa.trips.matches(of: trip.id, for: people[1]).matches
            #expect(matches.count == 2 && matches.allSatisfy { !$0.isByRoad })
            let router = FakeRouter()
            let roads = RoadDetours(router: router, clock: fixture.clock, logger: .silent)
            try await body(fixture, router, roads, trip, matches)
        }
    }

    @Test("One request measures all detours; the next page asks nothing")
    func measured() async throws {
        try await withMatches { _, router, roads, trip, matches in
            for _ in 0..<2 {
                let measured = try await roads.measured(matches, of: trip)
                #expect(Set(measured.map(\.package.id)) == Set(matches.map(\.package.id)))
                #expect(measured.allSatisfy { $0.isByRoad })
                #expect(measured.map(\.rewardPerKilometre) == measured.map(\.rewardPerKilometre).sorted(by: >))
            }
            #expect(router.requests.count == 1)
        }
    }

    @Test("C-34: The router learns the public circles, and the ends of the trip to about a kilometre")
    func privacy() async throws {
        try await withMatches { _, router, roads, trip, matches in
            _ = try await roads.measured(matches, of: trip)
            let points = try #require(router.requests.first)
            let areas = matches.flatMap { [$0.package.route.origin.area, $0.package.route.destination.area] }
            #expect(Set(points.dropFirst(2)) == Set(areas.compactMap(\.self)))
            #expect(!points.contains(trip.start) && !points.contains(trip.end))
            #expect(points[0].distanceMetres(to: trip.start) < 800 && points[0].latitude == 53.87)
        }
    }

    @Test("Without an answer the detours stay straight lines, and the router isn't asked for a minute")
    func failure() async throws {
        try await withMatches { fixture, router, roads, trip, matches in
            router.set(factor: nil)
            for _ in 0..<2 {
                let unmeasured = try await roads.measured(matches, of: trip)
                #expect(unmeasured == matches)
            }
            #expect(router.requests.count == 1)
            router.set(factor: 2)
            fixture.clock.advance(seconds: Limits.routerPauseSeconds)
            let measured = try await roads.measured(matches, of: trip)
            #expect(measured.allSatisfy { $0.isByRoad })
        }
    }

    @Test("An offer to which no road leads keeps its straight line, and follows those with a road")
    func island() async throws {
        try await withMatches { _, router, roads, trip, matches in
            router.set(island: try #require(matches[0].package.route.destination.area))
            let measured = try await roads.measured(matches, of: trip)
            #expect(measured.map(\.package.id) == [matches[1].package.id, matches[0].package.id])
            #expect(measured.map(\.isByRoad) == [true, false])
            #expect(measured[1] == matches[0])
        }
    }

    @Test("A request that the router refuses leaves straight lines, and other requests go on")
    func refused() async throws {
        try await withMatches { _, router, roads, trip, matches in
            router.set(isRefusing: true)
            #expect(try await roads.measured(matches, of: trip) == matches)
            router.set(isRefusing: false)
            let measured = try await roads.measured(matches, of: trip)
            #expect(measured.allSatisfy { $0.isByRoad })
        }
    }

    @Test("While too many requests wait for the router, the detours stay straight lines")
    func busy() async throws {
        try await withMatches { _, router, roads, trip, matches in
            // Each request makes the next one before its response.
            @Sendable func ask(_ depth: Int) async throws -> [TripMatch] {
                if depth < Limits.routerRequestsAtOnce {
                    router.set(whileAsked: { _ = try await ask(depth + 1) })
                }
                let measured = try await roads.measured(matches, of: trip)
                if depth == Limits.routerRequestsAtOnce { #expect(measured == matches) }
                return measured
            }
            let measured = try await ask(0)
            #expect(measured.allSatisfy { $0.isByRoad })
            #expect(router.requests.count == Limits.routerRequestsAtOnce)
        }
    }

    @Test("The detour that people read and the reward for each kilometre agree")
    func rounding() {
        for metres in [0, 950, 4_321, 4_349, 4_351, 12_377] as [Double] {
            let candidate = DetourSearch.Candidate(
                id: ID(at: Instant(millisecondsSince1970: 0), series: 1), extraMetres: metres, reward: 11_44)
            #expect(candidate.extraMetres.truncatingRemainder(dividingBy: 100) == 0)
            let kilometres = max(1, candidate.extraMetres / 1_000)
            #expect(abs(candidate.rewardPerKilometre * kilometres - 11_44) < 0.01)
        }
    }
}
