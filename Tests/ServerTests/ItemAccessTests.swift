import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import Server
import Testing
import TestSupport
import Tracking
import WebCore

/// Every route of an item for every kind of reader, from the server's own list.
@Suite("Access to shared items")
struct ItemAccessTests {
    /// The access that each route of an item needs. A new route must be added here.
    private static let required: [String: ItemAccess] = [
        "GET /tracking/items/{id}": .see, "PATCH /tracking/items/{id}": .own, "DELETE /tracking/items/{id}": .own,
        "GET /tracking/items/{id}/edit": .own, "GET /tracking/items/{id}/delete": .own,
        "GET /tracking/items/{id}/fixes": .see, "GET /tracking/items/{id}/commands": .see,
        "POST /tracking/items/{id}/commands": .locate, "GET /tracking/items/{id}/navigation": .see,
        "POST /tracking/items/{id}/navigation": .see,
        "GET /tracking/items/{id}/tracker": .own, "PUT /tracking/items/{id}/tracker": .own,
        "DELETE /tracking/items/{id}/tracker": .own,
        "POST /tracking/items/{id}/registration": .own,
        "GET /tracking/items/{id}/people": .see, "POST /tracking/items/{id}/people": .manage,
        "PATCH /tracking/items/{id}/people/{person}": .manage,
        "DELETE /tracking/items/{id}/people/{person}": .manage,
        "PATCH /tracking/items/{id}/membership": .see,
        "DELETE /tracking/items/{id}/membership": .see, "POST /tracking/items/{id}/membership/replay": .see,
        "GET /tracking/items/{id}/lost": .manage, "PUT /tracking/items/{id}/lost": .manage,
        "DELETE /tracking/items/{id}/lost": .manage,
        "GET /tracking/items/{id}/label": .manage, "POST /tracking/items/{id}/label": .manage,
        "GET /tracking/items/{id}/finder-reports": .manage,
        "GET /tracking/items/{id}/finder-reports/{reportId}": .manage,
        "DELETE /tracking/items/{id}/finder-reports/{reportId}": .manage,
        "PUT /tracking/items/{id}/finder-reports/{reportId}/reply": .manage,
        "GET /tracking/items/{id}/finder-reports/{reportId}/navigation": .manage,
        "POST /tracking/items/{id}/finder-reports/{reportId}/navigation": .manage,
        "PUT /tracking/items/{id}/parking": .manage,
        "DELETE /tracking/items/{id}/parking": .manage, "POST /tracking/items/{id}/replay": .own,
        "GET /tracking/items/{id}/geofences": .see, "POST /tracking/items/{id}/geofences": .see,
        "GET /tracking/items/{id}/geofences/new": .see, "POST /tracking/items/{id}/geofences/replay": .see,
        "GET /tracking/items/{id}/geofences/{geofenceId}": .see,
        "PUT /tracking/items/{id}/geofences/{geofenceId}": .see,
        "DELETE /tracking/items/{id}/geofences/{geofenceId}": .see,
        "GET /tracking/items/{id}/days": .see, "GET /tracking/items/{id}/days/{date}": .see,
        "GET /tracking/items/{id}/stays": .see, "GET /tracking/items/{id}/trips/{start}": .see,
        "POST /tracking/items/{id}/invitations": .manage,
        "DELETE /tracking/items/{id}/invitations/{invitation}": .manage,
    ]

    private static let registration: String = {
        let key = String(repeating: "1", count: 64)
        return #"{"publicKey":"\#(key)","codeHash":"\#(key)","challenge":"\#(key.prefix(32))"}"#
    }()

    private static let geofence = """
        {"placeId":"01890000-0000-7000-8000-000000000000","kind":"arrive","dwellMinutes":0,
        "days":["MO"],"timeZone":"Europe/Berlin"}
        """

