import Accounts
import Kernel
import MapServices
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Tracking

/// A geocoder that knows one street for each cell.
private final class FakeGeocoder: Geocoder {
    struct Unreachable: Error {}

    private let state = Mutex<(requests: [Coordinate], isDown: Bool)>(([], false))

    var requests: [Coordinate] { state.withLock(\.requests) }

    func setDown(_ isDown: Bool) { state.withLock { $0.isDown = isDown } }

    func places(_ text: String, language: String) async throws -> [FoundPlace] { [] }

    func address(of position: Coordinate) async throws -> String? {
        let isDown = state.withLock { state in
            state.requests.append(position)
            return state.isDown
        }
        if isDown { throw Unreachable() }
        return position.latitude < 1 ? nil : "Street \(AddressCell(position).latitude), Aachen"
    }
}

@Suite("Addresses of positions")
struct AddressTests {
    private func withService(
        _ engine: Engine, _ body: (TrackingFixture, FakeGeocoder, AddressService) async throws -> Void
    ) async throws {
        try await withFixture(engine) { fixture in
            let geocoder = FakeGeocoder()
            let service = AddressService(
                database: fixture.database, geocoder: geocoder, clock: fixture.clock, logger: .silent)
            try await body(fixture, geocoder, service)
        }
    }

    private let place = JitteredDay.coordinate(0, 0)

    @Test("An address is requested once, for the centre of its cell, and then known", arguments: Engine.allCases)
    func known(engine: Engine) async throws {
        try await withService(engine) { _, geocoder, service in
            #expect(try await service.addresses(of: [place]).texts.isEmpty)
            try await service.run()
            try await service.run()
            let known = try await service.addresses(of: [place])
            #expect(known.resolve(.coordinates(place)) == .address("Street 50775, Aachen"))
            #expect(geocoder.requests.map(\.latitude) == [50.775])
            #expect(known.resolve(.inside(name: "Home")) == .inside(name: "Home"))
        }
    }

    @Test("A place without an address isn't requested again", arguments: Engine.allCases)
    func none(engine: Engine) async throws {
        try await withService(engine) { _, geocoder, service in
            let sea = try #require(Coordinate(latitude: 0.5, longitude: 0.5))
            _ = try await service.addresses(of: [sea])
            try await service.run()
            #expect(try await service.addresses(of: [sea]).texts.isEmpty)
            try await service.run()
            #expect(geocoder.requests.count == 1)
        }
    }

    @Test("A failure postpones all requests, which are repeated later", arguments: Engine.allCases)
    func failure(engine: Engine) async throws {
        try await withService(engine) { fixture, geocoder, service in
            let other = try #require(Coordinate(latitude: 52, longitude: 13))
            _ = try await service.addresses(of: [place, other])
            geocoder.setDown(true)
            try await service.run()
            try await service.run()
            #expect(geocoder.requests.count == 1, "the others wait, too")
            geocoder.setDown(false)
            fixture.clock.advance(seconds: 60)
            try await service.run()
            try await service.run()
            #expect(try await service.addresses(of: [place, other]).texts.count == 2)
        }
    }

    @Test("A page requests a limited number of addresses, and each run one of them", arguments: Engine.allCases)
    func limits(engine: Engine) async throws {
        try await withService(engine) { fixture, geocoder, service in
            let positions = (0..<50).compactMap { Coordinate(latitude: 40 + Double($0) / 10, longitude: 5) }
            _ = try await service.resolve(PlaceNames([]), for: positions)
            #expect(try await fixture.count("address") == Limits.addressesPerPage)
            try await service.run()
            #expect(geocoder.requests.count == 1)
        }
    }

    @Test("Without a geocoder nothing is requested")
    func disabled() async throws {
        try await withFixture(.sqlite) { fixture in
            #expect(!fixture.tracking.addresses.isEnabled)
            #expect(try await fixture.tracking.addresses.addresses(of: [place]).texts.isEmpty)
            try await fixture.tracking.addresses.run()
            #expect(try await fixture.count("address") == 0)
        }
    }
}
