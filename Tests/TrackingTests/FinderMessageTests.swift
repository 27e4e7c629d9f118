import Accounts
import Kernel
import Notifications
import Storage
import TestSupport
import Testing

@testable import Tracking

@Suite("Finders and labels")
struct FinderMessageTests {
    private static let address = "192.0.2.9"

    private func words(_ message: String = "It is at the station.", at place: Coordinate? = nil) -> FinderReportInput {
        FinderReportInput(
            message: message, latitude: place?.latitude, longitude: place?.longitude,
            accuracyMetres: place == nil ? nil : 8)
    }

    /// The reference of a new label.
    private func label(of item: ID<Item>, _ ada: Actor, _ fixture: TrackingFixture) async throws -> FinderReference {
        let label = try await fixture.tracking.itemLabels.create(of: item, by: Change(actor: ada))
        return .label(try #require(label.secret))
    }

    @Test("An item's former labels and an account's new ones are limited")
    func labelLimits() async throws {
        try await withFixture(.sqlite) { fixture in
            let ada = try await fixture.person()
            let item = try await fixture.item(of: ada).item.id
            for _ in 1...Limits.labelsPerAccount {
                _ = try await fixture.tracking.itemLabels.create(of: item, by: Change(actor: ada))
            }
            #expect(try await fixture.count("former_label") == Limits.formerLabelsPerItem)
            let more = await refusal {
                _ = try await fixture.tracking.itemLabels.create(of: item, by: Change(actor: ada))
            }
            #expect(more?.code == .throttled)
        }
    }

    @Test("A finder of an item that isn't reported lost can write, too", arguments: Engine.allCases)
    func notLost(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let item = try await fixture.item("Bike", of: ada).item.id
            let label = try await label(of: item, ada, fixture)
            let found = fixture.tracking.foundItems
            let secret = try await found.report(
                words("I found this."), about: label, key: "k", clientAddress: Self.address)
            #expect(try await fixture.notices().map(\.kind) == ["itemFound"])
            #expect(try await found.ownReport(secret, clientAddress: Self.address).message == "I found this.")
            for number in 2...Limits.finderReportsPerNetwork {
                _ = try await found.report(words(), about: label, key: "\(number)", clientAddress: Self.address)
            }
            let more = await refusal {
                _ = try await found.report(words(), about: label, key: "more", clientAddress: Self.address)
            }
            #expect(more?.code == .throttled)
        }
    }

    @Test("Navigation leads to where a finder was, in the chosen maps app", arguments: Engine.allCases)
    func navigation(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let item = try await fixture.item("Bike", of: ada).item.id
            let label = try await label(of: item, ada, fixture)
            let home = SafePlaceInput(name: "Home", latitude: 50.5, longitude: 6.25)
            _ = try await fixture.tracking.safePlaces.create(home, by: Change(actor: ada))
            for (key, place) in [("a", Coordinate(latitude: 50.5, longitude: 6.25)), ("b", nil)] {
                _ = try await fixture.tracking.foundItems.report(
                    words(at: place), about: label, key: key, clientAddress: Self.address)
            }
            let reports = try await fixture.tracking.finderReports.list(of: item, for: ada, after: nil, limit: 5).items
            let here = try #require(reports.first { $0.place != nil })
            let nowhere = try #require(reports.first { $0.place == nil })
            let details = try await fixture.tracking.finderReports.report(here.id, of: item, for: ada)
            #expect(details.place == .inside(name: "Home"))
            func url(_ report: FinderReport, _ app: MapsApp) async throws -> String {
                try await fixture.tracking.navigation.link(.report(report.id, of: item), to: app, for: ada).url
            }
            #expect(try await url(here, .apple).contains("maps.apple.com/?daddr=50.5,6.25&dirflg=w"))
            try await fixture.phone(of: ada, metres: 0)
            #expect(try await url(here, .google).contains("destination=50.5,6.25&travelmode=transit"))
            #expect(await refusal { _ = try await url(nowhere, .apple) }?.code == .conflict)
            let ben = try await fixture.member(.locate, of: item, by: ada)
            let refused = await refusal {
                _ = try await fixture.tracking.navigation.link(.report(here.id, of: item), to: .apple, for: ben)
            }
            #expect(refused?.code == .forbidden)
        }
    }

    @Test("Deleting an item withdraws the notifications about its finders' words", arguments: Engine.allCases)
    func withdrawn(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let item = try await fixture.item("Bike", of: ada).item.id
            let label = try await label(of: item, ada, fixture)
            _ = try await fixture.member(.manage, of: item, by: ada)
            _ = try await fixture.tracking.foundItems.report(
                words(), about: label, key: "k", clientAddress: Self.address)
            #expect(try await fixture.noticeCount(of: .itemFound) == 2)
            try await fixture.tracking.itemDeletions.delete(item, by: Change(actor: ada))
            #expect(try await fixture.noticeCount(of: .itemFound) == 0)
        }
    }
}
