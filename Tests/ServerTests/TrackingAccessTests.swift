import HTTPTypes
import TestSupport
import Testing

/// Access to items.
@Suite("Tracking: access")
struct TrackingAccessTests {
    private static let registration = """
        {"publicKey":"\(String(repeating: "09", count: 32))","codeHash":"\(String(repeating: "ab", count: 32))",
         "challenge":"\(String(repeating: "cd", count: 16))"}
        """

    private static let routes: [(method: TrackingMethod, path: String, body: String?)] = [
        (.get, "", nil),
        (.patch, "", #"{"name":"Mine"}"#),
        (.get, "/fixes", nil),
        (.get, "/fixes?format=gpx", nil),
        (.get, "/tracker", nil),
        (.put, "/tracker", #"{"code":"K7QF-2M9X-TR4C"}"#),
        (.put, "/tracker", #"{"pairing":"AAAA"}"#),
        (.delete, "/tracker", nil),
        (.post, "/registration", registration),
        (.get, "/commands", nil),
        (.post, "/commands", #"{"kind":"locate"}"#),
        (.get, "/navigation", nil),
        (.post, "/navigation", #"{"to":"apple"}"#),
        (.get, "/lost", nil),
        (.put, "/lost", #"{"message":"Mine"}"#),
        (.delete, "/lost", nil),
        (.get, "/label", nil),
        (.post, "/label", "{}"),
        (.get, "/finder-reports", nil),
        (.get, "/finder-reports/019b7a3e-0000-7000-8000-000000000000", nil),
        (.delete, "/finder-reports/019b7a3e-0000-7000-8000-000000000000", nil),
        (.put, "/finder-reports/019b7a3e-0000-7000-8000-000000000000/reply", #"{"message":"Mine"}"#),
        (.delete, "", nil),
    ]

    @Test("Another person's item is not found, like one that doesn't exist")
    func othersAreHidden() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let eve = try await tracking.person("eve@example.org")
            let url = try await anna.item("Keys")
            for base in [url, "/tracking/items/019b7a3e-0000-7000-8000-000000000000", "/tracking/items/nope"] {
                for route in Self.routes {
                    let reply = try await eve.send(
                        route.method, base + route.path, body: route.body ?? "",
                        type: route.body == nil ? nil : "application/json"
                    )
                    #expect(reply.status == 404, "\(route.method) \(base)\(route.path)")
                    #expect(try reply.error().text("code") == "not_found")
                }
            }
            #expect(try await anna.send(.get, url).object().text("name") == "Keys")
            let source = try await eve.send(
                .post, "/tracking/sources", json: ["kind": "owntracks", "itemId": String(url.suffix(36))]
            )
            #expect(source.status == 404)
        }
    }

    @Test("Without a valid session, programs get 401 and browsers the sign-in page")
    func signedOut() async throws {
        try await withTracking { tracking in
            let signedOut = tracking.signedOut
            #expect(try await signedOut.send(.get, "/tracking/items").status == 401)
            let page = try await signedOut.page("/tracking/items")
            #expect(page.status == 303)
            #expect(page.header("location")?.hasPrefix("/sign-in?return=") == true)
            let anna = try await tracking.person("anna@example.org")
            #expect(try await anna.send(.delete, "/session").status == 204)
            let late = try await anna.send(.post, "/tracking/items", json: ["name": "Keys"])
            #expect(late.status == 401)
            #expect(try late.error().text("code") == "unauthenticated")
        }
    }
}
