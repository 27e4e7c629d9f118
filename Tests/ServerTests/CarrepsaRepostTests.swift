import Foundation
import HTTPTypes
import TestSupport
import Testing

/// An offer that its owner posts again.
@Suite("Carrepsa: posting again")
struct CarrepsaRepostTests {
    /// The terms of a package that posting it again keeps.
    private static func terms(_ package: JSONObject?) throws -> String {
        let names: Set = [
            "title", "from", "to", "fromPoint", "toPoint", "fromArea", "size", "weight", "reward", "moneyLock",
        ]
        let terms = (package?.members ?? [:]).filter { names.contains($0.key) }
        let data = try JSONSerialization.data(withJSONObject: terms, options: .sortedKeys)
        return String(decoding: data, as: UTF8.self)
    }

    @Test("C-27: An ended package is posted again with a filled form, by its owner only", arguments: Engine.allCases)
    func again(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let (ada, ben) = (try await site.person("Ada"), try await site.person("Ben"))
            let path = try await ada.offer(with: [
                "fromLatitude": 50.775346, "fromLongitude": 6.083887, "toLatitude": 50.73743, "toLongitude": 7.098207,
                "size": "bag", "description": "Handle with care",
            ])
            let id = String(path.suffix(36))
            let link = "href=\"/carrepsa/packages/new?from=\(id)\">Post again</a>"
            _ = try await ben.send(.post, path + "/acceptance")
            _ = try await ada.send(.post, path + "/pickup")
            #expect(try await !ada.page(path).text.contains(link))
            _ = try await ada.send(.post, path + "/delivery")
            #expect(try await ada.page(path).text.contains(link))
            #expect(try await !ben.page(path).text.contains(link))
            let form = try await ada.page("/carrepsa/packages/new?from=\(id)").text
            func value(_ field: String) -> String {
                let rest = form.components(separatedBy: " name=\"\(field)\" value=\"").dropFirst().first ?? ""
                return String(rest.prefix { $0 != "\"" })
            }
            #expect(value("title") == "Bike helmet")
            #expect(form.contains(">Handle with care</textarea>"))
            #expect(form.contains("name=\"size\" value=\"bag\" checked"))
            let posted = try await ada.submit(
                "/carrepsa/packages",
                [
                    "title": value("title"), "from": value("from"), "to": value("to"), "weight": value("weight"),
                    "reward": value("reward"), "moneyLock": value("moneyLock"), "description": "Handle with care",
                    "size": "bag", "fromLatitude": value("fromLatitude"), "fromLongitude": value("fromLongitude"),
                    "toLatitude": value("toLatitude"), "toLongitude": value("toLongitude"),
                ])
            #expect(posted.status == 303)
            let open = try await ada.send(.get, "/carrepsa/packages?role=owner&past=false").object().list("items")
            let ended = try await ada.send(.get, path).object()
            #expect(try Self.terms(open.first) == Self.terms(ended))
            #expect(open.first?.number("reward") == 1_200)
            // Another person's package fills nothing in.
            for other in [id, open.first?.text("id") ?? ""] {
                let empty = try await ben.page("/carrepsa/packages/new?from=\(other)").text
                #expect(empty.contains("id=\"title\" name=\"title\" value=\"\""))
            }
        }
    }
}
