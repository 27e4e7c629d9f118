import Jobs
import Kernel
import Objects
import Pictures
import Quotas
import Storage
import TestSupport
import Testing

@testable import Accounts
@testable import Tracking

/// Exports and imports of one server, in which another account takes the part of the other server.
private struct Movers {
    let fixture: TrackingFixture
    let accounts: AccountServices
    let imports: AccountImportService

    init(_ fixture: TrackingFixture, fixesPerAccount: Int = Limits.fixesPerAccount) throws {
        self.fixture = fixture
        let tracking = try fixture.otherNode(fixesPerAccount: fixesPerAccount)
        accounts = AccountServices(
            database: fixture.database, siteURL: "https://home.example", dataHandlers: [tracking.dataHandler],
            clock: fixture.clock, random: fixture.random, logger: .silent)
        imports = AccountImportService(
            database: fixture.database, objects: fixture.objects, pictures: fixture.pictures, accounts: accounts,
            handlers: [tracking.importHandler], clock: fixture.clock, random: fixture.random, logger: .silent)
    }

    func export(_ actor: Actor) async throws -> [UInt8] {
        let now = fixture.now
        try await fixture.database.write { tx in
            try ProofStore.insert(.export, of: actor.session, now: now, in: tx)
        }
        var bytes: [UInt8] = []
        for try await piece in try await accounts.exports.export(actor) { bytes += piece }
        return bytes
    }

    func check(_ archive: [UInt8], for actor: Actor) async throws -> AccountImport {
        try await imports.receive(by: actor) { try await $0.append(archive) }
    }

    /// Imports an archive and returns its result.
    func bring(_ archive: [UInt8], to actor: Actor) async throws -> AccountImport? {
        _ = try await check(archive, for: actor)
        _ = try await imports.start(nil, includesProfile: false, by: Change(actor: actor))
        await imports.worker.performDueJobs()
        return try await imports.current(for: actor)
    }

    /// An archive with one item and a history of `count` positions.
    /// - Parameter ids: the items with this history; `nil` for the one item.
    static func archive(
        _ count: Int, items: String? = nil, history: String? = nil, historiesOf ids: [String]? = nil,
        alerts: String? = nil
    ) throws -> [UInt8] {
        let id = "0190a1b2-c3d4-7000-8000-00000000000a"
        var writer = HistoryWriter(format: .gpx, itemName: "Bike & <Bell>")
        let fixes = try (0..<count).map { index in
            let at = Instant(millisecondsSince1970: 1_700_000_000_000 + Int64(index) * 1_000)
            return Fix(
                id: ID(at: at, series: 1), at: at,
                coordinate: try #require(Coordinate(latitude: 50 + Double(index) / 10_000, longitude: 6)),
                accuracyMetres: index % 2 == 0 ? 5.5 : nil, batteryPercent: 70,
                source: index % 3 == 0 ? .tracker : .owntracks)
        }
        let gpx = history ?? writer.head() + writer.rows(fixes) + writer.tail()
        let list = items ?? #"[{"id":"\#(id)","name":"Bike & <Bell>","lostMetres":7,"keepDays":null,"new":1}]"#
        var zip = ZipWriter(at: Instant(millisecondsSince1970: 1_700_000_000_000))
        var bytes: [UInt8] = []
        let histories = (ids ?? [id]).map { (path: "tracking/histories/\($0).gpx", text: gpx) }
        let others = alerts.map { [(path: "tracking/alerts.json", text: $0)] } ?? []
        let files = [
            (path: "account.json", text: #"{"name":"Ada","role":"adult"}"#), (path: "tracking/items.json", text: list),
        ]
        for (path, text) in files + histories + others {
            bytes += try zip.begin(path, mayBeLarge: false)
            bytes += try zip.append(Array(text.utf8))
            bytes += try zip.end()
        }
        return bytes + zip.finish()
    }
}

@Suite("Import of items")
struct TrackingImportTests {
    @Test("Items come with settings, positions and safe places, once", arguments: Engine.allCases)
    func once(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let movers = try Movers(fixture)
            let (ada, ben) = (try await fixture.person(), try await fixture.person("Ben"))
            let (bike, secret) = try await fixture.tracked(of: ada)
            let patch = ItemPatch(settings: .set(SettingsPatch(locateMinutes: .set(42), keepDays: .set(99))))
            _ = try await fixture.tracking.items.update(bike, patch, ifVersion: nil, by: Change(actor: ada))
            for index in 0..<5 {
                let at = fixture.now.adding(seconds: Int64(index) - 100)
                try await fixture.osmand(secret, 50.5 + Double(index), 6.25, at: at, ["speed": "3", "batt": "44"])
            }
            let place = SafePlaceInput(name: "Home", latitude: 50.7753, longitude: 6.0839, radiusMetres: 75)
            _ = try await fixture.tracking.safePlaces.create(place, by: Change(actor: ada))
            let archive = try await movers.export(ada)

            let checked = try await movers.check(archive, for: ben)
            #expect(checked.state == .ready)
            #expect(
                checked.preview.entries == [
                    ImportEntry(kind: .item, name: "Bike", count: 5),
                    ImportEntry(kind: .safePlace, name: "Home"),
                ])
            #expect(try await fixture.tracking.items.owned(by: ben).isEmpty)