    /// Bodies with which the request would succeed, or fail only after the access was checked.
    private static let bodies: [String: String] = [
        "POST /tracking/items/{id}/commands": #"{"kind":"locate"}"#,
        "POST /tracking/items/{id}/people": #"{"personId":"01890000-0000-7000-8000-000000000000","access":"see"}"#,
        "PATCH /tracking/items/{id}/people/{person}": #"{"access":"see"}"#,
        "POST /tracking/items/{id}/invitations": #"{"access":"see"}"#,
        "PUT /tracking/items/{id}/tracker": #"{"code":"ABCD-EFGH"}"#,
        "PATCH /tracking/items/{id}": #"{"name":"Other"}"#,
        "POST /tracking/items/{id}/navigation": #"{"to":"apple"}"#,
        "POST /tracking/items/{id}/finder-reports/{reportId}/navigation": #"{"to":"apple"}"#,
        "POST /tracking/items/{id}/registration": registration,
        "POST /tracking/items/{id}/geofences": geofence, "POST /tracking/items/{id}/geofences/replay": geofence,
        "PUT /tracking/items/{id}/geofences/{geofenceId}": geofence,
        "PUT /tracking/items/{id}/lost": #"{"message":"Call me"}"#,
        "PUT /tracking/items/{id}/finder-reports/{reportId}/reply": #"{"message":"Thanks"}"#,
    ]

    @Test("Every route of an item serves exactly those who may use it")
    func matrix() async throws {
        try await withServer { harness async throws in
            let ada = try await harness.join("ada@example.org")
            let added = try await harness.send(.post, "/tracking/items", #"{"name":"Keys"}"#, token: ada)
            let item = try #require(try added.object()["id"] as? String)
            var readers: [(name: String, token: String, access: ItemAccess?)] = []
            for access in ItemAccess.grantable {
                let token = try await harness.join("\(access)@example.org")
                try await harness.share(item, access, from: ada, with: token)
                readers.append(("\(access)", token, access))
            }
            let former = try await harness.join("former@example.org")
            try await harness.share(item, .manage, from: ada, with: former)
            let left = try await harness.send(.delete, "/tracking/items/\(item)/membership", "{}", token: former)
            #expect(left.status == .noContent)
            readers.append(("former", former, nil))
            readers.append(("stranger", try await harness.join("eve@example.org"), nil))

            let routes = harness.server.web.routes.filter { $0.path.hasPrefix("/tracking/items/{id}") }
            #expect(Set(routes.map { "\($0.method.rawValue) \($0.path)" }) == Set(Self.required.keys))
            for route in routes {
                let name = "\(route.method.rawValue) \(route.path)"
                let needed = try #require(Self.required[name], "\(name) isn't in the list of this test")
                for reader in readers {
                    // Leaving would change the reader; the test of sharing covers it.
                    if name.hasPrefix("DELETE"), name.hasSuffix("/membership"), reader.access != nil { continue }
                    let path = Self.path(route.path, item)
                    let answer = try await harness.send(
                        route.method, path, Self.bodies[name] ?? "{}", token: reader.token)
                    let status = answer.status
                    guard let access = reader.access else {
                        #expect(status == .notFound, "\(name) for \(reader.name): \(status)")
                        continue
                    }
                    if access < needed {
                        #expect(status == .forbidden, "\(name) for \(reader.name): \(status)")
                    } else {
                        #expect(
                            status != .forbidden && status.code < 500, "\(name) for \(reader.name): \(status)")
                    }
                }
            }
        }
    }

    private static func path(_ pattern: String, _ item: String) -> String {
        pattern.replacingOccurrences(of: "{id}", with: item).split(separator: "/").reduce("") { path, step in
            path + "/" + (step.hasPrefix("{") ? "01890000-0000-7000-8000-000000000000" : String(step))
        }
    }
}

extension ServerHarness {
    /// Shares an item by an invitation.
    fileprivate func share(_ item: String, _ access: ItemAccess, from owner: String, with guest: String) async throws {
        let made = try await send(
            .post, "/tracking/items/\(item)/invitations",
            #"{"access":"\#(access.rawValue)","password":"correct horse"}"#, token: owner)
        let url = try #require(try made.object()["url"] as? String)
        let code = try #require(url.split(separator: "/").last)
        let joined = try await send(.post, "/tracking/invitations", #"{"code":"\#(code)"}"#, token: guest)
        #expect(joined.status == .created)
    }
}
