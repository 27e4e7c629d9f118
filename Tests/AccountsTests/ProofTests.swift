import Foundation
import Kernel
import Storage
import TestSupport
import Testing

@testable import Accounts

@Suite("Proofs that the account's owner is present")
struct ProofTests {
    @Test(
        "A proof is valid for one act, one session and ten minutes, and is used up",
        arguments: Engine.allCases, SensitiveAct.allCases)
    func scope(engine: Engine, act: SensitiveAct) async throws {
        try await withFixture(engine) { fixture in
            let mia = try await fixture.join()
            let elsewhere = try await fixture.signIn(from: .at("192.0.2.9"))
            func isAllowed(_ act: SensitiveAct, _ actor: Actor) async throws -> Bool {
                let now = fixture.clock.now
                return try await refusal {
                    try await fixture.database.write { tx in
                        _ = try fixture.service.proofs.require(act, of: actor, with: .stored, now: now, in: tx)
                    }
                } == nil
            }
            #expect(try await !isAllowed(act, mia.actor), "signing in is no proof")
            for wrong in [nil, "", "wrong"] {
                let error = try await refusal {
                    _ = try await fixture.service.proofs.prove(act, password: wrong, by: mia.actor)
                }
                #expect(error?.code == .invalid)
                #expect(error?.fields.keys.sorted() == ["password"])
            }
            #expect(try await !isAllowed(act, mia.actor))
            let expiry = try await fixture.service.proofs.prove(act, password: "correct horse", by: mia.actor)
            #expect(expiry == fixture.clock.now.adding(seconds: Limits.proofSeconds))
            #expect(try await !isAllowed(act, elsewhere.actor))
            for absent in [nil, ""] {
                let error = try await refusal {
                    _ = try await fixture.service.proofs.prove(act, password: absent, by: mia.actor)
                }
                #expect(error?.fields.keys.sorted() == ["password"], "a proof doesn't renew itself")
            }
            for other in SensitiveAct.allCases where other != act {
                #expect(try await !isAllowed(other, mia.actor), "\(other)")
            }
            #expect(try await isAllowed(act, mia.actor))
            #expect(try await !isAllowed(act, mia.actor), "used twice")
            _ = try await fixture.service.proofs.prove(act, password: "correct horse", by: mia.actor)
            fixture.clock.advance(seconds: Limits.proofSeconds)
            #expect(try await !isAllowed(act, mia.actor), "expired")
        }
    }

