import HTTPTypes
import TestSupport
import Testing
import Tracking

/// An item of a person, which a phone app reports from points north of 50° N 6° E.
struct TrackedItem: Sendable {
    static let longitude = 6.0
    private static let metresPerDegree = 111_195.08

    let owner: TrackingTestClient
    let path: String
    private let source: String

    init(_ name: String, of owner: TrackingTestClient) async throws {
        self.owner = owner
        path = try await owner.item(name)
        source = try await owner.source(.osmand, item: path)
    }

    /// The latitude of a point at a distance in metres.
    static func latitude(_ metres: Double) -> Double { 50 + metres / metresPerDegree }

    /// Reports a position.
    /// - Parameters:
    ///   - at: seconds since 1970.
    ///   - fields: further parts of the query.
    func report(_ metres: Double, at: Int64, _ fields: String = "accuracy=5") async throws {
        let place = "lat=\(Self.latitude(metres))&lon=\(Self.longitude)&timestamp=\(at)"
        let reply = try await owner.site.signedOut.device(.get, "\(source)&\(place)&\(fields)")
        #expect(reply.status == 200, "\(reply.text)")
    }

    /// Reports positions, one in each minute.
    func move(_ metres: Double..., fields: String = "accuracy=5") async throws {
        for metre in metres {
            owner.site.clock.advance(seconds: 60)
            try await report(metre, at: owner.site.seconds, fields)
        }
    }

    /// The kinds of the owner's notifications about the item, oldest first.
    func notices() async throws -> [String] {
        let feed = try await owner.send(.get, "/notifications").object().list("items")
        return feed.reversed().filter { $0.text("resource") == path }.compactMap { $0.text("kind") }
    }
}

extension TrackingTestClient {
    /// Chooses when the person gets separation alerts. Until then, none are sent.
    func chooseAlerts(_ mode: AlertMode) async throws {
        let reply = try await send(.patch, "/tracking/alerts", json: ["mode": mode.rawValue])
        #expect(reply.status == 200, "\(reply.text)")
    }

    /// Reports the phone's position at a distance in metres, a second later.
    func walk(to metres: Double) async throws {
        site.clock.advance(seconds: 1)
        let position: [String: any Sendable] = [
            "latitude": TrackedItem.latitude(metres), "longitude": TrackedItem.longitude, "accuracy": 5,
        ]
        let reply = try await send(.put, "/tracking/position", json: position)
        #expect(reply.status == 204, "\(reply.text)")
    }

    /// Adds a safe place at a distance in metres and returns its id.
    func safePlace(_ name: String, at metres: Double, radiusMetres: Int = 100) async throws -> String {
        let place: [String: any Sendable] = [
            "name": name, "latitude": TrackedItem.latitude(metres), "longitude": TrackedItem.longitude,
            "radiusMetres": radiusMetres,
        ]
        let reply = try await send(.post, "/tracking/safe-places", json: place)
        #expect(reply.status == 201, "\(reply.text)")
        return try #require(try reply.object().text("id"))
    }
}
