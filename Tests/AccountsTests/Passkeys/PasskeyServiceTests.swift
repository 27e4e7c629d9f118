import Foundation
import Kernel
import Storage
import TestSupport
import Testing

@testable import Accounts

@Suite("Registered passkeys")
struct PasskeyServiceTests {
    @Test("A passkey is stored once with its name, and belongs to one person", arguments: Engine.allCases)
    func registers(engine: Engine) async throws {
        try await withPasskeys(engine) { site in
            let mia = try await site.fixture.join()
            let ben = try await site.fixture.join("ben@example.org", name: "Ben")
            let authenticator = SoftAuthenticator()
            let passkey = try await site.register(authenticator, for: mia)
            #expect(passkey.name == "Chrome on Android")
            #expect(try await site.passkeys.registered.list(mia.actor) == [passkey])
            #expect(passkey.transports == [.internal, .hybrid])
            #expect(passkey.lastUsedAt == nil)
            #expect(try await site.passkeys.registered.list(ben.actor) == [])
            for person in [mia, ben] {
                try await expectRefusal(.conflict) { try await site.register(authenticator, for: person) }
            }
            #expect(try await site.passkeys.registered.list(mia.actor).count == 1)
            #expect(try await site.fixture.events().contains("account /account/passkeys"))
        }
    }

