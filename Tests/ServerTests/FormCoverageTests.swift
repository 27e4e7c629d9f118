import Foundation
import HTTPTypes
import Kernel
import Server
import TestSupport
import Testing
import WebCore

/// A form with several fields must be in the table of ``FormFaultTests``.
@Suite("All forms with several fields are tested")
struct FormCoverageTests {
    /// Routes whose forms have at most one field that can be invalid. The other fields are sent by scripts and
    /// programs, or are choices and hidden fields.
    private static let withoutForm: Set<String> = [
        "POST /account/apps/{}", "POST /account/confirmation", "POST /account/identities", "POST /account/proofs/{}",
        "POST /account/import/run", "PATCH /account/notifications", "POST /sign-in/passkey", "POST /lock/passkeys",
        "POST /lock/passkeys/challenge", "POST /lock/passkeys/unlocking", "PUT /notifications/reading",
        "PUT /notifications/subscription", "PUT /tracking/position", "PUT /tracking/items/{}/tracker",
        "POST /tracking/items/{}/registration", "POST /tracking/sources", "POST /tracking/items/{}/people",
        "POST /family/children/{}/assignments",
        "POST /family/children/{}/requests", "POST /family/children/{}/swaps", "POST /family/requests/approvals",
        "POST /family/children/{}/purchases", "POST /found", "POST /found/items/{}",
        "POST /tracking/live-links", "POST /live/{}/position", "PUT /my-position", "POST /my-position/shares",
    ]
    /// Routes whose forms have separate tests: they are for visitors who aren't signed in, compare two fields, or have
    /// a variable number of rows.
    private static let testedElsewhere: Set<String> = [
        "POST /accounts", "POST /session", "POST /setup", "PUT /lock/passcode", "PUT /password-resets/{}",
        "POST /family/children/{}/contracts",
        // Its form requires a proof: WalletAdministrationRoutesTests.
        "POST /admin/wallets/{}/payments",
        // Its form requires a proof: PayoutRoutesTests.
        "PUT /admin/payment-instructions",
        // Its form is for an own offer: e2e/carrepsa/test_package_places.py.
        "PUT /carrepsa/packages/{}",
        // A button of the same form: CarrepsaFormTests.
        "POST /carrepsa/price-suggestions",
        // It has the form of POST /carrepsa/trips: CarrepsaTripPageTests.
        "PUT /carrepsa/trips/{}",
        // Its form requires money in the wallet: CarrepsaPayoutPageTests.
        "POST /carrepsa/payout-requests",
        // Its form is for the owner of a package: CarrepsaRecipientPageTests.
        "PUT /carrepsa/packages/{}/recipient",
        // Their forms require an accepted package: e2e/carrepsa/test_messages.py.
        "POST /carrepsa/packages/{}/messages", "POST /carrepsa/packages/{}/messages/{}/report",
        // The forms of photos: e2e/carrepsa/test_proofs.py and test_disputes.py.
        "POST /carrepsa/packages/{}/proofs", "POST /carrepsa/packages/{}/statements",
        // Its form is for people with whom an item is shared: e2e/tracking/test_sharing.py.
        "PATCH /tracking/items/{}/membership",
        // Their forms are about people with whom an item is shared: e2e/tracking/test_sharing.py.
        "PATCH /tracking/items/{}/people/{}", "POST /tracking/items/{}/invitations",
        // The form of an item's rule, about a person who shares their position: e2e/tracking/test_people.py.
        "POST /tracking/people/{}/rules", "PUT /tracking/people/{}/rules/{}",
        // Its form requires a proof: StorageAdministrationTests.
        "PUT /admin/storage/{}",
    ]
    /// Routes that respond before they read fields, because their resource doesn't exist here, or because they are for
    /// children or shared tablets.
    private static let unread: Set<String> = [
        "DELETE /account/access-tokens/{} 404",
        "DELETE /account/identities/{} 404",
        "DELETE /account/import 404",
        "DELETE /account/passkeys/{} 404",
        "DELETE /account/pending-email 404",
        "DELETE /account/sessions/{} 404",
        "DELETE /admin/invitations/{} 404",
        "DELETE /carrepsa/packages/{}/acceptance 404",
        "DELETE /carrepsa/packages/{}/cancellation-request 404",
        "DELETE /carrepsa/message-reports/{} 404",
        "DELETE /carrepsa/packages/{}/recipient 404",
        "DELETE /carrepsa/packages/{}/recipient/link 404",
        "DELETE /carrepsa/packages/{}/split-offer 404",
        "DELETE /carrepsa/payout-requests/{} 404",
        "DELETE /carrepsa/people/{}/block 404",
        "DELETE /carrepsa/trips/{} 404",
        "DELETE /family/children/{}/assignments/{} 404",
        "DELETE /family/children/{}/contracts/{}/levels/{}/handover 404",
        "DELETE /family/children/{}/devices/{} 404",
        "DELETE /family/children/{}/goal 403",
        "DELETE /family/children/{}/wishes/{} 404",
        "DELETE /family/chores/{} 404",
        "DELETE /family/chores/{}/schedule 404",
        "DELETE /family/chores/{}/skips/{} 404",
        "DELETE /family/invitations/{} 404",
        "DELETE /family/parents/{}/removal 404",
        "DELETE /family/pauses/{} 404",
        "DELETE /family/shop/{} 404",
        "DELETE /family/swaps/{} 404",
        "DELETE /family/tablet/children/{}/requests/{} 403",
        "DELETE /family/tablet/children/{}/turns/{}/{} 403",
        "DELETE /family/tablets/{} 404",
        "DELETE /lock/unlocking 409",
        "DELETE /my-position/requests/{} 404",
        "DELETE /my-position/rules/{} 404",
        "DELETE /notifications/subscription 404",
        "DELETE /pictures/{} 404",
        "DELETE /tracking/items/{}/invitations/{} 404",
        "DELETE /tracking/items/{}/membership 404",
        "DELETE /tracking/items/{}/people/{} 404",
        "DELETE /tracking/items/{}/finder-reports/{} 404",
        "DELETE /tracking/items/{}/lost 404",
        "DELETE /tracking/items/{}/geofences/{} 404",
        "DELETE /tracking/items/{}/parking 404",
        "DELETE /tracking/items/{}/tracker 404",
        "DELETE /tracking/live-links/{} 404",
        "DELETE /tracking/people/{} 404",
        "DELETE /tracking/people/{}/rules/{} 404",
        "DELETE /tracking/sources/{} 404",
        "POST /account/import 415",
        "POST /admin/jobs/{}/retries 404",
        "POST /admin/payout-requests/{}/refusal 404",
        "POST /admin/providers/{}/tests 404",
        "POST /carrepsa/packages/{}/acceptance 404",
        "POST /carrepsa/place-searches 404",
        "POST /carrepsa/packages/{}/cancellation-request 404",
        "POST /carrepsa/packages/{}/decision/acceptance 404",
        "POST /carrepsa/packages/{}/delivery-report 404",
        "POST /carrepsa/packages/{}/recipient/link 404",
        "POST /carrepsa/packages/{}/split-offer/acceptance 404",
        "POST /deliveries/{}/refusal 404",
        "POST /email-undos/{} 404",
        "POST /email-verifications/{} 404",
        "POST /family/children/{}/purchases/{}/approval 404",
        "POST /family/children/{}/purchases/{}/refund 404",
        "POST /family/chores/{}/restoration 404",
        "POST /family/shop/{}/restoration 404",
        "POST /family/tablet/children/{}/picture-pin 403",
        "POST /family/tablet/children/{}/requests 403",
        "POST /notifications/test 409",
        "POST /pictures 415",
        "POST /tracking/items/{}/label 404",
        "PUT /family/children/{}/contracts/{}/levels/{}/handover 404",
        "PUT /family/chores/{}/skips/{} 404",
        "PUT /family/swaps/{}/acceptance 404",
        "PUT /family/swaps/{}/approval 404",
        "PUT /family/tablet/children/{}/turns/{}/{} 403",
        "PUT /carrepsa/people/{}/block 404",
        "PUT /tracking/items/{}/parking 404",
        "PUT /tracking/people/{}/request 404",
        "PUT /tracking/sources/{}/secret 404",
    ]

