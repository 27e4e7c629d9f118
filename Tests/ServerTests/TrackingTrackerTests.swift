import HTTPTypes
import Kernel
import TestSupport
import Testing
import Tracking
import TrackerProtocol

/// A tracker from first contact to release, over HTTP, as the item's owner and the tracker see it.
@Suite("Tracking: trackers over HTTP")
struct TrackingTrackerTests {
    @Test("T-2-1, T-3-2-1, T-3-6-3: Pair by code, report, switch off and on, delete and release")
    func life() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = try await anna.item("Keys")
            var tracker = try await TrackerClient(tracking)
            let paired = try await anna.send(
                .put, url + "/tracker", json: ["code": tracker.code.description.lowercased()])
            #expect(paired.status == 200)
            #expect(try paired.object().text("id") == tracker.id.description)
            #expect(try paired.object().text("state") == "registering")
            let first = try await tracker.report(.registering)
            #expect(first.map(\.kind) == [.activate])
            tracking.clock.advance(seconds: 5)
            _ = try await tracker.report(.active, doing: first, at: (50.5, 6.25))
            let active = try await anna.send(.get, url).object()
            #expect(try active.object("tracker").text("state") == "active")
            #expect(try active.object("tracker").flag("pending") == false)
            #expect(try active.object("lastFix").text("source") == "tracker")

            let off = try await anna.submit(url + "/commands", ["kind": "off", "view": "card"], isFragment: true)
            #expect(off.status == 200)
            #expect(off.text.contains("is-pending"))
            #expect(off.text.contains("Turning off…"))
            #expect(off.text.contains("aria-checked=\"false\""))
            tracking.clock.advance(seconds: 5)
            let told = try await tracker.report(.active)
            #expect(told.map(\.kind) == [.off])
            tracking.clock.advance(seconds: 5)
            _ = try await tracker.report(.off, doing: told)
            let quiet = try await anna.send(.get, url).object().object("tracker")
            #expect(quiet.text("state") == "off")
            #expect(quiet.flag("pending") == false)
            let commands = try await anna.send(.get, url + "/commands").object()
            #expect(try commands.texts("items", "kind") == ["off", "activate"])
            #expect(try commands.texts("items", "state") == ["applied", "applied"])

            #expect(try await anna.send(.delete, url).status == 204)
            tracking.clock.advance(seconds: 5)
            let last = try await tracker.report(.off)
            #expect(last.map(\.kind) == [.releaseOff])
        }
    }

    @Test("T-3-2-1: The list says so when the tracker doesn't confirm in time")
    func timesOut() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = try await anna.item("Keys")
            var tracker = try await TrackerClient(tracking, active: url, of: anna)
            #expect(try await anna.send(.post, url + "/commands", json: ["kind": "off"]).status == 202)
            #expect(try await anna.page("/tracking/items").text.contains("Turning off…"))
            tracking.clock.advance(seconds: 21 * 60)
            let late = try await anna.page("/tracking/items")
            #expect(late.text.contains("The tracker has not answered"))
            #expect(!late.text.contains("is-pending"))
            #expect(late.text.contains("No report for 21\u{a0}min"))
            // The tracker reports again and is on: the page shows that, and offers to request its position.
            _ = try await tracker.report(.active)
            let details = try await anna.page(url).text
            #expect(details.contains("The tracker is still on"))
            #expect(!details.contains("The tracker has not answered"), "it has")
            #expect(try await !anna.page("/tracking/items").text.contains("The tracker has not answered"))
            #expect(!details.contains("The tracker is turned off"))
            #expect(try await anna.send(.post, url + "/commands", json: ["kind": "locate"]).status == 202)
        }
    }

    @Test("A locate request is queued, and the page shows that it is in progress")
    func locates() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = try await anna.item("Keys")
            let none = try await anna.send(.post, url + "/commands", json: ["kind": "locate"])
            #expect(none.status == 409)
            _ = try await TrackerClient(tracking, active: url, of: anna)
            let asked = try await anna.send(.post, url + "/commands", json: ["kind": "locate"])
            #expect(asked.status == 202)
            #expect(Set(try asked.object().keys).isSuperset(of: ["id", "kind", "state", "expiresAt"]))
            #expect(try asked.object().text("state") == "queued")
            let page = try await anna.submit(
                url + "/commands", ["kind": "locate", "view": "details"], isFragment: true)
            #expect(page.header("hx-trigger")?.contains("Asking Keys where it is") == true)
            #expect(page.text.contains("id=\"item\""))
            for kind in ["release", "dance", ""] {
                let reply = try await anna.send(.post, url + "/commands", json: ["kind": kind])
                #expect(reply.status == 422, "\(kind)")
            }
        }
    }

    @Test("All wrong codes get the same error, and after five of them a wait")
    func wrongCodes() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = try await anna.item("Keys")
            let tracker = try await TrackerClient(tracking)
            let missing = try await anna.send(.put, url + "/tracker", json: [:])
            #expect(missing.status == 422)
            let form = try await anna.submit(url + "/tracker?_method=put", ["code": "AAAA-AAAA-AAAA"])
            #expect(form.status == 422)
            #expect(form.text.contains("value=\"AAAA-AAAA-AAAA\""))
            #expect(form.text.contains("No tracker is waiting with this code."))
            for _ in 2...5 {
                let reply = try await anna.send(.put, url + "/tracker", json: ["code": "BBBB-BBBB-BBBB"])
                #expect(reply.status == 422)
                #expect(try reply.error().object("fields").text("code") != nil)
            }
            let throttled = try await anna.send(.put, url + "/tracker", json: ["code": tracker.code.description])
            #expect(throttled.status == 429)
            #expect(throttled.header("retry-after") != nil)
            let page = try await anna.submit(url + "/tracker?_method=put", ["code": tracker.code.description])
            #expect(page.status == 429)
            #expect(page.text.contains("Too many wrong codes."))
        }
    }

    @Test("A paired tracker is shown and can be unpaired")
    func unpairs() async throws {
        try await withTracking { tracking in
            let anna = try await tracking.person("anna@example.org")
            let url = try await anna.item("Keys")
            #expect(try await anna.send(.get, url + "/tracker").status == 404)
            let offer = try await anna.page(url + "/tracker?by=bluetooth").text
            #expect(offer.contains("data-bluetooth-start") && offer.contains("name=\"code\""))
            let tracker = try await TrackerClient(tracking)
            let paired = try await anna.submit(url + "/tracker?_method=put", ["code": tracker.code.description])
            #expect(paired.status == 303)
            #expect(paired.header("location") == url)
            let page = try await anna.page(url + "/tracker")
            #expect(page.text.contains("data-confirm=\"Unpair this tracker?\""))
            #expect(try await anna.send(.get, url + "/tracker").object().text("id") == tracker.id.description)
            let other = try await TrackerClient(tracking, seed: 8)
            let second = try await anna.send(.put, url + "/tracker", json: ["code": other.code.description])
            #expect(second.status == 409)
            #expect(try await anna.submit(url + "/tracker?_method=delete", [:]).status == 303)
            #expect(try await anna.send(.get, url).object().isNull("tracker"))
            #expect(try await anna.send(.delete, url + "/tracker").status == 404)
        }
    }

    struct Contact: Sendable {
        let body: String
        let status: Int
    }

    @Test(
        "A first contact requires two valid keys",
        arguments: [
            Contact(body: "{", status: 400),
            Contact(body: "{}", status: 422),
            Contact(body: #"{"publicKey":"00","codeHash":"00"}"#, status: 422),
        ])
    func badContacts(_ contact: Contact) async throws {
        try await withTracking { tracking in
            let reply = try await tracking.signedOut.device(
                .post, "/trackers", body: contact.body, type: "application/json"
            )
            #expect(reply.status == contact.status)
            #expect(try reply.error().text("code") != nil)
        }
    }

    @Test("Unknown trackers and unsigned messages are rejected")
    func strangers() async throws {
        try await withTracking { tracking in
            let tracker = try await TrackerClient(tracking)
            let device = tracking.signedOut
            let unknown = "/trackers/019b7a3e-0000-7000-8000-000000000000/messages"
            #expect(try await device.device(.post, unknown, body: "{}", type: "application/json").status == 404)
            let path = TrackerHTTP.messagesPath(of: tracker.id)
            #expect(try await device.device(.post, path, body: "{}", type: "application/json").status == 401)
            let long = String(repeating: " ", count: 70_000)
            #expect(try await device.device(.post, path, body: long, type: "application/json").status == 413)
        }
    }
}