    @Test("The options contain the site, the person only by an id, and the existing passkeys")
    func options() async throws {
        try await withPasskeys(.sqlite) { site in
            let mia = try await site.locked(SoftAuthenticator())
            func asked(_ isForLock: Bool) async throws -> [String: Any] {
                try PasskeyFixture.json(
                    try await site.passkeys.registrations.begin(
                        by: mia.actor, isForLock: isForLock, password: "correct horse", clientAddress: "192.0.2.1"))
            }
            let options = try await asked(true)
            #expect(options["attestation"] as? String == "none")
            #expect((options["rp"] as? [String: String])?["id"] == "home.example")
            let user = try #require(options["user"] as? [String: String])
            #expect(Base64URL.strictlyDecoded(user["id"] ?? "") == mia.handle)
            #expect(user["name"] == "mia@example.org")
            let parameters = try #require(options["pubKeyCredParams"] as? [[String: Any]])
            #expect(parameters.map { $0["alg"] as? Int } == [-7, -257])
            let selection = try #require(options["authenticatorSelection"] as? [String: Any])
            #expect(selection["userVerification"] as? String == "required")
            #expect(selection["residentKey"] as? String == "required")
            #expect(selection["authenticatorAttachment"] as? String == "platform")
            let free = try await asked(false)
            #expect((free["authenticatorSelection"] as? [String: Any])?["authenticatorAttachment"] == nil)
            let excluded = try #require(options["excludeCredentials"] as? [[String: Any]])
            #expect(excluded.map { $0["id"] as? String } == [AuthenticatorResponseDraft.base64URL(Array(1...32))])
            let unlocking = try PasskeyFixture.json(
                try await site.passkeys.unlocks.begin(by: mia.actor, clientAddress: "192.0.2.1"))
            #expect(unlocking["userVerification"] as? String == "required")
            #expect(unlocking["rpId"] as? String == "home.example")
            #expect((unlocking["allowCredentials"] as? [[String: Any]])?.count == 1)
            let signingIn = try PasskeyFixture.json(
                try await site.passkeys.signIns.begin(browser: nil, clientAddress: "192.0.2.1").options)
            #expect((signingIn["allowCredentials"] as? [[String: Any]])?.isEmpty == true)
            let challenges = try [options, free, unlocking, signingIn].map { try #require($0["challenge"] as? String) }
            #expect(Set(challenges).count == 4)
            #expect(challenges.allSatisfy { Base64URL.strictlyDecoded($0)?.count == 32 })
        }
    }

    @Test("The challenge for a new passkey works once, in time, and in its session", arguments: Engine.allCases)
    func challenges(engine: Engine) async throws {
        try await withPasskeys(engine) { site in
            let mia = try await site.fixture.join()
            let elsewhere = try await site.fixture.signIn()
            let authenticator = SoftAuthenticator()
            func register(_ challenge: [UInt8], by person: SignedIn) async throws {
                _ = try await site.passkeys.registrations.register(
                    try authenticator.registration(challenge), name: "x", isForLock: false, by: person.actor)
            }
            let otherRequest = try await site.asked(to: elsewhere)
            try await expectRefusal(.invalid) { try await register(otherRequest, by: mia) }
            let late = try await site.asked(to: mia)
            site.fixture.clock.advance(seconds: Limits.passkeyChallengeSeconds)
            try await expectRefusal(.invalid) { try await register(late, by: mia) }
            let broken = try await site.asked(to: mia)
            let answer = try authenticator.registration(broken) { $0.flags = 0x41 }
            try await expectRefusal(.invalid) {
                _ = try await site.passkeys.registrations.register(answer, name: "x", isForLock: false, by: mia.actor)
            }
            try await expectRefusal(.invalid) { try await register(broken, by: mia) }
            let signingIn = try await site.askedToSignIn().challenge
            try await expectRefusal(.invalid) { try await register(signingIn, by: mia) }
            let good = try await site.asked(to: mia)
            try await register(good, by: mia)
            try await expectRefusal(.invalid) { try await register(good, by: mia) }
            #expect(try await site.passkeys.registered.list(mia.actor).count == 1)
        }
    }

    @Test("The number of open challenges is limited, and expired ones are deleted", arguments: Engine.allCases)
    func fewChallenges(engine: Engine) async throws {
        try await withPasskeys(engine) { site in
            let mia = try await site.fixture.join()
            for _ in 0..<30 { _ = try await site.asked(to: mia) }
            #expect(try await site.challenges() == Limits.passkeyChallengesPerSession)
            for _ in 0..<Limits.passkeyChallengesPerAddress { _ = try await site.askedToSignIn() }
            try await expectRefusal(.throttled) { _ = try await site.askedToSignIn() }
            _ = try await site.passkeys.signIns.begin(browser: nil, clientAddress: "198.51.100.7")
            site.fixture.clock.advance(seconds: Limits.passkeyChallengeSeconds)
            try await site.fixture.service.housekeeping.run()
            #expect(try await site.challenges() == 0)
            _ = try await site.askedToSignIn()
        }
    }

    @Test("The number of passkeys is limited, and a child can't register one", arguments: Engine.allCases)
    func limits(engine: Engine) async throws {
        try await withPasskeys(engine) { site in
            let mia = try await site.fixture.join()
            for number in 0..<Limits.passkeysPerAccount {
                try await site.register(SoftAuthenticator(credentialID: [UInt8(number)]), for: mia)
            }
            try await expectRefusal(.conflict) { _ = try await site.asked(to: mia) }
            let child = Actor(person: mia.account.id, session: mia.session.id, role: .child)
            try await expectRefusal(.forbidden) {
                _ = try await site.passkeys.registrations.begin(by: child, isForLock: false, clientAddress: "::1")
            }
            try await expectRefusal(.forbidden) {
                _ = try await site.passkeys.unlocks.begin(by: child, clientAddress: "::1")
            }
        }
    }

    @Test("A passkey for the lock requires a passcode", arguments: Engine.allCases)
    func needsLock(engine: Engine) async throws {
        try await withPasskeys(engine) { site in
            let mia = try await site.fixture.join()
            try await expectRefusal(.conflict) {
                try await site.register(SoftAuthenticator(), for: mia, isForLock: true)
            }
            #expect(try await site.passkeys.registered.list(mia.actor) == [])
        }
    }

    @Test(
        "Only the owner can remove a passkey, and the last way to sign in can't be removed",
        arguments: Engine.allCases)
    func removes(engine: Engine) async throws {
        try await withPasskeys(engine) { site in
            let mia = try await site.fixture.join()
            let ben = try await site.fixture.join("ben@example.org", name: "Ben")
            let passkey = try await site.register(SoftAuthenticator(), for: mia)
            try await expectRefusal(.notFound) { try await site.passkeys.registered.delete(passkey.id, by: ben.change) }
            _ = try await site.fixture.service.proofs.prove(.addPasskey, password: "correct horse", by: mia.actor)
            // The account has no password and no provider.
            try await site.fixture.database.write { tx in
                try tx.execute("UPDATE account SET password = NULL WHERE id = \(mia.account.id)")
            }
            try await expectRefusal(.conflict) { try await site.passkeys.registered.delete(passkey.id, by: mia.change) }
            try await site.register(SoftAuthenticator(credentialID: [2]), for: mia)
            try await site.passkeys.registered.delete(passkey.id, by: mia.change)
            try await expectRefusal(.notFound) { try await site.passkeys.registered.delete(passkey.id, by: mia.change) }
            #expect(try await site.passkeys.registered.list(mia.actor).count == 1)
        }
    }

    @Test(
        "A provider that isn't set up is no way to sign in, and a passkey is one", arguments: Engine.allCases)
    func otherWays(engine: Engine) async throws {
        try await withPasskeys(engine) { site in
            let service = site.fixture.service
            let mia = try await site.fixture.join()
            let passkey = try await site.register(SoftAuthenticator(), for: mia)
            let identity = ProvenIdentity(
                provider: .oidc, issuer: "https://id.example", subject: "mia", email: nil, isEmailVerified: false)
            try await site.fixture.database.write { tx in
                try AccountStore.setPassword(nil, of: mia.account.id, in: tx)
                _ = try IdentityStore.insert(identity, of: mia.account.id, now: site.fixture.clock.now, in: tx)
            }
            try await expectRefusal(.conflict) { try await site.passkeys.registered.delete(passkey.id, by: mia.change) }
            let withProvider = try ProviderFixture(site.fixture).fixture.service.passkeys.registered
            try await service.providers.identities.unlink(.oidc, by: mia.change)
            try await expectRefusal(.conflict) { try await withProvider.delete(passkey.id, by: mia.change) }
            try await site.fixture.database.write { tx in
                _ = try IdentityStore.insert(identity, of: mia.account.id, now: site.fixture.clock.now, in: tx)
            }
            try await withProvider.delete(passkey.id, by: mia.change)
            #expect(try await site.passkeys.registered.list(mia.actor).isEmpty)
        }
    }

    @Test("A password reset removes all passkeys, and the export contains them", arguments: Engine.allCases)
    func resets(engine: Engine) async throws {
        try await withPasskeys(engine) { site in
            let authenticator = SoftAuthenticator()
            let mia = try await site.locked(authenticator)
            var whole: [UInt8] = []
            _ = try await site.fixture.service.proofs.prove(.export, password: "correct horse", by: mia.actor)
            for try await piece in try await site.fixture.service.exports.export(mia.actor) { whole += piece }
            #expect(String(decoding: whole, as: UTF8.self).contains("passkeys.json"))
            let link = try await site.fixture.service.administrators.resetLink(email: "mia@example.org")
            let code = try #require(link.split(separator: "/").last.map(String.init))
            try await site.fixture.service.passwordResets.reset(code: code, password: "another horse")
            let again = try await site.fixture.signIn("mia@example.org", "another horse")
            #expect(try await site.passkeys.registered.list(again.actor) == [])
            #expect(try await site.passkeys.touchID.setting(of: again.actor).isOn == false)
        }
    }
}

@Suite("A passkey opens a new, unlocked session of its owner")
struct PasskeySignInTests {
    @Test("Opens a new, unlocked session of the passkey's owner", arguments: Engine.allCases)
    func signsIn(engine: Engine) async throws {
        try await withPasskeys(engine) { site in
            let authenticator = SoftAuthenticator()
            let mia = try await site.locked(authenticator)
            let (challenge, browser) = try await site.askedToSignIn()
            let assertion = try authenticator.assertion(challenge, handle: mia.handle)
            let signedIn = try await site.signIn(assertion, browser: browser)
            #expect(signedIn.account.id == mia.account.id)
            #expect(signedIn.session.id != mia.session.id)
            #expect(try await site.isLocked(signedIn) == false)
            let means = try await site.fixture.database.read { tx -> String? in
                try tx.row("SELECT signed_in_by FROM session WHERE id = \(signedIn.session.id)")?.get("signed_in_by")
            }
            #expect(means == "passkey")
            // It isn't a sign-in by password, so a change of the passcode requires the current one.
            #expect(try await site.fixture.service.appLocks.status(signedIn.actor).mayReset == false)
            try await expectRefusal(.unauthenticated) { _ = try await site.signIn(assertion, browser: browser) }
        }
    }

