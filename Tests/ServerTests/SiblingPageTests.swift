import HTTPTypes
import TestSupport
import Testing

/// What a child can do about a sibling.
@Suite("Family: a sibling's page")
struct SiblingPageTests {
    /// The content of an element that a page has once, with its opening tag.
    private static func element(_ name: String, of page: String) throws -> Substring {
        let start = try #require(page.firstRange(of: "<\(name) "))
        let rest = page[start.lowerBound...]
        let end = try #require(rest.firstRange(of: "</\(name)>"))
        return rest[..<end.lowerBound]
    }

    @Test("F-15-B: A sibling's page has no actions, and every change of a sibling is refused, by page and API")
    func readOnly() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let mia = try await ada.child()
            let ben = try await ada.child("Ben")
            let contract = try await ada.contract(of: ben)
            let dishes = try await ada.chore()
            let given = try await ada.assign([dishes: 3], to: ben)
            let before = try await ada.send(.get, ben).text
            let device = try await site.device(of: mia, by: ada)

            let page = try await device.page(ben).text
            // Above it are the banners of all pages.
            let main = try #require(
                Self.element("main", of: page).split(separator: "<div class=\"main\">", maxSplits: 1).last)
            #expect(main.contains("Reward 1"))
            for control in ["<form", "<button", "<input"] { #expect(!main.contains(control), "\(control)") }
            #expect(try !Self.element("header", of: page).contains("bar-icon"))

            let level: [String: any Sendable] = ["reward": "Zoo", "points": 5]
            let entry: [String: any Sendable] = ["choreId": dishes, "points": 3]
            let tries: [(HTTPRequest.Method, String, [String: any Sendable]?)] = [
                (.patch, ben, ["name": "Benno"]), (.delete, ben, nil),
                (.post, "\(ben)/contracts", ["maxPoints": 5, "levels": [level]]),
                (.put, "\(contract)/levels/1/handover", nil),
                (.post, "\(ben)/assignments", ["chores": [entry]]),
                (.delete, "\(ben)/assignments/\(given[0])", nil),
                (.post, "\(ben)/requests", ["choreId": dishes]), (.get, "\(ben)/requests", nil),
                (.post, "\(ben)/sign-in-codes", [:]), (.delete, "\(ben)/sign-in-codes", nil),
                (.get, "\(ben)/devices", nil),
            ]
            for (method, path, body) in tries {
                let refused = try await device.send(method, path, json: body)
                #expect(refused.status == 403, "\(method) \(path) \(refused.text)")
                guard body != nil else { continue }
                // The same request from a handmade form.
                let query = method == .post ? "" : "?_method=\(method.rawValue.lowercased())"
                let form = try await device.submit(path + query, ["name": "Benno", "choreId": dishes])
                #expect([303, 403].contains(form.status), "\(method) \(path) \(form.text)")
            }
            for part in ["edit", "contracts/new", "assignments/new", "sign-in-codes"] {
                #expect(try await device.page("\(ben)/\(part)").status == 403, "\(part)")
            }
            #expect(try await ada.send(.get, ben).text == before)
        }
    }
}