/// The tracker's side of the protocol.
struct TrackerClient {
    let id: TrackerID
    let code: ClaimCode
    private let site: TrackingTestServer
    private let channel: TrackerChannel
    private var counter: Int64 = 0

    /// Creates a tracker by its first contact.
    init(_ site: TrackingTestServer, seed: UInt64 = 7) async throws {
        let random = SeededRandom(seed: seed)
        let keys = try KeyPair(random: random)
        code = ClaimCode(random: random)
        self.site = site
        let body =
            #"{"publicKey":"\#(Hexadecimal.encoded(keys.publicKey))","codeHash":"\#(Hexadecimal.encoded(code.hash))"}"#
        let reply = try await site.signedOut.device(.post, "/trackers", body: body, type: "application/json")
        try #require(reply.status == 201)
        id = try #require(try TrackerID(reply.object().text("id") ?? ""))
        let server = try #require(try Hexadecimal.decoded(reply.object().text("publicKey") ?? "", count: 32))
        channel = TrackerChannel(tracker: id, keys: try TrackerKeys(tracker: keys, serverPublicKey: server))
    }

    /// Pairs with the item and executes the activation command.
    init(_ site: TrackingTestServer, active item: String, of owner: TrackingTestClient) async throws {
        try await self.init(site)
        try #require(try await owner.send(.put, item + "/tracker", json: ["code": code.description]).status == 200)
        let commands = try await report(.registering)
        site.clock.advance(seconds: 5)
        _ = try await report(.active, doing: commands)
    }

    /// Sends a message that acknowledges `doing` as done, and returns the pending commands.
    mutating func report(
        _ phase: TrackerPhase, doing: [TrackerCommand] = [], at place: (latitude: Double, longitude: Double)? = nil
    ) async throws -> [TrackerCommand] {
        counter += 1
        let now = site.clock.now
        let fixes = try place.map { [try TrackerFix(at: now, latitude: $0.latitude, longitude: $0.longitude)] } ?? []
        let uplink = Uplink(
            counter: counter, at: now, phase: phase, mode: .cellular, batteryPercent: 90, fixes: fixes,
            acknowledgements: doing.map { Acknowledgement(id: $0.id, result: .applied) }
        )
        let sealed = channel.seal(uplink)
        let reply = try await site.signedOut.device(
            .post, TrackerHTTP.messagesPath(of: id), body: String(decoding: sealed.body, as: UTF8.self),
            type: "application/json", headers: [TrackerHTTP.signatureHeader: sealed.signature]
        )
        try #require(reply.status == 200)
        let answer = try channel.open(
            Array(reply.text.utf8), signature: reply.header(TrackerHTTP.signatureHeader), counter: counter
        )
        guard case .accepted(let downlink) = answer else { return [] }
        return downlink.commands
    }
}