    @Test("Every invalid response gets the same error, and no session", arguments: Engine.allCases)
    func refuses(engine: Engine) async throws {
        try await withPasskeys(engine) { site in
            let authenticator = SoftAuthenticator()
            let mia = try await site.fixture.join()
            try await site.register(authenticator, for: mia)
            let sessions = try await site.fixture.service.sessions.list(mia.actor, after: nil, limit: 50).items.count
            let changes: [@Sendable (inout AuthenticatorResponseDraft) throws -> Void] = [
                { $0.origin = "https://evil.example" }, { $0.relyingParty = "evil.example" },
                { $0.type = "webauthn.create" }, { $0.flags = 0x04 }, { $0.flags = 0x01 },
                { $0.spoil = { _ in [1, 2, 3] } }, { $0.credentialID = [9] }, { $0.handle = [1] }, { $0.handle = nil },
                { $0.clientData = [1] }, { $0.challenge = [1] },
            ]
            var answers: [AppError?] = []
            for change in changes {
                let (challenge, browser) = try await site.askedToSignIn()
                let broken = try authenticator.assertion(challenge, handle: mia.handle, change: change)
                answers.append(try await refusal { _ = try await site.signIn(broken, browser: browser) })
            }
            // Another browser's secret, none, an empty one, an oversized one, and an expired challenge.
            let (challenge, browser) = try await site.askedToSignIn()
            let other = try await site.askedToSignIn().browser
            let good = try authenticator.assertion(challenge, handle: mia.handle)
            for secret in [other, nil, "", String(repeating: "x", count: 10_000)] {
                answers.append(try await refusal { _ = try await site.signIn(good, browser: secret) })
            }
            site.fixture.clock.advance(seconds: Limits.passkeyChallengeSeconds)
            answers.append(try await refusal { _ = try await site.signIn(good, browser: browser) })
            #expect(answers.count == changes.count + 5)
            #expect(answers.allSatisfy { $0?.code == .unauthenticated && $0 == answers[0] && $0?.fields == [:] })
            let after = try await site.fixture.service.sessions.list(mia.actor, after: nil, limit: 50).items.count
            #expect(after == sessions)
        }
    }

