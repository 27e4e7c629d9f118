import Accounts
import Kernel
import Logging
import Objects
import Pictures
import Storage
import TestSupport
import Testing

@Suite("Children's accounts")
struct ChildrenTests {
    private static let tom = ChildProfile(name: "Tom", dateOfBirth: "2018-05-04")

    struct ProfileCase: Sendable, CustomTestStringConvertible {
        let name: String?
        let dateOfBirth: String?
        var theme: String?
        let fields: [String]
        var testDescription: String { "\(name ?? "-") \(dateOfBirth ?? "-") \(theme ?? "-")" }
    }

    @Test(
        "A profile is accepted, or every error in it is reported",
        arguments: [
            ProfileCase(name: "Tom", dateOfBirth: "2018-05-04", fields: []),
            ProfileCase(name: "טום 🦖", dateOfBirth: "2020-02-29", theme: "ocean", fields: []),
            ProfileCase(name: "Tom", dateOfBirth: "1900-01-01", theme: "standard", fields: []),
            ProfileCase(name: nil, dateOfBirth: nil, fields: ["dateOfBirth", "name"]),
            ProfileCase(name: "  ", dateOfBirth: "", theme: "mud", fields: ["dateOfBirth", "name", "theme"]),
            ProfileCase(name: "Tom", dateOfBirth: "2019-02-29", fields: ["dateOfBirth"]),
            ProfileCase(name: "Tom", dateOfBirth: "2026-03-01", fields: ["dateOfBirth"]),
            ProfileCase(name: "Tom", dateOfBirth: "2026-03-02", fields: ["dateOfBirth"]),
            ProfileCase(name: "Tom", dateOfBirth: "4.5.2018", fields: ["dateOfBirth"]),
            ProfileCase(name: String(repeating: "x", count: 51), dateOfBirth: "2026-02-28", fields: ["name"]),
        ])
    func check(_ example: ProfileCase) throws {
        let now = try #require(Instant(rfc3339: "2026-03-01T23:59:00Z"))
        let profile = ChildProfile(name: example.name, dateOfBirth: example.dateOfBirth, theme: example.theme)
        var fields: [String] = []
        do { _ = try ValidatedChildProfile(profile, now: now) } catch let error as AppError {
            #expect(error.code == .invalid)
            fields = error.fields.keys.sorted()
        }
        #expect(fields == example.fields)
    }

