import Foundation
import HTTPTypes
import TestSupport
import Testing

/// The page of a trip with the offers on its way.
@Suite("Carrepsa: pages about trips")
struct CarrepsaTripPageTests {
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
