import Kernel
import Storage
import TestSupport
import Testing

@testable import Accounts

@Suite("Unlocking by passkey")
struct PasskeyLockTests {
    /// Returns a person whose session is locked. The authenticator can unlock it.
    private func locked(
        _ site: PasskeyFixture, _ authenticator: SoftAuthenticator
    ) async throws -> SignedIn {
        let person = try await site.locked(authenticator)
        try await site.fixture.service.sessionLocks.lock(person.actor)
        #expect(try await site.isLocked(person) == true)
        return person
    }

    @Test("A passkey unlocks only the session of the request", arguments: Engine.allCases)
    func opens(engine: Engine) async throws {
        try await withPasskeys(engine) { site in
            let authenticator = SoftAuthenticator()
            let person = try await locked(site, authenticator)
            let other = try await site.fixture.signIn()
            try await site.fixture.service.sessionLocks.lock(other.actor)
            let challenge = try await site.askedToUnlock(person)
            // A second tab gets another challenge, and the first one stays valid.
            _ = try await site.askedToUnlock(person)
            try await site.unlock(person, try authenticator.assertion(challenge, handle: person.handle))
            #expect(try await site.isLocked(person) == false)
            #expect(try await site.isLocked(other) == true)
            #expect(try await site.passkeys.registered.list(person.actor).first?.lastUsedAt == site.fixture.clock.now)
        }
    }

    @Test("An invalid response doesn't unlock, and uses up the challenge", arguments: Engine.allCases)
    func staysClosed(engine: Engine) async throws {
        try await withPasskeys(engine) { site in
            let authenticator = SoftAuthenticator()
            let person = try await locked(site, authenticator)
            let changes: [@Sendable (inout AuthenticatorResponseDraft) throws -> Void] = [
                { $0.origin = "https://evil.example" }, { $0.relyingParty = "evil.example" },
                { $0.type = "webauthn.create" }, { $0.flags = 0x04 }, { $0.flags = 0x01 },
                { $0.spoil = { _ in [1, 2, 3] } }, { $0.credentialID = [9] }, { $0.handle = [1] },
            ]
            for change in changes {
                let challenge = try await site.askedToUnlock(person)
                let broken = try authenticator.assertion(challenge, handle: person.handle, change: change)
                try await expectRefusal(.invalid) { try await site.unlock(person, broken) }
                #expect(try await site.isLocked(person) == true)
                let late = try authenticator.assertion(challenge, handle: person.handle)
                try await expectRefusal(.invalid) { try await site.unlock(person, late) }
                #expect(try await site.isLocked(person) == true)
            }
        }
    }

    @Test(
        "A response works once, in time, for its purpose and in its session",
        arguments: Engine.allCases)
    func challenges(engine: Engine) async throws {
        try await withPasskeys(engine) { site in
            let authenticator = SoftAuthenticator()
            let person = try await locked(site, authenticator)
            let clock = site.fixture.clock
            // A second time.
            let good = try authenticator.assertion(try await site.askedToUnlock(person))
            try await site.unlock(person, good)
            try await site.fixture.service.sessionLocks.lock(person.actor)
            try await expectRefusal(.invalid) { try await site.unlock(person, good) }
            // After the expiry, and just before it.
            let late = try authenticator.assertion(try await site.askedToUnlock(person))
            clock.advance(seconds: Limits.passkeyChallengeSeconds)
            try await expectRefusal(.invalid) { try await site.unlock(person, late) }
            let early = try authenticator.assertion(try await site.askedToUnlock(person))
            clock.advance(seconds: Limits.passkeyChallengeSeconds - 1)
            try await site.unlock(person, early)
            try await site.fixture.service.sessionLocks.lock(person.actor)
            // From another session of the same person.
            let other = try await site.fixture.signIn()
            let stolen = try authenticator.assertion(try await site.askedToUnlock(other))
            try await expectRefusal(.invalid) { try await site.unlock(person, stolen) }
            // For a sign-in, and challenges that were never issued.
            let (signInChallenge, _) = try await site.askedToSignIn()
            for challenge in [signInChallenge, [UInt8](repeating: 1, count: 32), []] {
                let wrong = try authenticator.assertion(challenge)
                try await expectRefusal(.invalid) { try await site.unlock(person, wrong) }
            }
            // For a registration.
            let registering = try await site.asked(to: other)
            try await expectRefusal(.invalid) {
                try await site.unlock(other, try authenticator.assertion(registering))
            }
            #expect(try await site.isLocked(person) == true)
        }
    }

    @Test("Another person's passkey doesn't unlock, even with a forged user handle", arguments: Engine.allCases)
    func strangers(engine: Engine) async throws {
        try await withPasskeys(engine) { site in
            let person = try await locked(site, SoftAuthenticator())
            let theirs = SoftAuthenticator(credentialID: [7, 7, 7])
            _ = try await site.locked(theirs, "ben@example.org")
            let challenge = try await site.askedToUnlock(person)
            let assertion = try theirs.assertion(challenge, handle: person.handle)
            try await expectRefusal(.invalid) { try await site.unlock(person, assertion) }
            #expect(try await site.isLocked(person) == true)
        }
    }

