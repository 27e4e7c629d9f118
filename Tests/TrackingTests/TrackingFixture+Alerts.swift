import Accounts
import Kernel
import Notifications
import Storage
import TestSupport

@testable import Tracking

extension TrackingFixture {
    func notices() async throws -> [PostedNotification] { try await database.notices() }

    /// Returns a person's alerts about an item, newest first.
    func alerts(about item: ID<Item>, of actor: Actor) async throws -> [ItemAlert] {
        try await database.read { tx in
            try ItemAlertStore.newest(about: item, of: actor.person, limit: 100, in: tx)
        }
    }

    func noticeCount() async throws -> Int { try await count("notice") }

    func noticeCount(of kind: NoticeKind) async throws -> Int {
        try await notices().filter { $0.kind == kind.rawValue }.count
    }

    /// Returns the offer to change the alert mode.
    func offer(to actor: Actor) async throws -> AlertOffer? {
        try await database.read { [tracking] tx in try tracking.alerts.offer(for: actor.person, in: tx) }
    }

    /// Returns whether the list of notifications has that offer.
    func isOfferedInFeed(of actor: Actor) async throws -> Bool {
        try await database.read { [tracking] tx in try tracking.alerts.isOfferedInFeed(of: actor, in: tx) }
    }

    /// Reports a phone's position at a distance in metres north of the point 0° N 1° E.
    func phone(
        of actor: Actor, metres: Double, accuracyMetres: Double? = nil, at: Instant? = nil
    ) async throws {
        let position = PhonePosition(
            latitude: metres / Self.metresPerDegree, longitude: Self.meridian, accuracyMetres: accuracyMetres, at: at
        )
        try await tracking.phonePositions.report(position, by: actor)
    }

    /// Reports an item's position at such a distance.
    func item(_ secret: String, metres: Double, at: Instant? = nil, _ more: [String: String] = [:]) async throws {
        try await osmand(secret, metres / Self.metresPerDegree, Self.meridian, at: at, more)
    }

    static let metresPerDegree = 111_195.08
    /// The longitude of the fixture's positions. 0° N 0° E is what receivers send without a fix.
    static let meridian = 1.0
}

extension PostedNotification {
    /// The same notification with the id of the alert that explains it.
    func explained(by alert: ID<ItemAlert>) -> PostedNotification {
        PostedNotification(
            person: person, kind: kind, resource: resource, subject: subject,
            details: details.merging(["alert": "/tracking/alerts/\(alert)"]) { $1 }, at: at)
    }
}
