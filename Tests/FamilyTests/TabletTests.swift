import Accounts
import Kernel
import Storage
import TestSupport
import Testing

@testable import Family

@Suite("Shared tablets")
struct TabletTests {
    private static func pair(_ fixture: FamilyFixture, by parent: Actor) async throws -> (PairedTablet, Actor) {
        let code = try await fixture.family.tablets.createCode(by: Change(actor: parent)).code
        let paired = try await fixture.family.tabletPairings.pair(code: code, device: FamilyFixture.device())
        let device = try #require(
            try await fixture.family.tabletAuthenticator.authenticate(token: paired.token))
        return (paired, Actor(person: device.person, session: device.session.id, role: device.account.role))
    }

    @Test("A code pairs one tablet, and its parents see it", arguments: Engine.allCases)
    func pairing(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let code = try await fixture.family.tablets.createCode(by: Change(actor: ada))
            #expect(code.url == "https://home.example/family/tablet/pairing?code=\(code.code)")
            // Looking at the code doesn't use it up.
            for _ in 0..<2 {
                let name = try await fixture.family.tabletPairings.parentName(
                    ofCode: code.code, clientAddress: "192.0.2.7")
                #expect(name == "Ada")
            }
            #expect(try await fixture.family.tablets.state(of: code.id, for: ada) == .open)
            let paired = try await fixture.family.tabletPairings.pair(code: code.code, device: FamilyFixture.device())
            #expect(try await fixture.family.tablets.state(of: code.id, for: ada) == .used)
            let list = try await fixture.family.tablets.list(for: ada)
            #expect(list.map(\.id) == [paired.tablet.id])
            #expect(list.first?.pairedByName == "Ada")
            let again = await refusal {
                _ = try await fixture.family.tabletPairings.pair(code: code.code, device: FamilyFixture.device())
            }
            #expect(again == AppError(.notFound, FamilyMessage.codeUnknown))
        }
    }

    @Test("A code that is expired, replaced or revoked pairs nothing", arguments: Engine.allCases)
    func codes(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            func refused(_ code: TabletCode) async -> Bool {
                await refusal {
                    _ = try await fixture.family.tabletPairings.pair(code: code.code, device: FamilyFixture.device())
                }?.code == .notFound
            }
            let first = try await fixture.family.tablets.createCode(by: Change(actor: ada))
            let second = try await fixture.family.tablets.createCode(by: Change(actor: ada))
            #expect(await refused(first))
            #expect(try await fixture.family.tablets.state(of: first.id, for: ada) == .replaced)
            fixture.clock.advance(seconds: Limits.signInCodeSeconds)
            #expect(await refused(second))
            let third = try await fixture.family.tablets.createCode(by: Change(actor: ada))
            try await fixture.database.write { tx in
                try fixture.dataHandler.revokeGrants(
                    of: ada.person, endsChildSessions: false, now: fixture.now, in: tx)
            }
            #expect(await refused(third))
            #expect(try await fixture.count("family_tablet") == 0)
        }
    }

    @Test("A removed tablet is signed out, and its open pages end", arguments: Engine.allCases)
    func removal(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let eva = try await fixture.parent("Eva")
            let (paired, tablet) = try await Self.pair(fixture, by: ada)
            let stranger = await refusal {
                try await fixture.family.tablets.remove(paired.tablet.id, by: Change(actor: eva))
            }
            #expect(stranger == .notFound)
            let told = try await fixture.told {
                try await fixture.family.tablets.remove(paired.tablet.id, by: Change(actor: ada))
            }
            #expect(told[tablet.person] == ["session /account/sessions/\(tablet.session)"])
            #expect(told[ada.person] == ["tablet /family/tablets"])
            #expect(try await fixture.family.tabletAuthenticator.authenticate(token: paired.token) == nil)
            #expect(try await !fixture.family.tabletAuthenticator.isPaired(tablet.person))
            let refused = await refusal { _ = try await fixture.family.tabletDays.day(for: tablet) }
            #expect(refused?.code == .forbidden)
        }
    }

    @Test("A household has a limited number of tablets", arguments: Engine.allCases)
    func limit(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            for _ in 0..<Limits.tabletsPerHousehold { _ = try await Self.pair(fixture, by: ada) }
            let error = await refusal { _ = try await fixture.family.tablets.createCode(by: Change(actor: ada)) }
            #expect(error == AppError(.conflict, FamilyMessage.tooManyTablets))
        }
    }

    @Test("A tablet shows all children of its family, and none of another", arguments: Engine.allCases)
    func day(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let eva = try await fixture.parent("Eva")
            let (kim, lee) = (try await fixture.child(of: ada), try await fixture.child("Lee", of: ada))
            let nina = try await fixture.child("Nina", of: eva)
            let chore = try await fixture.chore(of: ada)
            try await fixture.schedule(chore, for: [kim, lee], rule: "FREQ=DAILY", distribution: .each, by: ada)
            let (_, tablet) = try await Self.pair(fixture, by: ada)
            let day = try await fixture.family.tabletDays.day(for: tablet).today
            #expect(Set(day.children.map(\.id)) == [kim, lee])
            #expect(Set(day.entries.filter { $0.state == .due }.map(\.childID)) == [kim, lee])
            #expect(try await fixture.family.tabletDays.day(of: kim, for: tablet).child.name == "Kim")
            for stranger in [nina, ada.person] {
                let error = await refusal { _ = try await fixture.family.tabletDays.day(of: stranger, for: tablet) }
                #expect(error == .notFound)
                let acting = await refusal {
                    _ = try await fixture.family.tabletDays.authenticate(stranger, pin: nil, on: tablet)
                }
                #expect(acting == .notFound)
            }
            for person in [ada, fixture.asking(kim)] {
                let error = await refusal { _ = try await fixture.family.tabletDays.day(for: person) }
                #expect(error?.code == .forbidden)
            }
        }
    }

    @Test("The tablet itself may use no service of parents and children", arguments: Engine.allCases)
    func itself(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let chore = try await fixture.chore(of: ada)
            let (_, tablet) = try await Self.pair(fixture, by: ada)
            let attempts: [@Sendable () async throws -> Void] = [
                { _ = try await fixture.family.households.dashboard(for: tablet, after: nil) },
                { _ = try await fixture.family.children.child(kim, for: tablet) },
                { _ = try await fixture.family.today.today(for: tablet) },
                { _ = try await fixture.family.requests.create(chore, for: kim, by: Change(actor: tablet)) },
                { _ = try await fixture.family.tablets.createCode(by: Change(actor: tablet)) },
                { _ = try await fixture.family.tablets.list(for: tablet) },
            ]
            for attempt in attempts { #expect(await refusal(attempt)?.code == .forbidden) }
        }
    }

    @Test("A child with a picture PIN acts only with its pictures; wrong ones are counted", arguments: Engine.allCases)
    func picturePIN(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let (kim, lee) = (try await fixture.child(of: ada), try await fixture.child("Lee", of: ada))
            let (_, tablet) = try await Self.pair(fixture, by: ada)
            try await fixture.family.picturePINs.set("3-1-3", of: kim, by: Change(actor: ada))
            func act(_ pin: String?, _ child: PersonID) async -> AppError? {
                await refusal { _ = try await fixture.family.tabletDays.authenticate(child, pin: pin, on: tablet) }
            }
            #expect(await act("3-1-3", kim) == nil)
            #expect(await act(nil, lee) == nil)
            let wrong = AppError(.invalid, FamilyMessage.picturePINWrong, field: "pin")
            // Without pictures, nothing is counted.
            let missing = AppError(.invalid, FamilyMessage.picturesMissing, field: "pin")
            for pin in [nil, "", "3-1", "3-1-3-3", "a-b-c", "3-1-0"] {
                #expect(await act(pin, kim) == missing, "\(pin ?? "none")")
            }
            for _ in 0..<Limits.picturePINFailures { #expect(await act("9-9-9", kim) == wrong) }
            #expect(await act("3-1-3", kim)?.code == .throttled)
            #expect(await act(nil, lee) == nil)
            fixture.clock.advance(seconds: Limits.picturePINFailureSeconds)
            #expect(await act("3-1-3", kim) == nil)
            // New pictures end the wait.
            for _ in 0..<Limits.picturePINFailures { _ = await act("9-9-9", kim) }
            #expect(await act("3-1-3", kim)?.code == .throttled)
            try await fixture.family.picturePINs.set("3-1-4", of: kim, by: Change(actor: ada))
            #expect(await act("3-1-4", kim) == nil)
            #expect(await act("3-1-3", kim) == wrong)
            try await fixture.family.picturePINs.remove(of: kim, by: Change(actor: ada))
            #expect(await act(nil, kim) == nil)
        }
    }

    @Test("Attempts at the same moment don't exceed the limit", arguments: Engine.allCases)
    func guesses(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let (_, tablet) = try await Self.pair(fixture, by: ada)
            try await fixture.family.picturePINs.set("3-1-3", of: kim, by: Change(actor: ada))
            let wrong = await withTaskGroup(of: Bool.self) { group in
                for number in 1...40 {
                    group.addTask {
                        let pin = "\(number % 9 + 1)-9-9"
                        return await refusal {
                            _ = try await fixture.family.tabletDays.authenticate(kim, pin: pin, on: tablet)
                        }?.code == .invalid
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(wrong == Limits.picturePINFailures)
        }
    }

    @Test("A parent who leaves takes no code for a tablet along", arguments: Engine.allCases)
    func leaving(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let ben = try await fixture.parent("Ben", with: ada)
            let code = try await fixture.family.tablets.createCode(by: Change(actor: ada))
            try await fixture.remove(ben.person, by: ada)
            let error = await refusal {
                _ = try await fixture.family.tabletPairings.pair(code: code.code, device: FamilyFixture.device())
            }
            #expect(error?.code == .notFound)
        }
    }

    @Test(
        "A picture PIN has three of nine pictures",
        arguments: ["", "1-2", "1-2-3-4", "0-1-2", "1-2-10", "1--3", "one-two-three", " 1-2-3"])
    func wrongPIN(text: String) async throws {
        #expect(PicturePIN(text) == nil)
        try await withFixture(.sqlite) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let error = await refusal {
                try await fixture.family.picturePINs.set(text, of: kim, by: Change(actor: ada))
            }
            #expect(error == AppError(.invalid, FamilyMessage.picturesMissing, field: "pin"))
        }
    }

    @Test("Tablets go with their household", arguments: Engine.allCases)
    func erased(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            _ = try await fixture.child(of: ada)
            let (paired, _) = try await Self.pair(fixture, by: ada)
            _ = try await fixture.family.tablets.createCode(by: Change(actor: ada))
            try await fixture.database.write { tx in try fixture.dataHandler.erase(ada.person, in: tx) }
            #expect(try await fixture.family.tabletAuthenticator.authenticate(token: paired.token) == nil)
            #expect(try await fixture.count("family_tablet_code") == 0)
        }
    }
}