    @Test(
        "A child starts with a built-in avatar and the standard theme, and two equal profiles give two children",
        arguments: Engine.allCases)
    func add(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let mia = try await fixture.join()
            let tom = try await fixture.child(Self.tom, of: mia)
            let twin = try await fixture.child(Self.tom, of: mia)
            #expect(tom.id != twin.id)
            #expect(tom.role == .child)
            #expect(tom.email == nil)
            #expect(tom.theme == Themes.standard)
            #expect(tom.avatarPictureID == BuiltinAvatars.one(for: tom.id)?.id)
            #expect(tom.avatarPictureID != nil)
            let found = try await fixture.database.read { tx in
                try fixture.service.reader.accounts([twin.id, tom.id, mia.account.id], in: tx)
            }
            #expect(found == [tom.id: tom, twin.id: twin, mia.account.id: mia.account])
        }
    }

    @Test("An avatar is built in or belongs to the parent", arguments: Engine.allCases)
    func avatar(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let mia = try await fixture.join()
            let ben = try await fixture.join("ben@example.org")
            let his = try await fixture.picture(of: ben)
            let hers = try await fixture.picture(of: mia)
            let profile = { ChildProfile(name: "Tom", dateOfBirth: "2018-05-04", theme: nil, avatarPictureID: $0) }
            let error = try await refusal { _ = try await fixture.child(profile(his), of: mia) }
            #expect(error?.fields.keys.sorted() == ["avatarPictureId"])
            let tom = try await fixture.child(profile(hers), of: mia)
            #expect(tom.avatarPictureID == hers)
            let fox = try #require(BuiltinAvatars.all.first).id
            let change = { (edit: Edit<ID<Picture>>) in
                try await fixture.edit(tom, ProfileChanges(avatarPictureID: edit), by: mia)
            }
            let wrong = try await refusal { _ = try await change(.set(his)) }
            #expect(wrong?.fields.keys.sorted() == ["avatarPictureId"])
            let cleared = try await refusal { _ = try await change(.clear) }
            #expect(cleared?.fields.keys.sorted() == ["avatarPictureId"])
            #expect(try await change(.set(fox)).after.avatarPictureID == fox)
        }
    }

    struct EditCase: Sendable, CustomTestStringConvertible {
        let changes: ProfileChanges
        let code: AppError.Code?
        var fields: [String] = []
        let testDescription: String
    }

    private static let edits = [
        EditCase(changes: ProfileChanges(name: .set("Tim"), theme: .set("space")), code: nil, testDescription: "both"),
        EditCase(changes: ProfileChanges(name: .set("Tom")), code: nil, testDescription: "the same"),
        EditCase(
            changes: ProfileChanges(name: .clear, dateOfBirth: .clear, theme: .clear, avatarPictureID: .clear),
            code: .invalid, fields: ["avatarPictureId", "dateOfBirth", "name", "theme"], testDescription: "emptied"),
        EditCase(
            changes: ProfileChanges(name: .set(""), dateOfBirth: .set(""), theme: .set("mud")), code: .invalid,
            fields: ["dateOfBirth", "name", "theme"], testDescription: "blank"),
        EditCase(changes: ProfileChanges(email: .set("a@b.org")), code: .forbidden, testDescription: "email"),
        EditCase(changes: ProfileChanges(phone: .set("+49151234567")), code: .forbidden, testDescription: "phone"),
        EditCase(changes: ProfileChanges(mapsApp: .set(.google)), code: .forbidden, testDescription: "maps"),
    ]

    @Test("A parent and the child can change the same fields by the same rules", arguments: Engine.allCases)
    func update(engine: Engine) async throws {
        for example in Self.edits {
            try await withFixture(engine) { fixture in
                let mia = try await fixture.join()
                let tom = try await fixture.child(Self.tom, of: mia)
                let signedIn = try await fixture.open(tom)
                let byParent = try await refusal { _ = try await fixture.edit(tom, example.changes, by: mia) }
                let byChild = try await refusal {
                    _ = try await fixture.service.profiles.update(example.changes, by: signedIn.change)
                }
                for error in [byParent, byChild] {
                    #expect(error?.code == example.code, "\(example.testDescription)")
                    #expect((error?.fields.keys.sorted() ?? []) == example.fields, "\(example.testDescription)")
                }
            }
        }
    }

    @Test(
        "An edit returns the previous profile, increases the version, and notifies the child's pages",
        arguments: Engine.allCases)
    func versions(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let mia = try await fixture.join()
            let tom = try await fixture.child(Self.tom, of: mia)
            let (before, after) = try await fixture.edit(tom, ProfileChanges(name: .set("Tim")), by: mia, ifVersion: 1)
            #expect([before.name, after.name] == ["Tom", "Tim"])
            #expect(after.version == 2)
            let same = try await fixture.edit(tom, ProfileChanges(name: .set("Tim")), by: mia)
            #expect(same.after.version == 2)
            try await expectRefusal(.conflict) {
                _ = try await fixture.edit(tom, ProfileChanges(name: .set("Tam")), by: mia, ifVersion: 1)
            }
            let told = try await fixture.database.read { tx in
                try tx.rows("SELECT resource FROM outbox WHERE audience = \(tom.id)").map {
                    try $0.get("resource", as: String.self)
                }
            }
            #expect(told == ["/account"])
            try await expectRefusal(.notFound) {
                _ = try await fixture.edit(mia.account, ProfileChanges(name: .set("Mia 2")), by: mia)
            }
        }
    }

    @Test("Apps are notified of profile changes in the same transaction", arguments: Engine.allCases)
    func dataHandlers(engine: Engine) async throws {
        try await withFixture(engine, dataHandlers: [Echo()]) { fixture in
            let mia = try await fixture.join()
            _ = try await fixture.service.profiles.update(ProfileChanges(name: .set("Mia")), by: mia.change)
            _ = try await fixture.service.profiles.update(ProfileChanges(name: .set("Maja")), by: mia.change)
            try await expectRefusal(.conflict) {
                _ = try await fixture.service.profiles.update(ProfileChanges(name: .set("refused")), by: mia.change)
            }
            #expect(try await fixture.service.reader.account(mia.actor).name == "Maja")
            #expect(try await fixture.published().filter { $0.hasPrefix("echo") } == ["echo /Maja"])
        }
    }

    @Test(
        "A session by code works like any other, and ends at once when a parent ends it", arguments: Engine.allCases
    )
    func sessions(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let mia = try await fixture.join()
            let tom = try await fixture.child(Self.tom, of: mia)
            let phone = try await fixture.open(tom)
            fixture.clock.advance(seconds: 1)
            let tablet = try await fixture.open(tom, on: .script)
            #expect(phone.actor.role == .child)
            #expect(try await fixture.isValid(phone))
            #expect(try await fixture.isValid(tablet))
            let listed = try await fixture.database.read { tx in
                (
                    try fixture.service.sessions.list(of: tom.id, after: nil, limit: 1, in: tx).map(\.id),
                    try fixture.service.sessions.list(of: tom.id, after: phone.session.id, limit: 5, in: tx).map(\.id),
                    try fixture.service.sessions.count(of: tom.id, in: tx)
                )
            }
            #expect(listed == ([phone.session.id], [tablet.session.id], 2))
            try await fixture.end(phone.session.id, of: tom.id)
            #expect(try await !fixture.isValid(phone))
            #expect(try await fixture.isValid(tablet))
            for (id, person) in [(phone.session.id, tom.id), (mia.session.id, tom.id)] {
                try await expectRefusal(.notFound) { try await fixture.end(id, of: person) }
            }
            let now = fixture.clock.now
            try await fixture.database.write { tx in
                try fixture.service.sessions.endAll(of: tom.id, now: now, in: tx)
            }
            #expect(try await !fixture.isValid(tablet))
            #expect(try await fixture.isValid(mia))
            for signedIn in [phone, tablet] {
                let event = "session /account/sessions/\(signedIn.session.id)"
                #expect(count(event, in: try await fixture.published()) == 2)
            }
        }
    }

    @Test("A child can't sign in by password and can't delete its account", arguments: Engine.allCases)
    func noPassword(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let mia = try await fixture.join()
            let tom = try await fixture.open(try await fixture.child(Self.tom, of: mia))
            try await expectRefusal(.forbidden) {
                try await fixture.service.deletions.delete(tom.actor, password: "correct horse")
            }
            try await expectRefusal(.forbidden) {
                try await fixture.service.passwords.change(current: "correct horse", new: "another one", by: tom.actor)
            }
            try await expectRefusal(.unauthenticated) { _ = try await fixture.signIn("tom@example.org") }
        }
    }

    @Test(
        "A deleted child leaves no sessions, keys or pictures, and other people's data stays",
        arguments: Engine.allCases)
    func erase(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let mia = try await fixture.join()
            let tom = try await fixture.child(Self.tom, of: mia)
            let twin = try await fixture.child(Self.tom, of: mia)
            let device = try await fixture.open(tom)
            let his = try await fixture.picture(of: device)
            let hers = try await fixture.picture(of: mia)
            _ = try await fixture.service.profiles.update(ProfileChanges(avatarPictureID: .set(his)), by: device.change)
            let scope = IdempotencyScope(person: tom.id, method: "PATCH", path: "/account", key: "k", bodyDigest: [1])
            _ = try await fixture.service.profiles.update(
                ProfileChanges(theme: .set("ocean")), by: Change(actor: device.actor, idempotency: scope)
            )
            try await fixture.erase(tom.id)
            #expect(try await !fixture.isValid(device))
            let left = try await fixture.database.read { tx in
                (
                    try tx.rows("SELECT person FROM idempotency").count,
                    try tx.rows("SELECT id FROM picture WHERE owner_id <> \(BuiltinPictures.owner)").map {
                        try $0.get("id", as: ID<Picture>.self)
                    },
                    try fixture.service.reader.accounts([tom.id, twin.id], in: tx).count
                )
            }
            #expect(left == (0, [hers], 1))
            try await expectRefusal(.notFound) { try await fixture.erase(tom.id) }
            try await expectRefusal(.notFound) { try await fixture.erase(mia.account.id) }
            try await expectRefusal(.notFound) { _ = try await fixture.open(tom) }
        }
    }

    @Test("A deleted parent's photos stay with the children who use them as avatars", arguments: Engine.allCases)
    func leavingParent(engine: Engine) async throws {
        try await withDatabase(engine, migrations: accountTables) { database in
            let folder = try TemporaryFolder()
            let library = PictureLibrary(
                database: database, objects: try FolderObjectStore(folder: folder.path),
                worker: PictureWorker(executable: folder.file("no-such-program")), clock: TestClock(),
                random: SeededRandom(), logger: .silent
            )
            let fixture = AccountsFixture(database, dataHandlers: [PicturesDataHandler(library: library)])
            let mia = try await fixture.join()
            let ben = try await fixture.join("ben@example.org")
            let photo = try await fixture.picture(of: mia)
            let other = try await fixture.picture(of: mia)
            let profile = ChildProfile(name: "Tom", dateOfBirth: "2018-05-04", theme: nil, avatarPictureID: photo)
            let tom = try await fixture.child(profile, of: mia)
            let twin = try await fixture.child(profile, of: mia)
            try await fixture.service.deletions.delete(mia.actor, password: "correct horse")
            let kept = try await fixture.database.read { tx in
                let rows = try tx.rows("SELECT id, owner_id FROM picture WHERE id IN \(list: [photo, other])")
                return (
                    try rows.map { try $0.get("id", as: ID<Picture>.self) },
                    try rows.map { try $0.get("owner_id", as: PersonID.self) }
                )
            }
            #expect(kept.0 == [photo])
            #expect([tom.id, twin.id].contains(kept.1.first))
            let heir = try #require(kept.1.first)
            let second = heir == tom.id ? twin.id : tom.id
            try await fixture.erase(heir)
            let avatar = try await fixture.database.read { tx in
                try fixture.service.reader.accounts([second], in: tx)[second]
            }
            #expect(avatar?.avatarPictureID == photo)
            #expect(try await fixture.isValid(ben))
        }
    }

    @Test(
        "People can see their own avatar, even when the picture belongs to another person",
        arguments: Engine.allCases)
    func visibility(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let mia = try await fixture.join()
            let photo = try await fixture.picture(of: mia)
            let profile = ChildProfile(name: "Tom", dateOfBirth: "2018-05-04", theme: nil, avatarPictureID: photo)
            let tom = try await fixture.child(profile, of: mia)
            let twin = try await fixture.child(Self.tom, of: mia)
            let seen = try await fixture.database.read { tx in
                try [tom.id, twin.id].map { try AccountServices.avatarVisibility.isVisible(photo, to: $0, in: tx) }
            }
            #expect(seen == [true, false])
        }
    }

    @Test("A child's export contains its own account and devices", arguments: Engine.allCases)
    func export(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let mia = try await fixture.join()
            let tom = try await fixture.open(try await fixture.child(Self.tom, of: mia))
            var bytes: [UInt8] = []
            for try await chunk in try await fixture.service.exports.export(tom.actor) { bytes += chunk }
            #expect(String(decoding: bytes.prefix(60), as: UTF8.self).contains("account.json"))
        }
    }
}