    private static let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources")

    /// The names of all fields that a handler reads, from the sources of the web modules.
    private static func fieldNames() throws -> Set<String> {
        var names: Set<String> = []
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        for case let file as URL in files where file.pathExtension == "swift" && file.path().contains("Web/") {
            let text = try String(contentsOf: file, encoding: .utf8)
            for match in text.matches(of: #/\("([a-zA-Z]+(?:\.[a-zA-Z]+)?)"/#) { names.insert(String(match.output.1)) }
        }
        // These choose the page, and aren't input.
        return names.subtracting(["view", "return", "idempotencyKey", "version", "ask", "from"])
    }

    /// A body in which every field has a value of the wrong type.
    private static func wrongBody() throws -> [String: any Sendable] {
        let wrong: [String: any Sendable] = ["wrong": true]
        var body: [String: any Sendable] = [:]
        for name in try fieldNames().sorted() {
            let parts = name.split(separator: ".").map(String.init)
            if parts.count == 1 {
                if body[name] == nil { body[name] = wrong }
            } else {
                var inner = body[parts[0]] as? [String: any Sendable] ?? [:]
                inner[parts[1]] = wrong
                body[parts[0]] = inner
            }
        }
        let entry: [String: any Sendable] = ["reward": wrong, "points": wrong, "choreId": wrong]
        return body.merging(["levels": [entry], "chores": [entry]]) { $1 }
    }

    private static func shape(_ method: HTTPRequest.Method, _ path: String) -> String {
        "\(method.rawValue) \(path.replacing(#/\{\w+\}/#, with: "{}"))"
    }

    @Test("A route that reads several fields is in the table, or no form sends it")
    func complete() async throws {
        try await withCarrepsa { site in
            let body = try Self.wrongBody()
            let tested = Set(FormFaultTests.faults.map { Self.shape($0.method, $0.path) })
            let olga = try await site.person("Olga", isOperator: true)
            let ids = try await Self.ids(for: olga)
            var missing: [String] = []
            var unread: Set<String> = []
            var several: Set<String> = []
            let writes: Set<HTTPRequest.Method> = [.post, .put, .patch, .delete]
            for route in olga.server.server.web.routes where writes.contains(route.method) && route.access != .device {
                // Each with a separate session, because some end it.
                let session = try await site.signedOut.send(
                    .post, "/session", json: ["email": "olga@example.org", "password": "correct horse"])
                let token = try #require(try session.object().text("token"))
                let visitor = CarrepsaTestClient(site: site, name: "Olga", id: olga.id, token: token, cookie: nil)
                let shape = Self.shape(route.method, route.path)
                let reply = try await visitor.send(route.method, Self.path(route.path, ids), json: body)
                switch reply.status {
                case 200..<300: break
                case 422:
                    guard try reply.error().object("fields").members.count > 1 else { break }
                    several.insert(shape)
                    if !tested.union(Self.withoutForm).union(Self.testedElsewhere).contains(shape) {
                        missing.append("\(shape): \(try reply.error().object("fields").keys)")
                    }
                default: unread.insert("\(shape) \(reply.status)")
                }
            }
            #expect(missing.isEmpty, "\(missing.sorted().joined(separator: "\n"))")
            #expect(unread.sorted() == Self.unread.sorted(), "\(unread.sorted().joined(separator: "\n"))")
            #expect(tested.subtracting(several).isEmpty, "\(tested.subtracting(several))")
            #expect(Self.withoutForm.union(Self.testedElsewhere).subtracting(several).isEmpty)
        }
    }

    /// The ids of existing resources, by the part of a path before the id.
    private static func ids(for olga: CarrepsaTestClient) async throws -> [String: String] {
        _ = try await olga.send(.patch, "/account", json: ["dateOfBirth": "1990-01-01"])
        func id(_ path: String, _ json: [String: any Sendable]) async throws -> String {
            try #require(try await olga.send(.post, path, json: json).object().text("id"), "\(path)")
        }
        let child = try await id("/family/children", ["name": "Kim", "dateOfBirth": "2018-01-01"])
        let place = try await id("/tracking/safe-places", ["name": "Home", "latitude": 50, "longitude": 7])
        let package = try await olga.offer()
        return [
            "/family/children/": child, "/tracking/items/": try await id("/tracking/items", ["name": "Keys"]),
            "/tracking/safe-places/": place, "/carrepsa/packages/": String(package.split(separator: "/").last ?? ""),
            "/family/parents/": olga.id, "/fields/": "name", "/apps/": "family", "/proofs/": "export",
            "/choices/": "theme", "/levels/": "1",
        ]
    }

    private static func path(_ pattern: String, _ ids: [String: String]) -> String {
        pattern.split(separator: "/").reduce("") { path, step in
            guard step.hasPrefix("{") else { return "\(path)/\(step)" }
            return path + "/" + (ids.first { "\(path)/".hasSuffix($0.key) }?.value ?? ids["/family/parents/"] ?? "")
        }
    }
}
