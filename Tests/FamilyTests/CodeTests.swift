import Accounts
import Kernel
import Storage
import TestSupport
import Testing

@testable import Family

@Suite("Signing a child in by code")
struct CodeTests {
    private static let unknown = FamilyMessage.codeUnknown.text

    private func signIn(
        _ code: String?, _ fixture: FamilyFixture, address: String = "192.0.2.7"
    ) async -> AppError? {
        await refusal {
            _ = try await fixture.family.childSignIns.signIn(code: code, device: FamilyFixture.device(address: address))
        }
    }

    @Test("A request with an ended session creates no code", arguments: Engine.allCases)
    func endedSession(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            try await fixture.database.write { tx in
                try tx.execute("DELETE FROM session WHERE id = \(ada.session)")
            }
            let error = await refusal {
                _ = try await fixture.family.signInCodes.create(for: kim, by: Change(actor: ada))
            }
            #expect(error?.code == .unauthenticated)
            #expect(try await fixture.count("family_code") == 0)
        }
    }

    @Test("A code signs its child in once, and the device is listed", arguments: Engine.allCases)
    func once(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let code = try await fixture.family.signInCodes.create(for: kim, by: Change(actor: ada))
            #expect(code.url == "https://home.example/family/sign-in?code=\(code.code)")
            #expect(code.code.utf8.count == 24)
            #expect(code.expiresAt == fixture.now.adding(seconds: Limits.signInCodeSeconds))
            // Looking up its child doesn't use the code up.
            for _ in 0..<3 {
                let holder = try await fixture.family.childSignIns.holder(ofCode: code.code, clientAddress: "192.0.2.7")
                #expect(holder.name == "Kim")
            }
            #expect(try await fixture.family.signInCodes.state(code.id, of: kim, for: ada) == .open)
            var result: ChildSignIn?
            let told = try await fixture.told {
                result = try await fixture.family.childSignIns.signIn(
                    code: " \(code.code)\n", device: FamilyFixture.device())
            }
            let signIn = try #require(result)
            #expect(signIn.child.id == kim)
            #expect(signIn.child.deviceCount == nil)
            #expect(signIn.signedIn.account.role == .child)
            #expect(told[ada.person]?.contains("child /family/children/\(kim)") == true)
            #expect(told[ada.person]?.contains("session /family/children/\(kim)") == true)
            let found = try await fixture.accounts.authenticator.authenticate(
                token: signIn.signedIn.token, kind: .bearer)
            #expect(found?.account.id == kim)
            #expect(try await fixture.family.signInCodes.state(code.id, of: kim, for: ada) == .used)
            let devices = try await fixture.family.childDevices.list(of: kim, for: ada, after: nil, limit: 10).items
            #expect(devices.map(\.name) == ["Tablet"])
            #expect(try await fixture.family.children.child(kim, for: ada).deviceCount == 1)
            let second = await self.signIn(code.code, fixture)
            #expect(second?.code == .notFound)
            #expect(second?.message == Self.unknown)
            let preview = await refusal {
                _ = try await fixture.family.childSignIns.holder(ofCode: code.code, clientAddress: "192.0.2.7")
            }
            #expect(preview?.message == Self.unknown)
        }
    }

    @Test("Used, expired, revoked, replaced and unknown codes get the same error", arguments: Engine.allCases)
    func refused(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let change = Change(actor: ada)
            let replaced = try await fixture.family.signInCodes.create(for: kim, by: change)
            let revoked = try await fixture.family.signInCodes.create(for: kim, by: change)
            #expect(replaced.code != revoked.code)
            #expect(try await fixture.family.signInCodes.state(replaced.id, of: kim, for: ada) == .replaced)
            try await fixture.family.signInCodes.revoke(of: kim, by: change)
            #expect(try await fixture.family.signInCodes.state(revoked.id, of: kim, for: ada) == .revoked)
            let expired = try await fixture.family.signInCodes.create(for: kim, by: change)
            fixture.clock.advance(seconds: Limits.signInCodeSeconds)
            #expect(try await fixture.family.signInCodes.state(expired.id, of: kim, for: ada) == .expired)
            let orphaned = try await fixture.family.signInCodes.create(for: kim, by: change)
            try await fixture.family.childDeletions.delete(kim, by: change)
            let codes = [
                replaced.code, revoked.code, expired.code, orphaned.code, "made-up", "☃", "a b",
                String(repeating: "x", count: 5_000),
            ]
            for code in codes {
                let error = await signIn(code, fixture)
                #expect(error == AppError(.notFound, Self.unknown), "\(code.prefix(30))")
                let preview = await refusal {
                    _ = try await fixture.family.childSignIns.holder(ofCode: code, clientAddress: "192.0.2.7")
                }
                #expect(preview == error)
            }
            for code in [nil, "", " \n"] as [String?] {
                let error = await signIn(code, fixture)
                #expect(error?.code == .invalid)
                #expect(error?.fields["code"] != nil)
            }
            #expect(try await fixture.count("session WHERE signed_in_by = 'code'") == 0)
            // After its restoration, the child needs a new code.
            _ = try await fixture.family.childDeletions.restore(kim, by: change)
            let old = await signIn(orphaned.code, fixture)
            #expect(old?.code == .notFound)
        }
    }

    @Test("A code works until the moment it expires", arguments: Engine.allCases)
    func lastMoment(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let code = try await fixture.family.signInCodes.create(for: kim, by: Change(actor: ada)).code
            fixture.clock.advance(milliseconds: Limits.signInCodeSeconds * 1_000 - 1)
            let error = await signIn(code, fixture)
            #expect(error == nil)
        }
    }

    @Test("If several devices use a code at once, one of them signs in", arguments: Engine.allCases)
    func twoDevices(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            for round in 0..<Counts.races {
                let code = try await fixture.family.signInCodes.create(for: kim, by: Change(actor: ada)).code
                let codes = await together(
                    (0..<4).map { index in
                        {
                            let address = FamilyFixture.address(4 * round + index)
                            let device = FamilyFixture.device("Device \(index)", address: address)
                            _ = try await fixture.family.childSignIns.signIn(code: code, device: device)
                        }
                    }
                )
                #expect(codes.count { $0 == nil } == 1)
                #expect(codes.count { $0 == .notFound } == 3)
            }
            // An account with too many devices loses the oldest one.
            #expect(
                try await fixture.count("session WHERE signed_in_by = 'code'")
                    == min(Counts.races, Limits.sessionsPerAccount))
        }
    }

    @Test("Two parents who create a code at once leave one open code for the child", arguments: Engine.allCases)
    func madeAtOnce(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let ben = try await fixture.parent("Ben", with: ada)
            let kim = try await fixture.child(of: ada)
            let twin = try await fixture.child(of: ada)
            for _ in 0..<Counts.races {
                let codes = await together(
                    [ada, ben].map { parent in
                        { _ = try await fixture.family.signInCodes.create(for: kim, by: Change(actor: parent)) }
                    }
                )
                #expect(codes == [nil, nil])
            }
            #expect(try await fixture.count("family_code WHERE closed_at IS NULL") == 1)
            let mine = try await fixture.family.signInCodes.create(for: kim, by: Change(actor: ada)).code
            let other = try await fixture.family.signInCodes.create(for: twin, by: Change(actor: ada)).code
            #expect(mine != other)
            let signedIn = try await fixture.family.childSignIns.signIn(code: mine, device: FamilyFixture.device())
            #expect(signedIn.child.id == kim)
        }
    }

    @Test("100 wrong codes block their address, but not other addresses", arguments: Engine.allCases)
    func throttled(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            for index in 0..<Limits.familyCodeFailures {
                let error = await signIn("wrong\(index)", fixture)
                #expect(error?.code == .notFound)
            }
            let code = try await fixture.family.signInCodes.create(for: kim, by: Change(actor: ada)).code
            let locked = await signIn(code, fixture)
            #expect(locked?.code == .throttled)
            #expect((locked?.retryAfterSeconds ?? 0) > 0)
            let preview = await refusal {
                _ = try await fixture.family.childSignIns.holder(ofCode: code, clientAddress: "192.0.2.7")
            }
            #expect(preview?.code == .throttled)
            let elsewhere = await signIn(code, fixture, address: "198.51.100.1")
            #expect(elsewhere == nil)
            fixture.clock.advance(seconds: Limits.throttleSeconds)
            let fresh = try await fixture.family.signInCodes.create(for: kim, by: Change(actor: ada)).code
            let later = await signIn(fresh, fixture)
            #expect(later == nil)
        }
    }

    @Test("A parent or the child signs out one of the child's devices, not a sibling's", arguments: Engine.allCases)
    func devices(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let leo = try await fixture.child("Leo", of: ada)
            let first = try await fixture.signedIn(kim, of: ada, device: "Tablet")
            fixture.clock.advance(milliseconds: 1)
            let second = try await fixture.signedIn(kim, of: ada, device: "Phone")
            let others = try await fixture.signedIn(leo, of: ada)
            #expect(
                try await fixture.family.childDevices.list(of: kim, for: ada, after: nil, limit: 9).items.count == 2)
            let wrong = await refusal {
                try await fixture.family.childDevices.signOut(others.session.id, of: kim, by: Change(actor: ada))
            }
            #expect(wrong?.code == .notFound)
            let told = try await fixture.told {
                try await fixture.family.childDevices.signOut(first.session.id, of: kim, by: Change(actor: ada))
            }
            #expect(told[kim]?.contains("session /account/sessions/\(first.session.id)") == true)
            #expect(told[ada.person]?.contains("session /family/children/\(kim)") == true)
            #expect(try await fixture.accounts.authenticator.authenticate(token: first.token, kind: .bearer) == nil)
            #expect(try await fixture.accounts.authenticator.authenticate(token: second.token, kind: .bearer) != nil)
            let own = Actor(person: kim, session: second.session.id, role: .child)
            let page = try await fixture.family.childDevices.list(of: kim, for: own, after: nil, limit: 9).items
            #expect(page.map(\.name) == ["Phone"])
            try await fixture.family.childDevices.signOut(second.session.id, of: kim, by: Change(actor: own))
            #expect(try await fixture.accounts.authenticator.authenticate(token: second.token, kind: .bearer) == nil)
            #expect(try await fixture.accounts.authenticator.authenticate(token: others.token, kind: .bearer) != nil)
        }
    }

    @Test("The state of a code is kept for a day after it expires", arguments: Engine.allCases)
    func pruned(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            _ = try await fixture.family.signInCodes.create(for: kim, by: Change(actor: ada))
            fixture.clock.advance(seconds: Limits.signInCodeSeconds + Limits.signInCodeKeptSeconds - 1)
            try await fixture.family.housekeeping.run()
            #expect(try await fixture.count("family_code") == 1)
            fixture.clock.advance(seconds: 1)
            try await fixture.family.housekeeping.run()
            #expect(try await fixture.count("family_code") == 0)
        }
    }

    @Test("The database has only the hashes of codes", arguments: Engine.allCases)
    func hashed(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let code = try await fixture.family.signInCodes.create(for: kim, by: Change(actor: ada)).code
            let stored: [UInt8]? = try await fixture.database.read { tx in
                try tx.row("SELECT hash FROM family_code")?.get("hash")
            }
            #expect(stored == Token.hash(code))
            #expect(stored?.count == 32)
        }
    }
}
