import Accounts
import Kernel
import Notifications
import Storage
import TestSupport
import Testing

@testable import Tracking

@Suite("Lost mode")
struct LostModeTests {
    private static let address = "192.0.2.9"

    private func input(
        _ message: String = "Please call me.", contact: String = "", showsPhoto: Bool = false
    ) -> LostModeInput {
        LostModeInput(message: message, contact: contact, showsPhoto: showsPhoto)
    }

    private func words(_ message: String = "It is at the station.", at place: Coordinate? = nil) -> FinderReportInput {
        FinderReportInput(
            message: message, latitude: place?.latitude, longitude: place?.longitude,
            accuracyMetres: place == nil ? nil : 8)
    }

    /// The reference of a new label.
    private func label(of item: ID<Item>, _ ada: Actor, _ fixture: TrackingFixture) async throws -> FinderReference {
        let label = try await fixture.tracking.itemLabels.create(of: item, by: Change(actor: ada))
        return .label(try #require(label.secret))
    }

    @Test("A label shows the message only while lost mode is on", arguments: Engine.allCases)
    func onlyWhileOn(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let picture = try await fixture.picture(of: ada)
            let item = try await fixture.tracking.items.create(
                ItemInput(name: "Bike", pictureID: picture), by: Change(actor: ada)
            ).item.id
            let label = try await label(of: item, ada, fixture)
            let found = { try await fixture.tracking.foundItems.found(label, clientAddress: Self.address) }
            #expect(try await found() == FoundItem(tracker: nil, lost: nil))
            let on = try await fixture.tracking.lostModes.turnOn(
                item, input(contact: "+49 151 555-0101"), by: Change(actor: ada))
            #expect(on.contact == .phone("+491515550101"))
            #expect(
                try await found().lost
                    == LostItem(message: "Please call me.", contact: .phone("+491515550101"), pictureID: nil))
            let refused = await refusal {
                _ = try await fixture.tracking.foundItems.picture(label, clientAddress: Self.address)
            }
            #expect(refused?.code == .notFound, "the owner doesn't show the photo")
            let changed = try await fixture.tracking.lostModes.turnOn(
                item, input("Write to me.", contact: "ada@example.org", showsPhoto: true), by: Change(actor: ada))
            #expect(changed.version == 2 && changed.since == on.since)
            #expect(try await found().lost?.pictureID == picture)
            #expect(try await found().lost?.contact == .email("ada@example.org"))
            try await fixture.tracking.lostModes.turnOff(item, by: Change(actor: ada))
            #expect(try await found() == FoundItem(tracker: nil, lost: nil))
        }
    }

    @Test(
        "A replaced label no longer works, and only its hash and its encrypted form are stored",
        arguments: Engine.allCases)
    func replaced(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let item = try await fixture.item(of: ada).item.id
            let first = try await fixture.tracking.itemLabels.create(of: item, by: Change(actor: ada))
            let secret = try #require(first.secret)
            #expect(secret.count == 22, "128 bits in base64url")
            #expect(try await fixture.tracking.itemLabels.label(of: item, for: ada) == first)
            let stored: [UInt8] = try await fixture.database.read { tx in
                try #require(try ItemLabelStore.sealedSecret(of: item, in: tx))
            }
            #expect(!String(decoding: stored, as: UTF8.self).contains(secret))
            let second = try await fixture.tracking.itemLabels.create(of: item, by: Change(actor: ada))
            #expect(second.secret != secret)
            func look(_ secret: String) async -> AppError? {
                await refusal {
                    _ = try await fixture.tracking.foundItems.found(.label(secret), clientAddress: Self.address)
                }
            }
            let old = await look(secret)
            #expect(old?.code == .notFound && old?.message == TrackingErrorMessage.labelReplaced.text)
            let written = await refusal {
                _ = try await fixture.tracking.foundItems.report(
                    words(), about: .label(secret), key: "k", clientAddress: Self.address)
            }
            #expect(written?.message == TrackingErrorMessage.labelReplaced.text)
            try await fixture.tracking.itemDeletions.delete(item, by: Change(actor: ada))
            for secret in [secret, try #require(second.secret)] {
                let deleted = await look(secret)
                #expect(deleted?.code == .notFound && deleted?.message == TrackingErrorMessage.labelRemoved.text)
            }
            let unknown = await look(Token.make(byteCount: Limits.publicSecretBytes, random: fixture.random))
            #expect(unknown == .notFound, "a guess learns nothing")
            fixture.clock.advance(seconds: Limits.formerLabelSeconds)
            try await fixture.tracking.housekeeping.run()
            #expect(await look(secret) == .notFound)
            #expect(try await fixture.count("former_label") == 0)
        }
    }

    @Test("A message and a contact that aren't valid are rejected together")
    func invalid() async throws {
        try await withFixture(.sqlite) { fixture in
            let ada = try await fixture.person()
            let item = try await fixture.item(of: ada).item.id
            for (message, contact, named) in [
                ("", "x", ["contact", "message"]), (" \n", "", ["message"]),
                (String(repeating: "a", count: 501), "112", ["contact", "message"]), ("a\u{7}", "", ["message"]),
            ] {
                let error = await refusal {
                    _ = try await fixture.tracking.lostModes.turnOn(
                        item, input(message, contact: contact), by: Change(actor: ada))
                }
                #expect(error?.fields.keys.sorted() == named, "\(message)")
            }
            let most = String(repeating: "ä", count: 500)
            #expect(
                try await fixture.tracking.lostModes.turnOn(item, input(most), by: Change(actor: ada)).message == most)
        }
    }

    @Test("A finder's words reach the owner once, and the reply reaches the finder", arguments: Engine.allCases)
    func report(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let item = try await fixture.item("Bike", of: ada).item.id
            let label = try await label(of: item, ada, fixture)
            let found = fixture.tracking.foundItems
            _ = try await fixture.tracking.lostModes.turnOn(item, input(), by: Change(actor: ada))
            let place = try #require(Coordinate(latitude: 50.5, longitude: 6.25))
            let secret = try await found.report(
                words(at: place), about: label, key: "one", clientAddress: Self.address)
            let again = try await found.report(
                words(at: place), about: label, key: "one", clientAddress: Self.address)
            #expect(again == secret)
            #expect(try await fixture.count("finder_report") == 1)
            let notice = try #require(try await fixture.notices().first)
            #expect(try await fixture.noticeCount() == 1)
            #expect(notice.subject == "Bike" && notice.details.isEmpty)

            let reports = fixture.tracking.finderReports
            let report = try #require(try await reports.list(of: item, for: ada, after: nil, limit: 5).items.first)
            #expect(notice.kind == "itemFound")
            #expect(notice.resource == "/tracking/items/\(item)/finder-reports/\(report.id)", "the message opens")
            #expect(report.message == "It is at the station." && report.place == place && report.accuracyMetres == 8)
            _ = try await reports.reply("Thank you!", to: report.id, of: item, by: Change(actor: ada))
            try await fixture.tracking.lostModes.turnOff(item, by: Change(actor: ada))
            #expect(try await found.ownReport(secret, clientAddress: Self.address).reply == "Thank you!")
            try await reports.delete(report.id, of: item, by: Change(actor: ada))
            let gone = await refusal { _ = try await found.ownReport(secret, clientAddress: Self.address) }
            #expect(gone?.code == .notFound)
            #expect(try await fixture.noticeCount() == 0, "nothing opens a deleted message")
        }
    }

    @Test("Finders' words are limited for each network and item, and unknown secrets for each network")
    func throttled() async throws {
        try await withFixture(.sqlite) { fixture in
            let ada = try await fixture.person()
            let item = try await fixture.item(of: ada).item.id
            let label = try await label(of: item, ada, fixture)
            _ = try await fixture.tracking.lostModes.turnOn(item, input(), by: Change(actor: ada))
            func send(_ number: Int, from address: String) async -> AppError.Code? {
                let error = await refusal {
                    _ = try await fixture.tracking.foundItems.report(
                        words(), about: label, key: "\(number)", clientAddress: address)
                }
                return error?.code
            }
            for number in 1...Limits.finderReportsPerNetwork { #expect(await send(number, from: "192.0.2.1") == nil) }
            #expect(await send(100, from: "192.0.2.1") == .throttled)
            // Others in its neighbourhood use up what isn't kept for new networks.
            let shared = Limits.finderReportsPerItem - Limits.finderReportsForNewNetworks
            for number in 11...shared { #expect(await send(number, from: "192.0.2.2") == nil) }
            #expect(await send(101, from: "192.0.2.3") == .throttled)
            let new = ["198.51.100.7", "203.0.113.7", "2001:db8:1::7", "2001:db8:2::7"]
            for (number, address) in new.enumerated() {
                #expect(await send(200 + number, from: address) == nil, "\(address) is new")
                #expect(await send(300 + number, from: address) == .throttled, "\(address) isn't new any more")
            }
            #expect(await send(400, from: "2001:db8:2:99::1") == .throttled, "it has the same /48")
            for number in (shared + new.count + 1)...Limits.finderReportsPerItem {
                #expect(await send(500 + number, from: "198.51.\(number).1") == nil)
            }
            #expect(await send(600, from: "203.0.114.1") == .throttled, "the item's own limit")
            #expect(try await fixture.noticeCount() == Limits.finderReportsPerItem)

            let unknown = FinderReference.label(Token.make(byteCount: Limits.publicSecretBytes, random: fixture.random))
            func look(_ reference: FinderReference, from address: String) async -> AppError.Code? {
                let error = await refusal {
                    _ = try await fixture.tracking.foundItems.found(reference, clientAddress: address)
                }
                return error?.code
            }
            for _ in 1...Limits.publicSecretFailures { #expect(await look(unknown, from: "198.51.100.1") == .notFound) }
            #expect(await look(unknown, from: "198.51.100.1") == .throttled)
            #expect(await look(label, from: "198.51.100.1") == .throttled)
            #expect(await look(label, from: "198.51.100.2") == nil)
        }
    }

    @Test("A network that fills the stored words doesn't keep out new ones", arguments: Engine.allCases)
    func storedShare(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let item = try await fixture.item(of: ada).item.id
            let label = try await label(of: item, ada, fixture)
            _ = try await fixture.tracking.lostModes.turnOn(item, input(), by: Change(actor: ada))
            func send(_ number: Int, from address: String) async -> AppError.Code? {
                let error = await refusal {
                    _ = try await fixture.tracking.foundItems.report(
                        words(), about: label, key: "\(number)", clientAddress: address)
                }
                return error?.code
            }
            let shared = Limits.finderReportsStored - Limits.finderReportsStoredForNewNetworks
            for number in 0..<shared {
                if number % Limits.finderReportsPerNetwork == 0 {
                    fixture.clock.advance(seconds: Limits.finderReportSeconds + 1)
                }
                #expect(await send(number, from: "192.0.2.1") == nil)
            }
            fixture.clock.advance(seconds: Limits.finderReportSeconds + 1)
            #expect(await send(1_000, from: "192.0.2.1") == .conflict)
            #expect(await send(1_001, from: "198.51.100.1") == nil)
        }
    }

    @Test(
        "Lost mode ends when the item is near the phone after it was away, with one notification",
        arguments: Engine.allCases)
    func back(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (item, secret) = try await fixture.tracked("Bike", of: ada)
            let lostModes = fixture.tracking.lostModes
            try await fixture.phone(of: ada, metres: 0)
            try await fixture.item(secret, metres: 0)
            _ = try await lostModes.turnOn(item, input(), by: Change(actor: ada))
            func step(_ phone: Double, _ bike: Double) async throws -> Bool {
                fixture.clock.advance(seconds: 60)
                try await fixture.phone(of: ada, metres: phone)
                fixture.clock.advance(seconds: 1)
                try await fixture.item(secret, metres: bike)
                return try await lostModes.lostMode(of: item, for: ada).mode != nil
            }
            #expect(try await step(0, 1), "near from the beginning: it has not been away")
            #expect(try await step(0, 400))
            #expect(try await step(0, 300))
            #expect(try await !step(298, 300))
            #expect(try await fixture.notices().map(\.kind).filter { $0 == "itemReturned" } == ["itemReturned"])
            #expect(try await !step(298, 300))
            #expect(try await fixture.notices().filter { $0.kind == "itemReturned" }.count == 1)
        }
    }

    @Test("An item that was away ends its lost mode when the phone comes to it", arguments: Engine.allCases)
    func phoneComes(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (item, secret) = try await fixture.tracked("Bike", of: ada)
            try await fixture.item(secret, metres: 0)
            try await fixture.phone(of: ada, metres: 900)
            _ = try await fixture.tracking.lostModes.turnOn(item, input(), by: Change(actor: ada))
            fixture.clock.advance(seconds: 60)
            try await fixture.item(secret, metres: 0)
            fixture.clock.advance(seconds: 10)
            try await fixture.phone(of: ada, metres: 4)
            #expect(try await fixture.tracking.lostModes.lostMode(of: item, for: ada).mode == nil)
            #expect(try await fixture.notices().last?.kind == "itemReturned")
        }
    }

    @Test("Deleting an item or the account deletes lost mode, label and finders' words", arguments: Engine.allCases)
    func deletion(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            for isAccount in [false, true] {
                let item = try await fixture.item(of: ada).item.id
                let label = try await label(of: item, ada, fixture)
                _ = try await fixture.tracking.lostModes.turnOn(item, input(), by: Change(actor: ada))
                _ = try await fixture.tracking.foundItems.report(
                    words(), about: label, key: "\(isAccount)", clientAddress: Self.address)
                let handler = fixture.tracking.dataHandler
                let files = try await fixture.database.read { tx in try handler.export(ada.person, in: tx) }
                let lost = try #require(files.first { $0.path == "tracking/lost-items.json" })
                #expect(String(decoding: lost.contents, as: UTF8.self).contains("It is at the station."))
                if isAccount {
                    try await fixture.database.write { tx in try handler.erase(ada.person, in: tx) }
                } else {
                    try await fixture.tracking.itemDeletions.delete(item, by: Change(actor: ada))
                }
                for table: SQL in ["lost_mode", "item_label", "finder_report"] {
                    #expect(try await fixture.count(table) == 0, "\(table)")
                }
            }
        }
    }

    @Test("Finders' words are deleted after their time")
    func pruned() async throws {
        try await withFixture(.sqlite) { fixture in
            let ada = try await fixture.person()
            let item = try await fixture.item(of: ada).item.id
            let label = try await label(of: item, ada, fixture)
            _ = try await fixture.tracking.lostModes.turnOn(item, input(), by: Change(actor: ada))
            _ = try await fixture.tracking.foundItems.report(
                words(), about: label, key: "k", clientAddress: Self.address)
            fixture.clock.advance(seconds: Limits.finderReportKeptSeconds - 1)
            try await fixture.tracking.housekeeping.run()
            #expect(try await fixture.count("finder_report") == 1)
            fixture.clock.advance(seconds: 1)
            try await fixture.tracking.housekeeping.run()
            #expect(try await fixture.count("finder_report") == 0)
        }
    }
}

