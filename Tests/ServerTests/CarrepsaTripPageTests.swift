import Carrepsa
import Foundation
import HTTPTypes
import Server
import TestSupport
import Testing

/// The page of a trip with the offers on its way.
@Suite("Carrepsa: pages about trips")
struct CarrepsaTripPageTests {
    /// The ends of an offer or a trip from Aachen to Bonn.
    private static var ends: [String: any Sendable] {
        ["fromLatitude": 50.7753, "fromLongitude": 6.0839, "toLatitude": 50.7374, "toLongitude": 7.0982]
    }

    /// Saves a trip from Aachen to Bonn, and returns its path.
    private static func trip(_ traveller: CarrepsaTestClient) async throws -> String {
        let terms: [String: any Sendable] = ["from": "Aachen", "to": "Bonn", "detour": 30]
        let saved = try await traveller.send(.post, "/carrepsa/trips", json: terms.merging(ends) { $1 })
        return "/carrepsa/trips/\(try #require(try saved.object().text("id")))"
    }

    @Test("C-23: A new offer on the way notifies the traveller of its reward, without a text of its owner")
    func notified() async throws {
        try await withCarrepsa { site in
            let (ada, ben) = (try await site.person("Ada"), try await site.person("Ben"))
            let trip = try await Self.trip(ben)
            _ = try await ada.offer("Call me now", with: Self.ends.merging(["reward": 5_000]) { $1 })
            try await site.server.services.carrepsa.housekeeping.run()
            let found = try await ben.notifications().filter { $0.text("kind") == "packageOnTrip" }
            #expect(found.map { $0.text("body") } == ["A new offer on your trip Aachen → Bonn pays €50.00."])
            #expect(try await ben.page("/notifications").text.contains("href=\"\(trip)"))
        }
    }

    @Test("C-24: The most reward for an extra kilometre is first, and packages off the way aren't listed")
    func order() async throws {
        try await withCarrepsa { site in
            let (ada, ben) = (try await site.person("Ada"), try await site.person("Ben"))
            func offer(_ title: String, _ changes: [String: any Sendable]) async throws {
                _ = try await ada.offer(title, with: Self.ends.merging(changes) { $1 })
            }
            // It ends beside the way.
            try await offer("Aside", ["reward": 1_000, "toLatitude": 50.8281, "toLongitude": 6.904])
            try await offer("Near", ["reward": 900])
            try await offer(
                "Back",
                ["fromLatitude": 50.7374, "fromLongitude": 7.0982, "toLatitude": 50.7753, "toLongitude": 6.0839])
            _ = try await ada.offer("Nowhere")
            let trip = try await Self.trip(ben)
            let matches = try await ben.send(.get, trip).object().list("matches")
            #expect(try matches.map { try $0.object("package").text("title") } == ["Near", "Aside"])
            let page = try await ben.page(trip).text
            let near = try #require(page.range(of: ">Near</span>"))
            let aside = try #require(page.range(of: ">Aside</span>"))
            #expect(near.lowerBound < aside.lowerBound)
            #expect(!page.contains(">Back</span>") && !page.contains(">Nowhere</span>"))
        }
    }

    @Test("C-35: A changed trip has its new way; a form that read the former version changes nothing")
    func changed() async throws {
        try await withCarrepsa { site in
            let ben = try await site.person("Ben")
            let trip = try await Self.trip(ben)
            func change(detour: String) async throws -> Reply {
                try await ben.submit(
                    trip + "?_method=put",
                    [
                        "from": "Bonn", "to": "Aachen", "fromLatitude": "50.7374", "fromLongitude": "7.0982",
                        "toLatitude": "50.7753", "toLongitude": "6.0839", "detour": detour, "days": "MO",
                        "days": "TU", "version": "1",
                    ])
            }
            let changed = try await change(detour: "15")
            #expect(changed.header("location") == trip)
            #expect(try changed.toast() == "Trip changed")
            let page = try await ben.page(trip).text
            #expect(page.contains("Bonn → Aachen") && page.contains("Mon, Tue · 15 km detour"))
            let stale = try await change(detour: "30")
            #expect(stale.status == 409)
            #expect(stale.text.contains("The trip was changed elsewhere. Review it and try again."))
            #expect(try await ben.send(.get, trip).object().number("detour") == 15)
        }
    }

    @Test("C-34: Detours are straight lines until the router responds, then by road, and the page says which they are")
    func detours() async throws {
        let router = StubServer()
        try await router.serve { url in
            let settings = ["HOMEWARD_WELCOME_AMOUNT": "100.00", "HOMEWARD_ROUTER_URL": url]
            try await withServer(settings: settings) { server in
                let site = CarrepsaTestServer(server: server)
                let (ada, ben) = (try await site.person("Ada"), try await site.person("Ben"))
                // It ends beside the way.
                _ = try await ada.offer(
                    "Lamp",
                    with: [
                        "fromLatitude": 50.7753, "fromLongitude": 6.0839, "toLatitude": 50.8281, "toLongitude": 6.904,
                    ])
                let saved = try await ben.send(
                    .post, "/carrepsa/trips",
                    json: [
                        "from": "Aachen", "to": "Bonn", "fromLatitude": 50.7753, "fromLongitude": 6.0839,
                        "toLatitude": 50.7374, "toLongitude": 7.0982, "detour": 30,
                    ])
                let trip = "/carrepsa/trips/\(try #require(try saved.object().text("id")))"
                func match() async throws -> JSONObject {
                    let matches = try await ben.send(.get, trip).object().list("matches")
                    #expect(matches.count == 1)
                    return try #require(matches.first)
                }
                router.stall()
                let straight = try await ben.page(trip).text
                #expect(straight.contains(">Lamp</span>") && straight.contains("km extra · €"))
                #expect(straight.contains("Distances are in a straight line and approximate."))
                #expect(!straight.contains("by road"))
                #expect(try await match().flag("byRoad") == false)
                #expect(router.arrivals.count == 1, "a router that doesn't respond is left alone for a minute")

                site.clock.advance(seconds: 61)
                // From Aachen to the lamp 2 km, with it 90 km, and then 20 km to Bonn, which is 100 km from Aachen.
                router.reply(
                    .ok,
                    #"""
                    {"code":"Ok","distances":[[0,100000,2000,92000],[100000,0,98000,20000],[2000,98000,0,90000],
                    [92000,20000,90000,0]]}
                    """#)
                let byRoad = try await ben.page(trip).text
                #expect(byRoad.contains("12 km extra by road · €1.00 per km"))
                #expect(byRoad.contains("Distances are by road and approximate."))
                let measured = try await match()
                #expect(try measured.object("package").text("title") == "Lamp")
                #expect(measured.flag("byRoad") == true && measured.number("extraMetres") == 12_000)
                #expect(measured.number("rewardPerKilometre") == 1_00)
                #expect(router.arrivals.count == 2, "the detours are kept")
                let path = router.arrivals.last?.path ?? ""
                #expect(path.hasPrefix("/table/v1/driving/6.08,50.78;7.1,50.74;"))
                #expect(path.hasSuffix("?annotations=distance") && !path.contains("6.0839,50.7753"))
            }
        }
    }
}