/// Publishes the name of each changed profile, and refuses one name.
private struct Echo: TestDataHandler {
    func export(_ person: PersonID, in tx: Transaction) throws -> [(path: String, contents: [UInt8])] { [] }
    func erase(_ person: PersonID, in tx: Transaction) throws {}
    func profileChanged(_ account: Account, now: Instant, in tx: Transaction) throws {
        guard account.name != "refused" else { throw AppError(.conflict, "Not that name.") }
        try tx.publish(
            ChangeEvent(audience: account.id, kind: "echo", resource: "/\(account.name)", version: 1, at: now)
        )
    }
}

extension AccountsFixture {
    func child(_ profile: ChildProfile, of parent: SignedIn) async throws -> Account {
        let now = clock.now
        let checked = try ValidatedChildProfile(profile, now: now)
        let id = PersonID(at: now, random: random)
        return try await database.write { [service] tx in
            try service.children.create(checked, id: id, by: parent.account.id, now: now, in: tx)
        }
    }

    func edit(
        _ child: Account, _ changes: ProfileChanges, by parent: SignedIn, ifVersion: Int64? = nil
    ) async throws -> (before: Account, after: Account) {
        let now = clock.now
        return try await database.write { [service] tx in
            try service.children.update(
                child.id, changes, by: parent.account.id, ifVersion: ifVersion, now: now, in: tx)
        }
    }