@Suite("The rule that ends lost mode")
struct LostModeRuleTests {
    private static let start = Instant(millisecondsSince1970: 1_800_000_000_000)
    private static let now = start.adding(seconds: 600)

    private func sample(_ metres: Double, secondsAgo: Int64 = 0, accuracy: Double? = 5) throws -> PositionSample {
        let place = try #require(
            Coordinate(latitude: metres / TrackingFixture.metresPerDegree, longitude: 0))
        return PositionSample(at: Self.now.adding(seconds: -secondsAgo), coordinate: place, accuracyMetres: accuracy)
    }

    private func step(
        _ item: PositionSample, _ phones: [PositionSample], isApart: Bool = true, wasSeparated: Bool = false
    ) -> LostModeRule.Step {
        LostModeRule(lostMetres: 5).step(
            from: LostModeRule.State(since: Self.start, isApart: isApart), item: item, phones: phones,
            before: SeparationAlertRule.State(apartSince: wasSeparated ? Self.start : nil),
            after: SeparationAlertRule.State(), now: Self.now)
    }

    @Test("Only accurate positions of nearly the same time, after the start, end lost mode")
    func conditions() throws {
        let near = try sample(5)
        #expect(step(try sample(0), [near]) == .back)
        #expect(step(try sample(0), [try sample(5.1)]) == .unchanged)
        #expect(step(try sample(0), [try sample(900), near]) == .back)
        #expect(step(try sample(0, accuracy: 51), [near]) == .unchanged, "a position from the mobile network")
        #expect(step(try sample(0), [try sample(5, accuracy: 51)]) == .unchanged)
        #expect(step(try sample(0), [try sample(5, secondsAgo: 300)]) == .back)
        #expect(step(try sample(0), [try sample(5, secondsAgo: 301)]) == .unchanged, "the phone may have left")
        #expect(step(try sample(0, secondsAgo: 600), [try sample(5, secondsAgo: 599)]) == .unchanged)
        #expect(step(try sample(0), []) == .unchanged)
    }

    @Test("A return that the alert rule has proved ends lost mode beyond the distance for near")
    func proved() throws {
        #expect(step(try sample(0), [try sample(9)], wasSeparated: true) == .back)
        #expect(step(try sample(0), [try sample(9)]) == .unchanged)
    }

    @Test("An item that was near must have been away for certain first")
    func awayFirst() throws {
        #expect(step(try sample(0), [try sample(3)], isApart: false) == .unchanged)
        #expect(step(try sample(0), [try sample(25)], isApart: false) == .unchanged, "within the inaccuracy")
        #expect(step(try sample(0), [try sample(26)], isApart: false) == .apart)
        #expect(step(try sample(0), [try sample(26), try sample(2)], isApart: false) == .unchanged)
    }
}
