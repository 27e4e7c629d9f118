import Accounts
import Kernel
import Storage
import TestSupport
import Testing

@testable import Tracking

@Suite("Reports of position sources")
struct IngestTests {
    @Test("A report becomes the item's last position and its history", arguments: Engine.allCases)
    func report(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (item, secret) = try await fixture.tracked(of: ada)
            #expect(try await fixture.tracking.items.item(item, for: ada).tracker?.state == .bound)
            let more = ["speed": "10", "bearing": "90", "altitude": "35.5", "accuracy": "4.5", "batt": "19"]
            #expect(try await fixture.osmand(secret, 52.5, 13.4, at: fixture.now, more) == .accepted)
            let overview = try await fixture.tracking.items.item(item, for: ada)
            let fix = try #require(overview.lastFix)
            #expect(fix.at == fixture.now)
            #expect(fix.coordinate == Coordinate(latitude: 52.5, longitude: 13.4))
            #expect(fix.accuracyMetres == 4.5)
            #expect(fix.altitudeMetres == 35.5)
            #expect(fix.headingDegrees == 90)
            #expect(fix.batteryPercent == 19)
            #expect(fix.source == .osmand)
            #expect(try await fixture.fixes(of: item, for: ada) == [fix])
            let tracker = try #require(overview.tracker)
            #expect(tracker.kind == .osmand)
            #expect(tracker.state == .active)
            #expect(tracker.wanted == .on)
            #expect(!tracker.pending)
            #expect(!tracker.canSwitch)
            #expect(!tracker.canLocate)
            #expect(tracker.batteryPercent == 19)
            #expect(tracker.lastSeenAt == fixture.now)
            #expect(overview.isBatteryLow)
            #expect(!overview.isSilent)
            #expect(overview.unknownReason == .noPhonePosition)
            let event = try #require(await fixture.events().last { $0.kind == "fix" })
            #expect(event.resource == "/tracking/items/\(item)")
        }
    }

    @Test("A node with a wrong clock accepts current positions", arguments: [-11 * 60, 11 * 60] as [Int64])
    func wrongClock(seconds: Int64) async throws {
        try await withFixture(.postgres, machineClock: OffsetClock(aheadBySeconds: seconds)) { fixture in
            let ada = try await fixture.person()
            let (item, secret) = try await fixture.tracked(of: ada)
            // The test server's clock is this node's; the device and the database have this time.
            let present = fixture.now.adding(seconds: -seconds)
            #expect(try await fixture.osmand(secret, 52.5, 13.4, at: present) == .accepted)
            #expect(try await fixture.fixes(of: item, for: ada).map(\.at) == [present])
            #expect(try await fixture.quarantine(for: ada).isEmpty)
            let future = present.adding(seconds: Limits.fixFutureSeconds + 60)
            #expect(try await fixture.osmand(secret, 52.5, 13.4, at: future) == .accepted)
            #expect(try await fixture.quarantine(for: ada).count == 1)
        }
    }

    @Test("Fifty simultaneous copies of a report are one fix and one event", arguments: Engine.allCases)
    func duplicates(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (item, secret) = try await fixture.tracked(of: ada)
            let at = fixture.now
            let answers = try await withThrowingTaskGroup(of: OsmAndResponse.self) { group in
                for _ in 0..<50 { group.addTask { try await fixture.osmand(secret, 1.25, 2.5, at: at) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.allSatisfy { $0 == .accepted })
            #expect(try await fixture.fixes(of: item, for: ada).count == 1)
            #expect(try await fixture.events().filter { $0.kind == "fix" }.count == 1)
            #expect(try await fixture.quarantine(for: ada).isEmpty)
        }
    }

    @Test("Another position at a known time is quarantined; the first counts", arguments: Engine.allCases)
    func otherPlace(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (item, secret) = try await fixture.tracked(of: ada)
            try await fixture.osmand(secret, 1, 2, at: fixture.now)
            #expect(try await fixture.osmand(secret, 1, 3, at: fixture.now) == .accepted)
            #expect(try await fixture.fixes(of: item, for: ada).map(\.coordinate.longitude) == [2])
            #expect(try await fixture.tracking.items.item(item, for: ada).lastFix?.coordinate.longitude == 2)
            #expect(try await fixture.quarantine(for: ada) == [.otherPlaceAtThatTime])
        }
    }

    @Test("Two devices may be at two positions at the same time", arguments: Engine.allCases)
    func twoDevices(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (item, secret) = try await fixture.tracked(of: ada)
            try await fixture.osmand(secret, 1, 2, at: fixture.now)
            try await fixture.tracking.unpairings.unpair(item, by: Change(actor: ada))
            let other = try await fixture.app(.osmand, for: item, of: ada)
            try await fixture.osmand(other.secret, 5, 6, at: fixture.now)
            #expect(try await fixture.fixes(of: item, for: ada).count == 2)
            #expect(try await fixture.quarantine(for: ada).isEmpty)
            #expect(try await fixture.tracking.items.item(item, for: ada).lastFix?.coordinate.latitude == 1)
        }
    }

    @Test("An older fix joins the history and doesn't change the last position", arguments: Engine.allCases)
    func older(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (item, secret) = try await fixture.tracked(of: ada)
            try await fixture.osmand(secret, 1, 2, at: fixture.now, ["batt": "80"])
            fixture.clock.advance(seconds: 60)
            try await fixture.osmand(secret, 3, 4, at: fixture.now.adding(seconds: -3_600), ["batt": "10"])
            let overview = try await fixture.tracking.items.item(item, for: ada)
            #expect(overview.lastFix?.coordinate == Coordinate(latitude: 1, longitude: 2))
            #expect(overview.tracker?.batteryPercent == 80)
            #expect(overview.tracker?.lastSeenAt == fixture.now)
            #expect(try await fixture.fixes(of: item, for: ada).map(\.coordinate.latitude) == [1, 3])
            #expect(try await fixture.events().filter { $0.kind == "fix" }.count == 2)
        }
    }

    struct Time: Sendable {
        let milliseconds: Int64
        let isTaken: Bool
    }

    @Test("Times before 2000 and more than ten minutes ahead are quarantined", arguments: Engine.allCases)
    func times(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (item, secret) = try await fixture.tracked(of: ada)
            let now = fixture.now
            // Numbers below 2,147,483,647 are seconds.
            let times: [(text: String, isTaken: Bool)] = [
                ("0", false), ("946684799", false), ("946684800", true),
                ("\(now.adding(seconds: 600).millisecondsSince1970)", true),
                ("\(now.adding(seconds: 601).millisecondsSince1970)", false),
                ("\(now.adding(seconds: 365 * 86_400).millisecondsSince1970)", false), ("-5", false),
            ]
            for time in times {
                let before = try await fixture.fixes(of: item, for: ada).count
                let query = [
                    (name: "id", value: secret), (name: "lat", value: "1"), (name: "lon", value: "2"),
                    (name: "timestamp", value: time.text),
                ]
                #expect(try await fixture.tracking.osmAnd.ingest(query: query) == .accepted)
                let after = try await fixture.fixes(of: item, for: ada).count
                #expect(after - before == (time.isTaken ? 1 : 0), "\(time.text)")
            }
            #expect(try await fixture.quarantine(for: ada) == Array(repeating: .timeOutOfRange, count: 5))
        }
    }

    @Test("Invalid credentials are rejected by every protocol", arguments: Engine.allCases)
    func credentials(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let owntracks = try await fixture.app(.owntracks, of: ada)
            let osmand = try await fixture.app(.osmand, of: ada)
            let user = try #require(owntracks.user)
            let body = OwnTracksApp.location(1, 2, at: fixture.now)
            func owntracksAnswer(_ user: String, _ password: String) async throws -> OwnTracksResponse {
                try await fixture.tracking.ownTracks.ingest(user: user, password: password, body: body)
            }
            #expect(try await owntracksAnswer(user, "wrong") == .unauthorized)
            #expect(try await owntracksAnswer("wrong", owntracks.secret) == .unauthorized)
            #expect(try await owntracksAnswer("", "") == .unauthorized)
            #expect(try await owntracksAnswer(user, osmand.secret) == .unauthorized)
            #expect(try await owntracksAnswer(user, owntracks.secret) == .accepted(Array("[]".utf8)))
            #expect(try await owntracksAnswer("wrong", owntracks.secret) == .unauthorized)
            #expect(try await fixture.osmand("wrong", 1, 2) == .unknownDevice)
            #expect(try await fixture.osmand(owntracks.secret, 1, 2) == .unknownDevice)
            #expect(try await fixture.osmand("\(osmand.source.id)", 1, 2) == .unknownDevice)
            #expect(try await fixture.tracking.osmAnd.ingest(query: [(name: "lat", value: "1")]) == .unknownDevice)
            #expect(try await fixture.osmand(osmand.secret, 1, 2) == .accepted)
            let json = #"{"device_id":"unknown","location":{"coords":{"latitude":1,"longitude":2}}}"#
            #expect(try await fixture.tracking.traccar.ingest(body: Array(json.utf8)) == .unknownDevice)
            #expect(try await fixture.tracking.traccar.ingest(body: Array("{".utf8)) == .malformed)
            #expect(try await fixture.tracking.traccar.ingest(body: Array("[]".utf8)) == .unknownDevice)
        }
    }

    @Test("Traccar's JSON and OsmAnd's query reach the same item", arguments: Engine.allCases)
    func traccar(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (item, secret) = try await fixture.tracked(of: ada)
            let json = """
                {"device_id":"\(secret)","location":{"timestamp":"\(fixture.now.rfc3339)","battery":{"level":0.5},\
                "coords":{"latitude":1.5,"longitude":2.5,"speed":3,"heading":-1}}}
                """
            for _ in 0..<2 { #expect(try await fixture.tracking.traccar.ingest(body: Array(json.utf8)) == .accepted) }
            let fixes = try await fixture.fixes(of: item, for: ada)
            #expect(fixes.count == 1)
            #expect(fixes.first?.speedMetresPerSecond == 3)
            #expect(fixes.first?.headingDegrees == nil)
            #expect(fixes.first?.batteryPercent == 50)
            try await fixture.osmand(secret, 1.5, 2.5, at: fixture.now)
            #expect(try await fixture.fixes(of: item, for: ada).count == 1)
        }
    }

    @Test("Several positions in one message of Traccar Client are stored once each", arguments: Engine.allCases)
    func traccarBatch(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (item, secret) = try await fixture.tracked(of: ada)
            let entries = [1, 91, 3].enumerated().map { index, latitude in
                let at = fixture.now.adding(seconds: Int64(index)).rfc3339
                return #"{"timestamp":"\#(at)","coords":{"latitude":\#(latitude),"longitude":2}}"#
            }
            let body = #"{"device_id":"\#(secret)","location":[\#(entries.joined(separator: ","))]}"#
            #expect(try await fixture.tracking.traccar.ingest(body: Array(body.utf8)) == .accepted)
            #expect(try await fixture.fixes(of: item, for: ada).map(\.coordinate.latitude) == [3, 1])
            #expect(try await fixture.quarantine(for: ada) == [.placeOutOfRange])
            #expect(try await fixture.tracking.traccar.ingest(body: Array(body.utf8)) == .accepted)
            #expect(try await fixture.fixes(of: item, for: ada).count == 2)
        }
    }

    @Test("Recognizing OsmAnd's query stores nothing", arguments: Engine.allCases)
    func recognizing(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (item, secret) = try await fixture.tracked(of: ada)
            let own = try await fixture.app(.owntracks, of: ada)
            func ask(_ id: String) async throws -> OsmAndResponse {
                let query = [(name: "id", value: id), (name: "lat", value: "1"), (name: "lon", value: "2")]
                return try await fixture.tracking.osmAnd.recognize(query: query)
            }
            #expect(try await ask(secret) == .accepted)
            #expect(try await ask("unknown") == .unknownDevice)
            #expect(try await ask(own.secret) == .unknownDevice)
            #expect(try await fixture.tracking.osmAnd.recognize(query: []) == .unknownDevice)
            #expect(try await fixture.fixes(of: item, for: ada).isEmpty)
            #expect(try await fixture.tracking.items.item(item, for: ada).tracker?.lastSeenAt == nil)
        }
    }

    @Test("OwnTracks' plain and encrypted messages are read; other kinds store no fix", arguments: Engine.allCases)
    func owntracks(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let item = try await fixture.item(of: ada).item.id
            let phone = try await fixture.ownTracks(for: item, of: ada)
            let passphrase = try #require(phone.source.passphrase)
            let empty = OwnTracksPhone.nothingToDo
            let plain = OwnTracksApp.location(1, 2, at: fixture.now)
            #expect(try await phone.send(plain) == empty)
            #expect(try await phone.send(OwnTracksApp.encrypted(plain, passphrase: passphrase)) == empty)
            let later = OwnTracksApp.location(3, 4, at: fixture.now.adding(seconds: 1))
            #expect(try await phone.send(OwnTracksApp.encrypted(later, passphrase: passphrase)) == empty)
            #expect(try await phone.send([]) == empty)
            #expect(try await phone.send(Array(#"{"_type":"lwt","tst":1}"#.utf8)) == empty)
            #expect(try await phone.send(Array(#"{"_type":"location","tst":1}"#.utf8)) == empty)
            #expect(try await phone.send(Array("{".utf8)) == .malformed)
            #expect(try await fixture.quarantine(for: ada).isEmpty)
            #expect(try await phone.send(OwnTracksApp.encrypted(later, passphrase: "other")) == empty)
            #expect(try await phone.send(OwnTracksApp.location(91, 2, at: fixture.now)) == empty)
            #expect(try await phone.send(OwnTracksApp.location(1, 2, at: Instant(millisecondsSince1970: 0))) == empty)
            #expect(try await fixture.quarantine(for: ada).count == 3)
            #expect(try await fixture.fixes(of: item, for: ada).map(\.coordinate.latitude) == [3, 1])
        }
    }

    @Test("A deleted source is rejected, also on another node", arguments: Engine.allCases)
    func revocation(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let other = try fixture.otherNode()
            for isTracker in [true, false] {
                let item = isTracker ? try await fixture.item(of: ada).item.id : nil
                let source = try await fixture.app(.osmand, for: item, of: ada)
                func query(_ latitude: String) -> [(name: String, value: String)] {
                    [
                        (name: "id", value: source.secret), (name: "lat", value: latitude), (name: "lon", value: "2"),
                        (name: "timestamp", value: "\(fixture.now.millisecondsSince1970)"),
                    ]
                }
                #expect(try await other.osmAnd.ingest(query: query("1")) == .accepted)
                #expect(try await fixture.tracking.osmAnd.ingest(query: query("1")) == .accepted)
                try await fixture.tracking.sources.delete(source.source.id, by: Change(actor: ada))
                fixture.clock.advance(seconds: 1)
                #expect(try await fixture.tracking.osmAnd.ingest(query: query("1")) == .unknownDevice)
                #expect(try await other.osmAnd.ingest(query: query("1")) == .unknownDevice)
                #expect(try await other.osmAnd.ingest(query: query("91")) == .unknownDevice)
                if let item {
                    let overview = try await fixture.tracking.items.item(item, for: ada)
                    #expect(overview.tracker == nil)
                    #expect(overview.lastFix != nil)
                    #expect(try await fixture.fixes(of: item, for: ada).count == 1)
                }
                #expect(try await fixture.quarantine(for: ada).isEmpty)
            }
        }
    }
}