            let done = try await movers.bring(archive, to: ben)
            #expect(done?.state == .done && done?.doneCount == done?.preview.recordCount)
            let item = try #require(try await fixture.tracking.items.owned(by: ben).first)
            let original = try await fixture.tracking.items.item(bike, for: ada)
            #expect(item.item.name == "Bike" && item.item.settings == original.item.settings)
            #expect(item.item.id != bike && item.tracker == nil)
            #expect(item.lastFix?.coordinate == original.lastFix?.coordinate)
            let copies = try await fixture.fixes(of: item.item.id, for: ben)
            let originals = try await fixture.fixes(of: bike, for: ada)
            func facts(_ fix: Fix) -> [String] {
                [
                    "\(fix.at)", "\(fix.coordinate)", "\(String(describing: fix.speedMetresPerSecond))",
                    fix.source.rawValue,
                ]
            }
            #expect(copies.map(facts) == originals.map(facts) && copies.count == 5)

            // The same archive again, and a person's own one: everything is here.
            for actor in [ben, ada] {
                let again = try await movers.check(archive, for: actor)
                #expect(again.preview.entries.allSatisfy { $0.isHere && $0.count == $0.hereCount })
                #expect(try await movers.bring(archive, to: actor)?.state == .done)
                #expect(try await fixture.tracking.items.owned(by: actor).count == 1)
            }
            #expect(try await fixture.fixes(of: item.item.id, for: ben).count == 5)
            #expect(try await fixture.count("fix") == 10)
            #expect(try await fixture.count("safe_place") == 2)
            let counted: Int? = try await fixture.database.read { tx in
                try tx.row("SELECT fixes FROM whereabouts WHERE item_id = \(item.item.id)")?.get("fixes")
            }
            #expect(counted == 5)