    @Test("Two tabs of one browser don't interfere", arguments: Engine.allCases)
    func tabs(engine: Engine) async throws {
        try await withPasskeys(engine) { site in
            let authenticator = SoftAuthenticator()
            let mia = try await site.fixture.join()
            try await site.register(authenticator, for: mia)
            let (first, browser) = try await site.askedToSignIn()
            let (second, same) = try await site.askedToSignIn(browser)
            #expect(same == browser)
            for challenge in [first, second] {
                _ = try await site.signIn(
                    try authenticator.assertion(challenge, handle: mia.handle), browser: browser)
            }
            #expect(try await site.askedToSignIn("planted").browser != "planted")
        }
    }

    @Test("After too many failures of an address, even a valid passkey must wait", arguments: Engine.allCases)
    func throttle(engine: Engine) async throws {
        try await withPasskeys(engine) { site in
            let authenticator = SoftAuthenticator()
            let mia = try await site.fixture.join()
            try await site.register(authenticator, for: mia)
            for _ in 0..<Limits.passkeyFailuresPerAddress {
                let wrong = try authenticator.assertion([1], handle: mia.handle)
                try await expectRefusal(.unauthenticated) { _ = try await site.signIn(wrong, browser: nil) }
            }
            let (challenge, browser) = try await site.askedToSignIn()
            let good = try authenticator.assertion(challenge, handle: mia.handle)
            try await expectRefusal(.throttled) { _ = try await site.signIn(good, browser: browser) }
            _ = try await site.signIn(good, browser: browser, from: .at("198.51.100.1"))
        }
    }

    @Test("The passkey of a deleted account is refused", arguments: Engine.allCases)
    func gone(engine: Engine) async throws {
        try await withPasskeys(engine) { site in
            let authenticator = SoftAuthenticator()
            let mia = try await site.fixture.join()
            try await site.register(authenticator, for: mia)
            try await site.fixture.service.deletions.delete(mia.actor, password: "correct horse")
            let (challenge, browser) = try await site.askedToSignIn()
            let assertion = try authenticator.assertion(challenge, handle: mia.handle)
            try await expectRefusal(.unauthenticated) { _ = try await site.signIn(assertion, browser: browser) }
        }
    }
}
