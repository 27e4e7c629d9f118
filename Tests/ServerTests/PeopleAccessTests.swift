import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import Server
import Storage
import Testing
import TestSupport
import Tracking
import WebCore

/// Every route of people's positions for every kind of reader, from the server's own list.
@Suite("Access to people's positions")
struct PeopleAccessTests {
    private static let leave = "DELETE /tracking/people/{person}"
    /// The routes about another person's position. A new route must be added here.
    private static let ofOthers: Set<String> = [
        "GET /tracking/people/{person}", leave, "POST /tracking/people/{person}/rules",
        "GET /tracking/people/{person}/rules/new", "GET /tracking/people/{person}/rules/{ruleId}",
        "PUT /tracking/people/{person}/rules/{ruleId}", "DELETE /tracking/people/{person}/rules/{ruleId}",
    ]
    /// The routes that show and change only what is the reader's own, and which everyone may use.
    private static let own: Set<String> = [
        "GET /my-position", "PUT /my-position", "POST /my-position/shares", "DELETE /my-position/shares",
        "DELETE /my-position/shares/{person}", "DELETE /my-position/requests/{person}",
        "DELETE /my-position/rules/{ruleId}",
    ]
    private static let ofHousehold = "PUT /tracking/people/{person}/request"
    private static let list = "GET /tracking/people"
    private static let latitude = "50.77531"

    private static func name(_ entry: RouteEntry) -> String { "\(entry.method.rawValue) \(entry.path)" }

    private static func body(_ entry: RouteEntry, place: String) -> String {
        switch name(entry) {
        case "PUT /my-position": #"{"latitude":1,"longitude":2}"#
        case "POST /my-position/shares": #"{"personIds":[],"duration":"1h"}"#
        default: entry.path.contains("/rules") ? #"{"placeId":"\#(place)","kind":"arrive","timeZone":"UTC"}"# : "{}"
        }
    }

