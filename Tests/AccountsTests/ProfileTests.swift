import Accounts
import Kernel
import Pictures
import Storage
import TestSupport
import Testing

@Suite("Profile")
struct ProfileTests {
    @Test("Absent keeps a field, null clears it, and a value sets it", arguments: Engine.allCases)
    func update(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let mia = try await fixture.join()
            let full = try await fixture.service.profiles.update(
                ProfileChanges(
                    name: .set(" Mia M. "), phone: .set("0049 151 23456789"), dateOfBirth: .set("1980-05-06"),
                    theme: .set("ocean"), mapsApp: .set(.google), language: .set("de")
                ), by: mia.change
            )
            #expect(full.name == "Mia M.")
            #expect(full.phone == "+4915123456789")
            #expect(full.dateOfBirth == "1980-05-06")
            #expect(full.theme == "ocean")
            #expect(full.mapsApp == .google)
            #expect(full.language == "de")
            #expect(full.email == "mia@example.org")
            #expect(full.version == 2)
            let cleared = try await fixture.service.profiles.update(
                ProfileChanges(phone: .clear, mapsApp: .clear, language: .clear), by: mia.change
            )
            #expect(cleared.phone == nil)
            #expect(cleared.mapsApp == nil)
            #expect(cleared.language == nil)
            #expect(cleared.dateOfBirth == "1980-05-06")
            #expect(cleared.version == 3)
            let same = try await fixture.service.profiles.update(ProfileChanges(theme: .set("ocean")), by: mia.change)
            #expect(same.version == 3)
            let events = try await fixture.events()
            #expect(count("account /account", in: events) == 2)
        }
    }

    struct BadChange: Sendable, CustomTestStringConvertible {
        let changes: ProfileChanges
        let fields: [String]
        var testDescription: String { "\(fields)" }
    }

    @Test(
        "An invalid value is reported at its field, and nothing is changed",
        arguments: [
            BadChange(changes: ProfileChanges(name: .clear), fields: ["name"]),
            BadChange(changes: ProfileChanges(name: .set("  ")), fields: ["name"]),
            BadChange(
                changes: ProfileChanges(email: .clear, name: .set("Other"), theme: .clear), fields: ["email", "theme"]),
            BadChange(changes: ProfileChanges(email: .set("x"), theme: .set("neon")), fields: ["email", "theme"]),
            BadChange(
                changes: ProfileChanges(phone: .set("call me"), dateOfBirth: .set("tomorrow"), language: .set("xx")),
                fields: ["dateOfBirth", "language", "phone"]
            ),
            BadChange(
                changes: ProfileChanges(
                    avatarPictureID: .set(ID(at: Instant(millisecondsSince1970: 1), random: SeededRandom()))
                ), fields: ["avatarPictureId"]
            ),
        ])
    func badChange(_ example: BadChange) async throws {
        try await withFixture(.sqlite) { fixture in
            let mia = try await fixture.join()
            let error = try await refusal {
                _ = try await fixture.service.profiles.update(example.changes, by: mia.change)
            }
            #expect(error?.code == .invalid)
            #expect(error?.fields.keys.sorted() == example.fields)
            #expect(try await fixture.service.reader.account(mia.actor) == mia.account)
        }
    }

    @Test("A change of an outdated version is refused", arguments: Engine.allCases)
    func movedOn(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let mia = try await fixture.join()
            _ = try await fixture.service.profiles.update(ProfileChanges(name: .set("A")), ifVersion: 1, by: mia.change)
            let error = try await refusal {
                _ = try await fixture.service.profiles.update(
                    ProfileChanges(name: .set("B")), ifVersion: 1, by: mia.change)
            }
            #expect(error?.code == .conflict)
            #expect(try await fixture.service.reader.account(mia.actor).name == "A")
        }
    }

    @Test("A repeated request is not applied again", arguments: Engine.allCases)
    func idempotent(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let mia = try await fixture.join()
            let scope = IdempotencyScope(
                person: mia.account.id, method: "PATCH", path: "/account", key: "1", bodyDigest: [1]
            )
            let change = Change(actor: mia.actor, idempotency: scope)
            _ = try await fixture.service.profiles.update(ProfileChanges(name: .set("A")), ifVersion: 1, by: change)
            _ = try await fixture.service.profiles.update(ProfileChanges(name: .set("B")), by: mia.change)
            let replayed = try await fixture.service.profiles.update(
                ProfileChanges(name: .set("A")), ifVersion: 1, by: change)
            #expect(replayed.name == "B")
            #expect(replayed.version == 3)
        }
    }

    @Test("Another person's email is refused, but another case of one's own is accepted", arguments: Engine.allCases)
    func email(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let mia = try await fixture.join()
            try await fixture.join("ben@example.org")
            let error = try await refusal {
                _ = try await fixture.service.profiles.update(
                    ProfileChanges(email: .set("BEN@example.org")), password: "correct horse", by: mia.change)
            }
            #expect(error?.code == .conflict)
            #expect(error?.fields["email"] != nil)
            let changed = try await fixture.service.profiles.update(
                ProfileChanges(email: .set("MIA@example.org")), password: "correct horse", by: mia.change
            )
            #expect(changed.email == "MIA@example.org")
            _ = try await fixture.signIn("mia@example.org")
        }
    }

    @Test("Of two concurrent requests for the same email, one gets it", arguments: Engine.allCases)
    func emailRace(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            var people: [SignedIn] = []
            for number in 0..<6 { people.append(try await fixture.join("p\(number)@example.org")) }
            let codes = await withTaskGroup(of: AppError.Code?.self) { [people] group in
                for person in people {
                    group.addTask {
                        do {
                            let changes = ProfileChanges(email: .set("one@example.org"))
                            _ = try await fixture.service.profiles.update(
                                changes, password: "correct horse", by: person.change)
                            return nil
                        } catch {
                            return (error as? AppError)?.code ?? .internal
                        }
                    }
                }
                return await group.reduce(into: [AppError.Code?]()) { $0.append($1) }
            }
            #expect(count(nil, in: codes) == 1)
            #expect(count(.conflict, in: codes) == 5)
        }
    }
}