    @Test("A new password ends the earlier proofs", arguments: Engine.allCases)
    func newPassword(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let mia = try await fixture.join()
            _ = try await fixture.service.proofs.prove(.deleteAccount, password: "correct horse", by: mia.actor)
            try await fixture.service.passwords.change(
                current: "correct horse", new: "another battery", by: mia.actor)
            guard case .password = try await fixture.service.proofs.state(of: mia.actor, for: .deleteAccount) else {
                Issue.record("the proof is still there")
                return
            }
        }
    }

    @Test(
        "A new password ends the links and passkey registrations that its own session has begun",
        arguments: Engine.allCases)
    func newPasswordEndsAttempts(engine: Engine) async throws {
        try await withProvider(engine) { provider in
            let site = PasskeyFixture(provider.fixture)
            let mia = try await site.fixture.join()
            let departure = try await provider.leave(.oidc, .link(mia.actor, password: "correct horse"))
            let challenge = try await site.asked(to: mia)
            let service = site.fixture.service
            try await service.passwords.change(current: "correct horse", new: "another battery", by: mia.actor)
            #expect(try await site.challenges() == 0)
            let outcome = try await provider.finish(provider.provider.agree(at: departure.url), departure)
            #expect(outcome.refusal == .expired)
            _ = try await service.proofs.prove(.addPasskey, password: "another battery", by: mia.actor)
            try await expectRefusal(.invalid) {
                _ = try await site.passkeys.registrations.register(
                    try SoftAuthenticator().registration(challenge), name: "Phone", isForLock: false, by: mia.actor)
            }
            #expect(try await provider.rows(["identity", "passkey"]) == [0, 0])
        }
    }

    @Test("One proof in many concurrent requests permits one of them", arguments: Engine.allCases)
    func race(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let mia = try await fixture.join()
            _ = try await fixture.service.proofs.prove(.addPasskey, password: "correct horse", by: mia.actor)
            let now = fixture.clock.now
            let allowed = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<6 {
                    group.addTask {
                        do {
                            try await fixture.database.write { tx in
                                _ = try fixture.service.proofs.require(
                                    .addPasskey, of: mia.actor, with: .stored, now: now, in: tx)
                            }
                            return true
                        } catch {
                            return false
                        }
                    }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(allowed == 1)
        }
    }

    @Test("Wrong passwords for a proof are limited like those of a sign-in", arguments: Engine.allCases)
    func throttle(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let mia = try await fixture.join()
            for _ in 0..<10 {
                try await expectRefusal(.invalid) {
                    _ = try await fixture.service.profiles.update(
                        ProfileChanges(email: .set("new@example.org")), password: "guess", by: mia.change)
                }
            }
            try await expectRefusal(.throttled) {
                _ = try await fixture.service.profiles.update(
                    ProfileChanges(email: .set("new@example.org")), password: "correct horse", by: mia.change)
            }
            #expect(try await fixture.service.reader.account(mia.actor) == mia.account)
        }
    }

    @Test(
        "A passkey's response proves one act in one session", arguments: Engine.allCases
    )
    func passkey(engine: Engine) async throws {
        try await withPasskeys(engine) { site in
            let mia = try await site.fixture.join()
            let authenticator = SoftAuthenticator()
            try await site.register(authenticator, for: mia)
            let elsewhere = try await site.fixture.signIn(from: .at("192.0.2.9"))
            func challenge(_ act: SensitiveAct) async throws -> [UInt8] {
                try PasskeyFixture.challenge(
                    try await site.passkeys.proofs.begin(for: act, by: mia.actor, clientAddress: "192.0.2.1"))
            }
            func prove(_ act: SensitiveAct, _ actor: Actor, _ challenge: [UInt8]) async throws -> AppError? {
                let assertion = try authenticator.assertion(challenge, handle: mia.handle)
                return try await refusal {
                    _ = try await site.passkeys.proofs.prove(
                        act, by: assertion, of: actor, clientAddress: "192.0.2.1")
                }
            }
            #expect(try await prove(.deleteAccount, mia.actor, try await challenge(.export))?.code == .invalid)
            #expect(try await prove(.export, elsewhere.actor, try await challenge(.export))?.code == .invalid)
            try await expectRefusal(.invalid) { _ = try await site.fixture.service.exports.export(mia.actor) }
            #expect(try await prove(.export, mia.actor, try await challenge(.export)) == nil)
            _ = try await site.fixture.service.exports.export(mia.actor)
            try await expectRefusal(.invalid) {
                try await site.fixture.service.deletions.delete(mia.actor, password: nil)
            }
            #expect(try await prove(.changeEmail, mia.actor, try await challenge(.changeEmail)) == nil)
            let changed = try await site.fixture.service.profiles.update(
                ProfileChanges(email: .set("new@example.org")), by: mia.change)
            #expect(changed.email == "new@example.org")
        }
    }

    @Test("A new passkey is announced by mail")
    func passkeyNotice() async throws {
        try await withFixture(.sqlite, hasMail: true) { fixture in
            let mia = try await fixture.joinConfirmed()
            try await PasskeyFixture(fixture).register(SoftAuthenticator(), for: mia)
            await fixture.service.mailSender.sendQueuedMails()
            #expect(fixture.mails.all.last?.to == "mia@example.org")
            #expect(fixture.mails.all.last?.subject == "A new passkey")
        }
    }

    @Test("A new password removes passkeys and identities on request", arguments: Engine.allCases)
    func removal(engine: Engine) async throws {
        try await withProvider(engine) { provider in
            let site = PasskeyFixture(provider.fixture)
            let mia = try await site.fixture.join()
            try await site.register(SoftAuthenticator(), for: mia)
            #expect(try await provider.comeIn(for: .link(mia.actor, password: "correct horse")).isLinked)
            func left() async throws -> [Bool] {
                let methods = try await provider.fixture.service.signInMethods.methods(of: mia.actor)
                return [methods.hasPasskeys, !methods.identities.isEmpty]
            }
            let service = site.fixture.service
            try await service.passwords.change(current: "correct horse", new: "second horse", by: mia.actor)
            #expect(try await left() == [true, true])
            try await service.passwords.change(
                current: "second horse", new: "third horse", removing: .passkeys, by: mia.actor)
            #expect(try await left() == [false, true])
            try await service.passwords.change(
                current: "third horse", new: "fourth horse", removing: .identities, by: mia.actor)
            #expect(try await left() == [false, false])
        }
    }

    @Test("An offered identity isn't linked by a sign-in without fresh authentication", arguments: Engine.allCases)
    func silentSignIn(engine: Engine) async throws {
        try await withProvider(engine) { site async throws in
            let owner = try await site.fixture.join()
            #expect(try await site.comeIn(for: .link(owner.actor, password: "correct horse")).isLinked)
            let attacker = ProviderPerson(subject: "subject-2", email: "mia@example.org", isEmailVerified: false)
            let offer = try #require(try await site.comeIn(attacker).offer)
            site.provider.change { $0.signInAge = 86_400 }
            #expect(try await site.comeIn(for: .signIn(offer: offer)).refusal == .stale)
            #expect(try await site.comeIn(attacker).signedIn == nil)
        }
    }
}