    func open(_ account: Account, on device: DeviceInfo = .phone) async throws -> SignedIn {
        let now = clock.now
        let token = service.sessionCreator.newToken()
        let id = ID<Session>(at: now, random: random)
        return try await database.write { [service] tx in
            try service.sessionCreator.openSession(
                of: account.id, device: device, token: token, sessionID: id, now: now, in: tx)
        }
    }

    func end(_ session: ID<Session>, of person: PersonID) async throws {
        let now = clock.now
        try await database.write { [service] tx in try service.sessions.end(session, of: person, now: now, in: tx) }
    }

    func erase(_ child: PersonID) async throws {
        let now = clock.now
        try await database.write { [service] tx in try service.children.erase(child, now: now, in: tx) }
    }

    /// Returns all events in order, including those that are not visible to the outbox's readers yet.
    func published() async throws -> [String] {
        try await database.read { tx in
            try tx.rows("SELECT kind, resource FROM outbox ORDER BY sequence").map { row in
                let kind: String = try row.get("kind")
                return "\(kind) \(try row.get("resource", as: String.self))"
            }
        }
    }

    /// Inserts the row of a picture, without files.
    func picture(of owner: SignedIn) async throws -> ID<Picture> {
        let id = ID<Picture>(at: clock.now, random: random)
        try await database.write { tx in
            try tx.execute(
                """
                INSERT INTO picture (id, owner_id, width, height, media_type, digest, created_at)
                VALUES (\(id), \(owner.account.id), 1, 1, 'image/jpeg', \([UInt8](repeating: 0, count: 32)), 0)
                """
            )
        }
        return id
    }
}
