import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Forms of Carrepsa that are rejected, and shown again.
@Suite("Carrepsa: rejected forms")
struct CarrepsaFormTests {
    private static func package(_ title: String, version: String) -> KeyValuePairs<String, String> {
        [
            "title": title, "from": "Aachen", "to": "Bonn", "weight": "1.2", "reward": "12.00", "moneyLock": "40.00",
            "version": version,
        ]
    }

    private static func trip(_ from: String, version: String) -> KeyValuePairs<String, String> {
        [
            "from": from, "to": "Bonn", "fromLatitude": "50.78", "fromLongitude": "6.08", "toLatitude": "50.74",
            "toLongitude": "7.1", "detour": "20", "version": version,
        ]
    }

    /// Checks that a form keeps the version that the person read until a conflict was shown.
    /// - Parameter form: returns the form for a required text and a version.
    private func checkVersions(
        of path: String, _ ada: CarrepsaTestClient, form: (String, String) -> KeyValuePairs<String, String>
    ) async throws {
        func hidden(_ version: Int) -> String { "<input type=\"hidden\" name=\"version\" value=\"\(version)\">" }
        let update = path + "?_method=put"
        #expect(try await ada.page(path + "/edit").text.contains(hidden(1)))
        #expect(try await ada.submit(update, form("Another", "1")).status == 303)
        let invalid = try await ada.submit(update, form("", "1"))
        #expect(invalid.status == 422)
        #expect(invalid.text.contains(hidden(1)))
        let stale = try await ada.submit(update, form("Mine", "1"))
        #expect(stale.status == 409)
        #expect(stale.text.contains(hidden(2)))
        #expect(try await ada.send(.get, path).text.contains("Another"))
        #expect(try await ada.submit(update, form("Mine", "2")).status == 303)
    }

    @Test("A rejected form of an offer keeps the version that was read", arguments: Engine.allCases)
    func packageVersion(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let ada = try await site.person("Ada")
            try await checkVersions(of: try await ada.offer(), ada) { Self.package($0, version: $1) }
        }
    }

    @Test("A rejected form of a trip keeps the version that was read", arguments: Engine.allCases)
    func tripVersion(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let ada = try await site.person("Ada")
            let saved = try await ada.submit("/carrepsa/trips", Self.trip("Aachen", version: ""))
            let path = try #require(saved.header("location"))
            try await checkVersions(of: path, ada) { Self.trip($0, version: $1) }
        }
    }

    @Test("C-25: A price is suggested for valid fields only", arguments: Engine.allCases)
    func suggestion(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let ada = try await site.person("Ada")
            let path = "/carrepsa/price-suggestions"
            for weight in [Int64.min, -1, 0, .max] {
                let refused = try await ada.send(.post, path, json: ["weight": weight])
                #expect(refused.status == 422)
                #expect(try refused.error().object("fields").keys == ["weight"])
            }
            #expect(try await ada.send(.post, path, json: ["weight": 1_200]).status == 200)
            #expect(try await ada.send(.post, path, json: ["size": "bag"]).status == 200)
            let text = try await ada.send(.post, path, json: ["fromLatitude": "abc", "fromLongitude": "abc"])
            #expect(text.status == 422)
            #expect(try text.error().object("fields").keys == ["fromLatitude", "fromLongitude"])
            let form = try await ada.submit(
                path, ["title": "Vase", "weight": "1.2", "fromLatitude": "abc", "fromLongitude": "abc"])
            #expect(form.status == 422)
            #expect(form.text.contains("value=\"abc\"") && form.text.contains("value=\"Vase\""))
            let weightless = try await ada.submit(path, ["title": "Vase"])
            #expect(weightless.status == 422)
            #expect(weightless.text.contains("id=\"weight-error\" role=\"alert\">Fill this in.</p>"))
            #expect(weightless.text.contains("id=\"reward\" name=\"reward\" value=\"\""))
            #expect(!weightless.text.contains("id=\"suggestion\""))
            #expect(try await ada.submit(path, ["weight": "1.2"]).text.contains("id=\"suggestion\""))
        }
    }

    @Test("C-34: With a geocoder, a trip without points says how to find them")
    func pointsMissing() async throws {
        try await withServer(settings: ["HOMEWARD_GEOCODER_URL": "http://127.0.0.1:9"]) { server in
            let ada = try await CarrepsaTestServer(server: server).person("Ada")
            #expect(
                try await ada.page("/carrepsa/trips/new").text.contains(
                    "id=\"fromLatitude\" name=\"fromLatitude\" value=\"\" placeholder=\"\""))
            let refused = try await ada.submit(
                "/carrepsa/trips",
                [
                    "from": "Aachen", "to": "Bonn", "fromLatitude": "", "fromLongitude": "", "toLatitude": "",
                    "toLongitude": "", "detour": "20",
                ])
            #expect(refused.status == 422)
            for field in ["fromLatitude", "toLatitude"] {
                let advice = "id=\"\(field)-error\">Tap “Find on the map”, or set the point on the map.</p>"
                #expect(refused.text.contains(advice))
            }
            #expect(refused.text.contains("value=\"Aachen\"") && refused.text.contains("value=\"Bonn\""))
            #expect(refused.text.components(separatedBy: "aria-invalid=\"true\"").count == 3)
        }
    }

    @Test("A file that is no photo is reported when a price is suggested")
    func photo() async throws {
        try await withCarrepsa { site in
            let ada = try await site.person("Ada")
            let weight = "--x\r\nContent-Disposition: form-data; name=\"weight\"\r\n\r\n1.2\r\n"
            let disposition = "Content-Disposition: form-data; name=\"picture\"; filename=\"a.jpg\""
            let file = "--x\r\n\(disposition)\r\n\r\nhello\r\n--x--\r\n"
            let refused = try await ada.submit("/carrepsa/price-suggestions", multipart: weight + file)
            #expect(refused.status == 422)
            #expect(!refused.text.contains("id=\"suggestion\""))
        }
    }
}