    /// Adds a second parent to a family and returns their token and id.
    private static func parent(
        _ email: String, of family: ChildrenFixture
    ) async throws -> (token: String, id: String) {
        let token = try await ChildrenFixture.join(email, family.server)
        let invitation = try await family.asParent(.post, "/family/invitations", #"{"password":"correct horse"}"#)
        let code = try #require(try invitation.object()["code"] as? String, "\(invitation.html)")
        let joined = try await family.server.send(.post, "/family/parents", #"{"code":"\#(code)"}"#, token: token)
        #expect(joined.status == .created, "\(joined.html)")
        return (token, try await id(of: token, family.server))
    }

    private static func id(of token: String, _ server: ServerHarness) async throws -> String {
        try #require(try await server.send(.get, "/account", token: token).object()["id"] as? String)
    }

    private static let ofNone = ["DELETE /my-position/rules/{ruleId}", "DELETE /my-position/requests/{person}"]

    @Test("Every route serves exactly those who may use it", arguments: Engine.allCases)
    func matrix(engine: Engine) async throws {
        try await withChildren(engine) { family async throws in
            let server = family.server
            let mia = try await Self.id(of: family.parent, server)
            let chosen = try await Self.parent("chosen@example.org", of: family)
            let former = try await Self.parent("former@example.org", of: family)
            let other = try await Self.parent("other@example.org", of: family)
            let body = #"{"personIds":["\#(chosen.id)","\#(former.id)"],"duration":"off"}"#
            #expect(try await family.asParent(.post, "/my-position/shares", body).status == .created)
            let position = #"{"latitude":\#(Self.latitude),"longitude":6.08,"accuracy":5}"#
            #expect(try await family.asParent(.put, "/tracking/position", position).status == .noContent)
            let end = try await family.asParent(.delete, "/my-position/shares/\(former.id)", "{}")
            #expect(end.status == .noContent)
            let made = try await server.send(
                .post, "/tracking/safe-places", #"{"name":"Home","latitude":1,"longitude":2}"#, token: chosen.token)
            let place = try #require(try made.object()["id"] as? String)
            let ruled = try await server.send(
                .post, "/tracking/people/\(mia)/rules",
                #"{"placeId":"\#(place)","kind":"arrive","timeZone":"UTC"}"#, token: chosen.token)
            let rule = try #require(try ruled.object()["id"] as? String, "\(ruled.html)")

            let routes = server.server.web.routes.filter {
                $0.path.hasPrefix("/tracking/people") || $0.path.hasPrefix("/my-position")
            }
            #expect(
                Set(routes.map(Self.name))
                    == Self.ofOthers.union(Self.own).union([Self.ofHousehold, Self.list]))
            let readers = [
                ("stranger", family.neighbour), ("other", other.token), ("former", former.token),
                ("child", family.token), ("chosen", chosen.token),
            ]
            // The deletion of the rule comes last, so that the chosen reader finds it before.
            for entry in routes.sorted(by: { $0.method != .delete && $1.method == .delete }) {
                let name = Self.name(entry)
                // It ends what the other routes need.
                if name == Self.leave { continue }
                for (reader, token) in readers {
                    let path = entry.path.replacing("{person}", with: mia).replacing("{ruleId}", with: rule)
                    let answer = try await server.send(
                        entry.method, path, Self.body(entry, place: place), token: token)
                    let status = answer.status
                    let text = answer.html
                    #expect(status.code < 500, "\(name) for \(reader): \(text)")
                    if reader != "chosen" { #expect(!text.contains(Self.latitude), "\(name) for \(reader)") }
                    if reader == "child", !Self.own.contains(name) {
                        #expect(status == .forbidden, "\(name) for \(reader): \(status)")
                    } else if Self.ofOthers.contains(name) {
                        let isServed = status != .notFound && status != .forbidden
                        #expect(isServed == (reader == "chosen"), "\(name) for \(reader): \(status) \(text)")
                    } else if name == Self.ofHousehold {
                        #expect((status == .noContent) == (reader != "stranger"), "\(name) for \(reader): \(status)")
                    } else {
                        // The rule is about another person than the reader, and no one asked for the reader's position.
                        let isForeign = Self.ofNone.contains(name)
                        #expect((status == .notFound) == isForeign, "\(name) for \(reader): \(status)")
                        #expect(status != .forbidden, "\(name) for \(reader)")
                    }
                }
            }
            let seen = try await server.send(.get, "/tracking/people", token: chosen.token)
            #expect(seen.html.contains(Self.latitude))
            // Nothing that the readers did changed what Mia shares.
            let mine = try await family.asParent(.get, "/my-position").object()
            #expect((mine["shares"] as? [[String: Any]])?.compactMap { $0["personId"] as? String } == [chosen.id])
            for (reader, token) in readers {
                let status = try await server.send(.delete, "/tracking/people/\(mia)", "{}", token: token).status
                let expected: HTTPResponse.Status =
                    reader == "chosen" ? .noContent : reader == "child" ? .forbidden : .notFound
                #expect(status == expected, "\(reader)")
            }
            let after = try await family.asParent(.get, "/my-position").object()
            #expect((after["shares"] as? [[String: Any]])?.isEmpty == true)
            let feed = try await server.send(.get, "/notifications", token: family.parent).html
            #expect(feed.contains("You no longer share your position with"))
        }
    }

    @Test(
        "A parent who leaves the family and a child who is deleted see and show nothing any more",
        arguments: Engine.allCases)
    func departures(engine: Engine) async throws {
        try await withChildren(engine) { family async throws in
            let server = family.server
            let leaver = try await Self.parent("leaver@example.org", of: family)
            let mia = try await Self.id(of: family.parent, server)
            let share = { (person: String) in #"{"personIds":["\#(person)"],"duration":"1h"}"# }
            #expect(try await family.asParent(.post, "/my-position/shares", share(leaver.id)).status == .created)
            #expect(try await family.asChild(.post, "/my-position/shares", share(leaver.id)).status == .created)
            let back = try await server.send(.post, "/my-position/shares", share(mia), token: leaver.token)
            #expect(back.status == .created)
            let position = #"{"latitude":\#(Self.latitude),"longitude":6.08}"#
            #expect(try await family.asChild(.put, "/my-position", position).status == .noContent)
            let seen = try await server.send(.get, "/tracking/people", token: leaver.token)
            #expect(seen.html.contains(Self.latitude))
            let left = try await server.send(
                .delete, "/family/parents/\(leaver.id)", #"{"password":"correct horse"}"#, token: leaver.token)
            #expect(left.status == .noContent, "\(left.html)")
            for (token, name) in [(leaver.token, "leaver"), (family.parent, "parent")] {
                let items = try await server.send(.get, "/tracking/people", token: token).object()["items"]
                #expect((items as? [Any])?.isEmpty == true, "\(name)")
            }
            let state = try await family.asChild(.get, "/my-position").object()
            #expect(state["isSharing"] as? Bool == false)
            #expect(try await server.services.database.count("phone_position") == 0)

            #expect(try await family.asChild(.post, "/my-position/shares", share(mia)).status == .created)
            #expect(try await family.asChild(.put, "/my-position", position).status == .noContent)
            let deletion = try await family.asParent(.delete, "/family/children/\(family.child)", "{}")
            #expect(deletion.status == .noContent)
            #expect(try await server.services.database.count("position_share") == 0)
            #expect(try await server.services.database.count("phone_position") == 0)
        }
    }

    @Test("Every page says that the position is shared, at once and until the end")
    func sign() async throws {
        try await withChildren { family async throws in
            let mia = try await Self.id(of: family.parent, family.server)
            func isShown(_ path: String) async throws -> Bool {
                let page = try await family.browse(.get, path).html
                let sign = try #require(page.firstMatch(of: #/<a class="sharing-sign"[^>]*>/#), "\(path)")
                return !sign.output.contains(" hidden")
            }
            let pages = ["/family", "/family/account", "/notifications", "/my-position", "/family/shop"]
            for page in pages { #expect(try await !isShown(page)) }
            let body = #"{"personIds":["\#(mia)"],"duration":"1h"}"#
            #expect(try await family.asChild(.post, "/my-position/shares", body).status == .created)
            for page in pages { #expect(try await isShown(page), "\(page)") }
            family.server.clock.advance(seconds: 60 * 60)
            for page in pages { #expect(try await !isShown(page), "\(page) after the end") }
        }
    }
}