            // A deleted item can be imported again.
            try await fixture.tracking.itemDeletions.delete(item.item.id, by: Change(actor: ben))
            #expect(try await movers.bring(archive, to: ben)?.state == .done)
            #expect(try await fixture.tracking.items.owned(by: ben).count == 1)
        }
    }

    @Test("Positions beyond the limit are left out, and added by the next import", arguments: Engine.allCases)
    func continued(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let count = Limits.positionsPerImportStep + 300
            let archive = try Movers.archive(count)
            let full = try Movers(fixture, fixesPerAccount: 400)
            let preview = try await full.check(archive, for: ada).preview.entries.first
            #expect(preview?.excessCount == count - 400 && preview?.isExcess == false)
            // Positions beyond the limit are only counted.
            let partial = try await full.bring(archive, to: ada)
            #expect(partial?.state == .done && partial?.refusedCount == count - 400)
            #expect(partial?.doneCount == partial?.preview.recordCount)
            let item = try #require(try await fixture.tracking.items.owned(by: ada).first).item
            #expect(item.name == "Bike & <Bell>" && item.settings.lostMetres == 7)
            #expect(try await fixture.count("fix") == 400)

            let movers = try Movers(fixture)
            let checked = try await movers.check(archive, for: ada).preview.entries.first
            #expect(checked?.count == count && checked?.hereCount == 400)
            #expect(try await movers.bring(archive, to: ada)?.state == .done)
            #expect(try await fixture.count("fix") == count)
            #expect(try await fixture.tracking.items.owned(by: ada).count == 1)
        }
    }

    @Test("All histories of an archive share the limit of positions that are read")
    func sharedLimit() async throws {
        try await withFixture(.sqlite) { fixture in
            let (movers, ada) = (try Movers(fixture, fixesPerAccount: 400), try await fixture.person())
            let ids = (0..<3).map { "0190a1b2-c3d4-7000-8000-00000000001\($0)" }
            let list = "[" + ids.map { #"{"id":"\#($0)","name":"Bike"}"# }.joined(separator: ",") + "]"
            let archive = try Movers.archive(300, items: list, historiesOf: ids)
            let preview = try await movers.check(archive, for: ada).preview
            #expect(preview.entries.map(\.count) == [300, 300, 300])
            #expect(preview.entries.map(\.excessCount) == [0, 200, 300])
            let done = try await movers.bring(archive, to: ada)
            #expect(done?.state == .done && done?.refusedCount == 500 && done?.doneCount == preview.recordCount)
            #expect(try await fixture.count("fix") == 400)
        }
    }

    @Test("An archive with an item or a safe place twice is refused, and the file is named")
    func repeated() async throws {
        try await withFixture(.sqlite) { fixture in
            let (movers, ada) = (try Movers(fixture), try await fixture.person())
            let item = #"{"id":"0190a1b2-c3d4-7000-8000-00000000000a","name":"Bike"}"#
            let twice = try Movers.archive(1, items: "[\(item),\(item)]")
            let error = await refusal { _ = try await movers.check(twice, for: ada) }
            #expect(error?.fields == ["archive": AccountMessage.importRepeated(in: "tracking/items.json")])
            let place =
                #"{"id":"0190a1b2-c3d4-7000-8000-00000000000b","name":"Home","radiusMetres":75,"#
                + #""latitude":50.7,"longitude":6.1}"#
            let places = try Movers.archive(1, alerts: #"{"safePlaces":[\#(place),\#(place)]}"#)
            let other = await refusal { _ = try await movers.check(places, for: ada) }
            #expect(other?.fields == ["archive": AccountMessage.importRepeated(in: "tracking/alerts.json")])
            #expect(try await fixture.count("item") == 0)
        }
    }

    @Test("Items beyond the limit of an account are refused before any of them is read")
    func tooMany() async throws {
        try await withFixture(.sqlite) { fixture in
            let (movers, ada) = (try Movers(fixture), try await fixture.person())
            let items = "[" + String(repeating: "{},", count: Limits.itemsPerAccount) + "{}]"
            let archive = try Movers.archive(1, items: items)
            let error = await refusal { _ = try await movers.check(archive, for: ada) }
            let message = AccountMessage.importOverfull(in: "tracking/items.json", maximum: Limits.itemsPerAccount)
            #expect(error?.fields == ["archive": message])
        }
    }

    private static let refusals: [(name: String, items: String?, history: String?)] = [
        ("an empty name", #"[{"id":"0190a1b2-c3d4-7000-8000-00000000000a","name":""}]"#, nil),
        ("no id", #"[{"name":"Bike"}]"#, nil),
        ("a setting out of range", #"[{"id":"0190a1b2-c3d4-7000-8000-00000000000a","name":"B","lostMetres":0}]"#, nil),
        ("an object in place of a list", "{}", nil),
        ("a foreign history", nil, "<gpx version=\"1.1\"></gpx>\n"),
        ("a history without an end", nil, HistoryWriter(format: .gpx, itemName: "B").head()),
        (
            "a position outside the world", nil,
            HistoryWriter(format: .gpx, itemName: "B").head()
                + #"<trkpt lat="91" lon="6"><time>2026-01-01T00:00:00Z</time><src>tracker</src></trkpt>"# + "\n"
        ),
        (
            "a time in the future", nil,
            HistoryWriter(format: .gpx, itemName: "B").head()
                + #"<trkpt lat="9" lon="6"><time>2099-01-01T00:00:00Z</time><src>tracker</src></trkpt>"# + "\n"
                + HistoryWriter(format: .gpx, itemName: "B").tail()
        ),
    ]

    @Test("Data that the forms refuse isn't imported", arguments: refusals.indices)
    func refused(index: Int) async throws {
        let (name, items, history) = Self.refusals[index]
        try await withFixture(.sqlite) { fixture in
            let (movers, ada) = (try Movers(fixture), try await fixture.person())
            let archive = try Movers.archive(1, items: items, history: history)
            let error = await refusal { _ = try await movers.check(archive, for: ada) }
            #expect(error?.fields == ["archive": AccountMessage.importInvalid.text], "\(name)")
            #expect(try await movers.imports.current(for: ada) == nil)
            #expect(try await fixture.count("item") == 0)
        }
    }

    @Test("An account has one import at a time, and an unused upload leaves no objects")
    func oneAtATime() async throws {
        try await withFixture(.sqlite) { fixture in
            let (movers, ada) = (try Movers(fixture), try await fixture.person())
            let archive = try Movers.archive(3)
            let first = try await movers.check(archive, for: ada)
            let second = try await movers.check(archive, for: ada)
            try await fixture.pictures.sweep()
            #expect(try await fixture.objects.keys(below: "imports/") == ["imports/\(second.id)/0"])
            let other = await refusal {
                _ = try await movers.imports.start(first.id, includesProfile: false, by: Change(actor: ada))
            }
            #expect(other?.code == .conflict)
            _ = try await movers.imports.start(second.id, includesProfile: false, by: Change(actor: ada))
            for attempt in [
                { _ = try await movers.check(archive, for: ada) },
                { _ = try await movers.imports.start(nil, includesProfile: false, by: Change(actor: ada)) },
            ] as [() async throws -> Void] {
                #expect(await refusal(attempt)?.fields.isEmpty == true)
                #expect(await refusal(attempt)?.message == AccountMessage.importRunning.text)
            }
            await movers.imports.worker.performDueJobs()
            try await fixture.pictures.sweep()
            #expect(try await fixture.objects.keys(below: "imports/").isEmpty)
            try await movers.imports.delete(by: Change(actor: ada))
            #expect(try await movers.imports.current(for: ada) == nil)
            // A file that is never started is removed after a day, its parts a while later.
            let last = try await movers.check(archive, for: ada)
            fixture.clock.advance(seconds: Limits.importWaitSeconds - 1)
            try await fixture.pictures.sweep()
            #expect(try await fixture.objects.keys(below: "imports/") == ["imports/\(last.id)/0"])
            fixture.clock.advance(seconds: Limits.importSlackSeconds + 1)
            try await fixture.pictures.sweep()
            #expect(try await fixture.objects.keys(below: "imports/").isEmpty)
            #expect(try await movers.imports.current(for: ada) == nil)
        }
    }

    @Test("A failed upload leaves no objects, and uploads are limited", arguments: Engine.allCases)
    func uploads(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let (movers, ada) = (try Movers(fixture), try await fixture.person())
            struct BrokenConnection: Error {}
            await #expect(throws: BrokenConnection.self) {
                _ = try await movers.imports.receive(by: ada) { upload in
                    try await upload.append([UInt8](repeating: 0, count: Limits.importPartBytes))
                    #expect(try await fixture.objects.keys(below: "imports/").count == 1)
                    let second = await refusal { _ = try await movers.imports.receive(by: ada) { _ in } }
                    #expect(second?.message == AccountMessage.importBusy.text)
                    throw BrokenConnection()
                }
            }
            try await fixture.pictures.sweep()
            #expect(try await fixture.objects.keys(below: "imports/").isEmpty)
            let slow = await refusal {
                _ = try await movers.imports.receive(by: ada) { upload in
                    fixture.clock.advance(seconds: Limits.importUploadSeconds)
                    try await upload.append([0])
                }
            }
            #expect(slow?.fields == ["archive": AccountMessage.importSlow.text])
            // An hour later, these two don't count any longer.
            for _ in 0..<Limits.importUploadsPerHour {
                #expect(await refusal { _ = try await movers.imports.receive(by: ada) { _ in } }?.code == .invalid)
            }
            let throttled = await refusal {
                _ = try await movers.imports.receive(by: ada) { _ in Issue.record("The body isn't read") }
            }
            #expect(throttled?.code == .throttled && throttled?.message == AccountMessage.importThrottled.text)
            fixture.clock.advance(seconds: 3_601)
            #expect(try await movers.check(try Movers.archive(1), for: ada).state == .ready)
        }
    }

    @Test("A deleted account leaves no archive", arguments: Engine.allCases, [false, true])
    func erased(engine: Engine, isRunning: Bool) async throws {
        try await withFixture(engine) { fixture in
            let (movers, ada) = (try Movers(fixture), try await fixture.person())
            _ = try await movers.check(try Movers.archive(1), for: ada)
            if isRunning {
                _ = try await movers.imports.start(nil, includesProfile: false, by: Change(actor: ada))
            }
            let now = fixture.now
            try await fixture.database.write { tx in
                let account = try #require(try AccountStore.account(ada.person, in: tx))
                try movers.accounts.deletions.erase(account, now: now, in: tx)
            }
            try await fixture.pictures.sweep()
            #expect(try await fixture.objects.keys(below: "imports/").isEmpty)
            await movers.imports.worker.performDueJobs()
            #expect(try await fixture.count("account_import") == 0)
        }
    }

    @Test("A running import is cancelled; one that doesn't end in time fails", arguments: Engine.allCases)
    func ended(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let (movers, ada) = (try Movers(fixture), try await fixture.person())
            let archive = try Movers.archive(1)
            _ = try await movers.check(archive, for: ada)
            _ = try await movers.imports.start(nil, includesProfile: false, by: Change(actor: ada))
            try await movers.imports.delete(by: Change(actor: ada))
            #expect(try await movers.imports.current(for: ada) == nil)
            await movers.imports.worker.performDueJobs()
            #expect(try await fixture.count("item") == 0)
            try await fixture.pictures.sweep()
            #expect(try await fixture.objects.keys(below: "imports/").isEmpty)

            _ = try await movers.check(archive, for: ada)
            _ = try await movers.imports.start(nil, includesProfile: false, by: Change(actor: ada))
            try await movers.imports.worker.failOverdue()
            #expect(try await movers.imports.current(for: ada)?.state == .running)
            fixture.clock.advance(seconds: Limits.importRunSeconds)
            try await movers.accounts.housekeeping.run()
            try await movers.imports.worker.failOverdue()
            let failed = try await movers.imports.current(for: ada)
            #expect(failed?.state == .failed && failed?.message == AccountMessage.importOverdue.text)
        }
    }

    @Test("Of two archives that two nodes receive at once, one is kept", arguments: Engine.allCases)
    func concurrent(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let (first, second, ada) = (try Movers(fixture), try Movers(fixture), try await fixture.person())
            let archive = try Movers.archive(1)
            async let one = first.check(archive, for: ada)
            async let two = second.check(archive, for: ada)
            let ids = try await [one.id, two.id]
            let current = try #require(try await first.imports.current(for: ada))
            #expect(ids.contains(current.id) && current.state == .ready)
            try await fixture.pictures.sweep()
            #expect(try await fixture.objects.keys(below: "imports/") == ["imports/\(current.id)/0"])
        }
    }

    @Test("An archive whose parts are gone can't be started")
    func gone() async throws {
        try await withFixture(.sqlite) { fixture in
            let (movers, ada) = (try Movers(fixture), try await fixture.person())
            let checked = try await movers.check(try Movers.archive(1), for: ada)
            try await fixture.database.write { tx in
                try ObjectGarbage.record(["imports/\(checked.id)/0"], dueAt: .longAgo, in: tx)
            }
            try await fixture.pictures.sweep()
            let error = await refusal {
                _ = try await movers.imports.start(nil, includesProfile: false, by: Change(actor: ada))
            }
            #expect(error?.code == .conflict && error?.message == AccountMessage.importGone.text)
        }
    }

    @Test("Positions that the item would delete at once aren't imported")
    func keepDays() async throws {
        try await withFixture(.sqlite) { fixture in
            let (movers, ada) = (try Movers(fixture), try await fixture.person())
            let items = #"[{"id":"0190a1b2-c3d4-7000-8000-00000000000a","name":"Bike","keepDays":1}]"#
            let archive = try Movers.archive(3, items: items)
            #expect(try await movers.check(archive, for: ada).preview.entries.first?.count == 0)
            #expect(try await movers.bring(archive, to: ada)?.state == .done)
            #expect(try await fixture.count("item") == 1)
            #expect(try await fixture.count("fix") == 0)
        }
    }

    @Test("Items beyond the limit are left out, the others are imported")
    func full() async throws {
        try await withFixture(.sqlite) { fixture in
            let (movers, ada) = (try Movers(fixture), try await fixture.person())
            for number in 1..<Limits.itemsPerAccount {
                let item = Item(
                    id: ID(at: fixture.now, random: fixture.random), owner: ada.person, name: "Item \(number)",
                    pictureID: nil, settings: .standard, version: 1, createdAt: fixture.now)
                try await fixture.database.write { tx in try ItemStore.insert(item, in: tx) }
            }
            let items = """
                [{"id":"0190a1b2-c3d4-7000-8000-00000000000b","name":"First"},\
                {"id":"0190a1b2-c3d4-7000-8000-00000000000a","name":"Second"}]
                """
            let archive = try Movers.archive(2, items: items)
            let entries = try await movers.check(archive, for: ada).preview.entries
            #expect(entries.map(\.isExcess) == [false, true] && entries.map(\.excessCount) == [0, 2])
            let done = try await movers.bring(archive, to: ada)
            #expect(done?.state == .done && done?.refusedCount == 1)
            #expect(try await fixture.count("item") == Limits.itemsPerAccount)
            #expect(try await fixture.count("fix") == 0)
        }
    }
}