    @Test(
        "A counter that doesn't increase reveals a copied credential, and the counter is stored",
        arguments: Engine.allCases)
    func copies(engine: Engine) async throws {
        try await withPasskeys(engine) { site in
            var authenticator = SoftAuthenticator()
            let person = try await locked(site, authenticator)
            let copy = authenticator
            authenticator.signCount = 9
            try await site.unlock(person, try authenticator.assertion(try await site.askedToUnlock(person)))
            try await site.fixture.service.sessionLocks.lock(person.actor)
            for assertion in [
                try copy.assertion(try await site.askedToUnlock(person)),
                try authenticator.assertion(try await site.askedToUnlock(person)),
            ] {
                try await expectRefusal(.invalid) { try await site.unlock(person, assertion) }
            }
            authenticator.signCount = 10
            try await site.unlock(person, try authenticator.assertion(try await site.askedToUnlock(person)))
        }
    }

    @Test(
        "Failed passkeys don't count as wrong passcodes, and a valid one ends the wait", arguments: Engine.allCases)
    func passcodes(engine: Engine) async throws {
        try await withPasskeys(engine) { site in
            let authenticator = SoftAuthenticator()
            let person = try await locked(site, authenticator)
            for _ in 0..<20 {
                let broken = try authenticator.assertion(try await site.askedToUnlock(person)) { $0.flags = 0x01 }
                try await expectRefusal(.invalid) { try await site.unlock(person, broken) }
            }
            #expect(try await site.fixture.service.appLocks.status(person.actor).retryAfterSeconds == 0)
            for _ in 0..<Limits.passcodeAttempts {
                _ = try await refusal {
                    try await site.fixture.service.sessionLocks.unlock(person.actor, passcode: "000000")
                }
            }
            #expect(try await site.fixture.service.appLocks.status(person.actor).retryAfterSeconds > 0)
            // A failure doesn't end it.
            let broken = try authenticator.assertion(try await site.askedToUnlock(person)) { $0.flags = 0x01 }
            try await expectRefusal(.invalid) { try await site.unlock(person, broken) }
            #expect(try await site.fixture.service.appLocks.status(person.actor).retryAfterSeconds > 0)
            try await site.unlock(person, try authenticator.assertion(try await site.askedToUnlock(person)))
            #expect(try await site.isLocked(person) == false)
            #expect(try await site.fixture.service.appLocks.status(person.actor).retryAfterSeconds == 0)
        }
    }

    @Test("Too many failures delay passkeys from that address, but not the passcode", arguments: Engine.allCases)
    func throttle(engine: Engine) async throws {
        try await withPasskeys(engine) { site in
            let authenticator = SoftAuthenticator()
            let person = try await locked(site, authenticator)
            for _ in 0..<Limits.passkeyFailuresPerAddress {
                let wrong = try authenticator.assertion([1])
                try await expectRefusal(.invalid) { try await site.unlock(person, wrong) }
            }
            let good = try authenticator.assertion(try await site.askedToUnlock(person))
            let refused = try await refusal { try await site.unlock(person, good) }
            #expect(refused?.code == .throttled)
            #expect((refused?.retryAfterSeconds ?? 0) > 0)
            try await site.unlock(person, good, from: "198.51.100.1")
            try await site.fixture.service.sessionLocks.lock(person.actor)
            try await site.fixture.service.sessionLocks.unlock(person.actor, passcode: PasskeyFixture.passcode)
        }
    }

    @Test(
        "While unlocking by passkey is off, no challenge is issued and no passkey unlocks",
        arguments: Engine.allCases)
    func off(engine: Engine) async throws {
        try await withPasskeys(engine) { site in
            let authenticator = SoftAuthenticator()
            let person = try await locked(site, authenticator)
            let open = try authenticator.assertion(try await site.askedToUnlock(person))
            try await site.passkeys.touchID.set(false, by: person.change)
            try await expectRefusal(.conflict) { try await site.unlock(person, open) }
            try await expectRefusal(.conflict) { _ = try await site.askedToUnlock(person) }
            #expect(try await site.isLocked(person) == true)
            #expect(try await site.fixture.service.appLocks.status(person.actor).touchID == false)
            try await site.passkeys.touchID.set(true, by: person.change)
            #expect(try await site.passkeys.touchID.setting(of: person.actor).isOn)
            // Removing the passcode turns it off.
            try await site.fixture.service.appLocks.removePasscode(current: PasskeyFixture.passcode, by: person.actor)
            let none = TouchID(isAvailable: false, isOn: false, isDecided: false)
            #expect(try await site.passkeys.touchID.setting(of: person.actor) == none)
            try await expectRefusal(.conflict) { try await site.passkeys.touchID.set(true, by: person.change) }
            let passcode = PasskeyFixture.passcode
            try await site.fixture.service.appLocks.setPasscode(
                passcode, repeated: passcode, current: nil, by: person.actor)
            let undecided = TouchID(isAvailable: true, isOn: false, isDecided: false)
            #expect(try await site.passkeys.touchID.setting(of: person.actor) == undecided)
        }
    }

    @Test("After the last passkey is removed, only the passcode unlocks", arguments: Engine.allCases)
    func removed(engine: Engine) async throws {
        try await withPasskeys(engine) { site in
            let authenticator = SoftAuthenticator()
            let person = try await locked(site, authenticator)
            let open = try authenticator.assertion(try await site.askedToUnlock(person))
            let passkey = try #require(try await site.passkeys.registered.list(person.actor).first)
            try await site.passkeys.registered.delete(passkey.id, by: person.change)
            try await expectRefusal(.conflict) { try await site.unlock(person, open) }
            let decided = TouchID(isAvailable: true, isOn: false, isDecided: true)
            #expect(try await site.passkeys.touchID.setting(of: person.actor) == decided)
            try await expectRefusal(.conflict) { try await site.passkeys.touchID.set(true, by: person.change) }
            #expect(try await site.isLocked(person) == true)
        }
    }
}
