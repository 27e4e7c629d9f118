import Foundation
import Kernel
import Storage
import TestSupport
import Testing

@testable import Accounts

/// The services of passkeys on an empty database.
struct PasskeyFixture: Sendable {
    static let passcode = "271828"

    let fixture: AccountsFixture

    init(_ fixture: AccountsFixture) {
        self.fixture = fixture
    }

    var passkeys: PasskeyServices { fixture.service.passkeys }

    static func challenge(_ options: PasskeyOptions) throws -> [UInt8] {
        let text = try #require(try json(options)["challenge"] as? String)
        return try #require(Base64URL.strictlyDecoded(text))
    }

    static func json(_ options: PasskeyOptions) throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: try JSONEncoder().encode(options))
        return try #require(object as? [String: Any])
    }

    func asked(
        to register: SignedIn, isForLock: Bool = false, password: String? = "correct horse"
    ) async throws -> [UInt8] {
        try Self.challenge(
            try await passkeys.registrations.begin(
                by: register.actor, isForLock: isForLock, password: password, clientAddress: "192.0.2.1"))
    }

    func askedToUnlock(_ person: SignedIn) async throws -> [UInt8] {
        try Self.challenge(try await passkeys.unlocks.begin(by: person.actor, clientAddress: "192.0.2.1"))
    }

    func askedToSignIn(_ browser: String? = nil) async throws -> (challenge: [UInt8], browser: String) {
        let (options, browser) = try await passkeys.signIns.begin(browser: browser, clientAddress: "192.0.2.1")
        return (try Self.challenge(options), browser)
    }

    @discardableResult
    func register(
        _ authenticator: SoftAuthenticator, for person: SignedIn, isForLock: Bool = false
    ) async throws -> Passkey {
        let challenge = try await asked(to: person, isForLock: isForLock)
        return try await passkeys.registrations.register(
            try authenticator.registration(challenge), name: "Chrome on Android", isForLock: isForLock,
            by: person.actor)
    }

    func unlock(_ person: SignedIn, _ assertion: PasskeyAssertion, from address: String = "192.0.2.1") async throws {
        try await passkeys.unlocks.unlock(assertion, by: person.actor, clientAddress: address)
    }

    func signIn(
        _ assertion: PasskeyAssertion, browser: String?, from device: DeviceInfo = .phone
    ) async throws -> SignedIn {
        try await passkeys.signIns.signIn(assertion, browser: browser, device: device)
    }

    /// Returns a signed-in person with a passcode and a passkey that unlocks. The session isn't locked.
    func locked(
        _ authenticator: SoftAuthenticator, _ email: String = "mia@example.org"
    ) async throws -> SignedIn {
        let person = try await fixture.join(email)
        try await fixture.service.appLocks.setPasscode(
            Self.passcode, repeated: Self.passcode, current: nil, by: person.actor)
        try await register(authenticator, for: person, isForLock: true)
        return person
    }

    func isLocked(_ person: SignedIn) async throws -> Bool? {
        try await fixture.service.authenticator.authenticate(token: person.token, kind: person.session.kind)?.session
            .isLocked
    }

    func challenges() async throws -> Int {
        try await fixture.database.read { tx in
            try tx.row("SELECT COUNT(*) AS challenges FROM passkey_challenge")?.get("challenges") ?? -1
        }
    }
}

extension SignedIn {
    var handle: [UInt8] { UserHandle.of(account.id) }
}

func withPasskeys(_ engine: Engine, _ body: (PasskeyFixture) async throws -> Void) async throws {
    try await withFixture(engine) { fixture in try await body(PasskeyFixture(fixture)) }
}
