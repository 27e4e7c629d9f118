import Accounts
import Kernel
import Storage
import TestSupport
import Testing
import TrackerProtocol

@testable import Tracking

@Suite("Pairing")
struct PairingTests {
    @Test("A code pairs the tracker, one activate command follows, and fixes arrive", arguments: Engine.allCases)
    func wholeWay(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let item = try await fixture.item(of: ada).item.id
            let tracker = try await FakeTracker(fixture)
            #expect(try await tracker.call().binding == nil)
            let typed = tracker.code.description.lowercased().replacing("-", with: " ")
            let paired = try await fixture.tracking.claimCodePairings.pair(
                item, code: typed, clientAddress: "192.0.2.1", by: Change(actor: ada)
            )
            #expect(paired.item.id == item)
            let status = paired.tracker
            #expect(status.id == tracker.id.description)
            #expect(status.kind == .homeward)
            #expect(status.state == .registering)
            #expect(status.mode == .cellular)
            #expect(status.wanted == .on)
            #expect(status.pending)
            #expect(!status.timedOut)
            #expect(status.canSwitch)
            let first = try await tracker.call()
            #expect(first.binding == item.cast(to: TrackerBinding.self))
            #expect(first.settings.locateMinutes == 10)
            #expect(first.commands.map(\.kind) == [.activate])
            let command = try #require(first.commands.first)
            #expect(try await tracker.call(phase: .bound).commands.map(\.id) == [command.id])
            #expect(try await fixture.tracking.items.item(item, for: ada).tracker?.state == .bound)
            let fix = try tracker.fix(52.5, 13.4)
            let last = try await tracker.call(
                phase: .active, mode: .bluetooth, battery: 42, fixes: [fix],
                acknowledging: [Acknowledgement(id: command.id, result: .applied)]
            )
            #expect(last.commands.isEmpty)
            let overview = try await fixture.tracking.items.item(item, for: ada)
            #expect(overview.tracker?.state == .active)
            #expect(overview.tracker?.pending == false)
            #expect(overview.tracker?.mode == .bluetooth)
            #expect(overview.tracker?.batteryPercent == 42)
            #expect(overview.lastFix?.source == .tracker)
            #expect(overview.lastFix?.coordinate == fix.coordinate)
            let commands = try await fixture.tracking.commands.list(of: item, for: ada, after: nil, limit: 10).items
            #expect(commands.map(\.kind) == [.activate])
            #expect(commands.map(\.state) == [.applied])
        }
    }

    @Test(
        "Every kind of wrong code gets the same message, and five of them get the account throttled",
        arguments: Engine.allCases)
    func wrongCodes(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let eve = try await fixture.person("Eve")
            let item = try await fixture.item(of: ada).item.id
            let used = try await FakeTracker(fixture)
            let theirs = try await fixture.item(of: eve).item.id
            try await used.activate(for: theirs, of: eve)
            let codes = ["", "nonsense", "0000-0000-0000", used.code.description, "ÄÖÜ"]
            for code in codes {
                let error = await refusal {
                    _ = try await fixture.tracking.claimCodePairings.pair(
                        item, code: code, clientAddress: "198.51.100.1", by: Change(actor: ada)
                    )
                }
                #expect(error?.code == .invalid)
                #expect(error?.fields == ["code": TrackingErrorMessage.codeWrong.text])
            }
            let fresh = try await FakeTracker(fixture)
            func pair(from address: String, _ actor: Actor, _ item: ID<Item>) async -> AppError? {
                await refusal {
                    _ = try await fixture.tracking.claimCodePairings.pair(
                        item, code: fresh.code.description, clientAddress: address, by: Change(actor: actor)
                    )
                }
            }
            let byPerson = await pair(from: "203.0.113.9", ada, item)
            #expect(byPerson?.code == .throttled)
            let second = try await fixture.item(of: eve).item.id
            let byAddress = await pair(from: "198.51.100.1", eve, second)
            #expect(byAddress?.code == .throttled)
            fixture.clock.advance(seconds: Limits.claimSeconds)
            let later = await pair(from: "198.51.100.1", ada, item)
            #expect(later == nil)
        }
    }

    @Test("A right code doesn't count as a failure, and its repetition succeeds", arguments: Engine.allCases)
    func repetition(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let item = try await fixture.item(of: ada).item.id
            let tracker = try await FakeTracker(fixture)
            for _ in 0..<8 {
                _ = try await fixture.tracking.claimCodePairings.pair(
                    item, code: tracker.code.description, clientAddress: "192.0.2.1", by: Change(actor: ada)
                )
            }
            #expect(try await fixture.count("command") == 1)
            let other = try await FakeTracker(fixture)
            let second = await refusal {
                _ = try await fixture.tracking.claimCodePairings.pair(
                    item, code: other.code.description, clientAddress: "192.0.2.1", by: Change(actor: ada)
                )
            }
            #expect(second?.code == .conflict)
        }
    }

    @Test("One of two simultaneous claims of a code succeeds", arguments: Engine.allCases)
    func race(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let eve = try await fixture.person("Eve")
            let tracker = try await FakeTracker(fixture)
            let code = tracker.code.description
            let items = [
                (ada, try await fixture.item(of: ada).item.id), (eve, try await fixture.item(of: eve).item.id),
            ]
            let wins = await withTaskGroup(of: Bool.self) { group in
                for (actor, item) in items {
                    group.addTask {
                        await refusal {
                            _ = try await fixture.tracking.claimCodePairings.pair(
                                item, code: code, clientAddress: "192.0.2.1", by: Change(actor: actor)
                            )
                        } == nil
                    }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(wins == 1)
            #expect(try await fixture.count("tracker WHERE item_id IS NOT NULL") == 1)
        }
    }

    @Test("First contact is repeatable, and neither key nor code can be taken over", arguments: Engine.allCases)
    func firstContact(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let tracker = try await FakeTracker(fixture)
            let answer = try await fixture.tracking.firstContacts.create(tracker.contact, clientAddress: "192.0.2.9")
            let again = try #require(FirstContactResponse(answer))
            #expect(again.id == tracker.id)
            let other = try await FakeTracker(fixture)
            let sameKey = await refusal {
                _ = try await fixture.tracking.firstContacts.create(
                    tracker.contact(codeHash: [UInt8](repeating: 1, count: 32)), clientAddress: "192.0.2.9"
                )
            }
            #expect(sameKey?.code == .conflict)
            let key = try KeyPair(random: fixture.random).publicKey
            let sameCode = FirstContact(publicKey: key, codeHash: other.code.hash).encoded()
            let taken = await refusal {
                _ = try await fixture.tracking.firstContacts.create(sameCode, clientAddress: "192.0.2.9")
            }
            #expect(taken?.code == .conflict)
            let bodies: [(String, AppError.Code)] = [
                ("{", .malformed), ("", .malformed), ("[]", .invalid), ("{}", .invalid),
                (#"{"publicKey":"00","codeHash":"00"}"#, .invalid),
            ]
            for (body, code) in bodies {
                let error = await refusal {
                    _ = try await fixture.tracking.firstContacts.create(Array(body.utf8), clientAddress: "192.0.2.9")
                }
                #expect(error?.code == code, "\(body)")
            }
            let weak = FirstContact(publicKey: [UInt8](repeating: 0, count: 32), codeHash: key).encoded()
            let error = await refusal {
                _ = try await fixture.tracking.firstContacts.create(weak, clientAddress: "192.0.2.9")
            }
            #expect(error?.fields["publicKey"] != nil)
            #expect(try await fixture.count("tracker") == 2)
        }
    }

    @Test("New trackers from one address are throttled")
    func firstContactThrottle() async throws {
        try await withFixture(.sqlite) { fixture in
            for _ in 0..<Limits.firstContactsPerAddress { _ = try await FakeTracker(fixture, address: "192.0.2.50") }
            let error = await refusal { _ = try await FakeTracker(fixture, address: "192.0.2.50") }
            #expect(error?.code == .throttled)
            #expect(error?.retryAfterSeconds != nil)
            _ = try await FakeTracker(fixture, address: "192.0.2.51")
        }
    }

    @Test(
        "A deleted item's tracker keeps its id, its key and one lasting command until it confirms",
        arguments: Engine.allCases)
    func release(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let item = try await fixture.item(of: ada).item.id
            let tracker = try await FakeTracker(fixture)
            try await tracker.activate(for: item, of: ada)
            _ = try await tracker.call(phase: .active, fixes: [try tracker.fix(1, 2)])
            _ = try await fixture.tracking.commands.create(item, kind: .ring, by: Change(actor: ada))
            try await fixture.tracking.itemDeletions.delete(item, by: Change(actor: ada))
            #expect(try await fixture.count("fix") == 0)
            #expect(try await fixture.count("command") == 1)
            #expect(try await fixture.count("tracker WHERE state = 'releasing' AND item_id IS NULL") == 1)
            fixture.clock.advance(seconds: 400 * 86_400)
            try await fixture.tracking.housekeeping.run()
            let downlink = try await tracker.call(phase: .active, fixes: [try tracker.fix(5, 6)])
            #expect(downlink.binding == nil)
            #expect(downlink.commands.map(\.kind) == [.releaseOff])
            #expect(downlink.commands.first?.expiresAt == nil)
            #expect(try await fixture.count("fix") == 0)
            let command = try #require(downlink.commands.first)
            let response = try await tracker.call(
                phase: .releasing, acknowledging: [Acknowledgement(id: command.id, result: .applied)]
            )
            #expect(response.commands.isEmpty)
            #expect(try await fixture.count("tracker") == 0)
            #expect(try await fixture.count("command") == 0)
            let unknown = await refusal { _ = try await tracker.call() }
            #expect(unknown?.code == .notFound)
        }
    }

    @Test("Any account near a released tracker can bring it the release command", arguments: Engine.allCases)
    func releaseByPhone(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let bert = try await fixture.person("bert")
            let item = try await fixture.item(of: ada).item.id
            let tracker = try await FakeTracker(fixture)
            try await tracker.activate(for: item, of: ada)
            let bag = try await fixture.item(of: bert).item.id
            func release(for item: ID<Item>, by actor: Actor) async throws -> TrackerRelease? {
                try await fixture.tracking.registrations.release(
                    of: item, tracker.introduction, by: Change(actor: actor))
            }
            // While the tracker has an owner, no account gets a release command.
            #expect(try await release(for: bag, by: bert) == nil)
            #expect(try await release(for: item, by: ada) == nil)
            try await fixture.tracking.unpairings.unpair(item, by: Change(actor: ada))
            let denied = await refusal { _ = try await release(for: item, by: bert) }
            #expect(denied?.code == .notFound)
            let got = try #require(try await release(for: bag, by: bert))
            #expect(got.tracker == tracker.id)
            let command = try CompactCommand(got.frame, keys: tracker.keys).command
            #expect(command.kind == .releaseOff)
            #expect(command.expiresAt == nil)
            let stillHeld = await refusal {
                _ = try await fixture.tracking.registrations.create(
                    of: bag, tracker.introduction, clientAddress: "192.0.2.7", by: Change(actor: bert)
                )
            }
            #expect(stillHeld?.code == .conflict)
            _ = try await tracker.call(
                phase: .releasing, acknowledging: [Acknowledgement(id: command.id, result: .applied)]
            )
            #expect(try await fixture.count("tracker") == 0)
            #expect(try await release(for: bag, by: bert) == nil)
        }
    }

    @Test("Unpairing keeps the history, and another tracker can be paired", arguments: Engine.allCases)
    func unpair(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let change = Change(actor: ada)
            let item = try await fixture.item(of: ada).item.id
            let none = await refusal { try await fixture.tracking.unpairings.unpair(item, by: change) }
            #expect(none?.code == .notFound)
            let tracker = try await FakeTracker(fixture)
            try await tracker.activate(for: item, of: ada)
            _ = try await tracker.call(phase: .active, fixes: [try tracker.fix(1, 2)])
            let taken = await refusal {
                _ = try await fixture.tracking.sources.create(SourceInput(kind: .osmand, itemID: item), by: change)
            }
            #expect(taken?.code == .conflict)
            try await fixture.tracking.unpairings.unpair(item, by: change)
            let overview = try await fixture.tracking.items.item(item, for: ada)
            #expect(overview.tracker == nil)
            #expect(overview.lastFix != nil)
            let source = try await fixture.app(.osmand, for: item, of: ada)
            try await fixture.osmand(source.secret, 3, 4, at: fixture.now.adding(seconds: 5))
            #expect(try await fixture.fixes(of: item, for: ada).map(\.source) == [.osmand, .tracker])
            let second = try await FakeTracker(fixture)
            let conflict = await refusal {
                _ = try await fixture.tracking.claimCodePairings.pair(
                    item, code: second.code.description, clientAddress: "192.0.2.1", by: change
                )
            }
            #expect(conflict?.code == .conflict)
        }
    }

    @Test(
        "An administrator can release an unconfirmed tracker, but none with an owner", arguments: Engine.allCases)
    func operatorRelease(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let item = try await fixture.item(of: ada).item.id
            let tracker = try await FakeTracker(fixture)
            try await tracker.activate(for: item, of: ada)
            let id = tracker.id.description
            let inUse = await refusal { try await fixture.tracking.trackers.delete(id) }
            #expect(inUse?.code == .conflict)
            try await fixture.tracking.unpairings.unpair(item, by: Change(actor: ada))
            try await fixture.tracking.trackers.delete(id)
            for unknown in [id, "x"] {
                let error = await refusal { try await fixture.tracking.trackers.delete(unknown) }
                #expect(error?.code == .notFound)
            }
            #expect(try await fixture.count("command") == 0)
        }
    }
}
