import Accounts
import Crypto
import Foundation
import Jobs
import Kernel
import Pictures
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Notifications

/// A push transport that records requests and gives prepared responses.
final class PushTransportStub: PushTransport {
    private let state = Mutex((answers: [Result<PushReply, PushTransportFailure>](), requests: [PushRequest]()))
    /// The requests as they arrive; for a single iterator.
    let arrivals: AsyncStream<PushRequest>
    private let arrived: AsyncStream<PushRequest>.Continuation

    init() { (arrivals, arrived) = AsyncStream.makeStream(of: PushRequest.self) }

    var requests: [PushRequest] { state.withLock(\.requests) }

    /// The responses to the next messages; 201 afterwards.
    func answer(_ answers: Result<PushReply, PushTransportFailure>...) {
        state.withLock { $0.answers += answers }
    }

    func send(_ request: PushRequest) async throws(PushTransportFailure) -> PushReply {
        let answer = state.withLock { state in
            state.requests.append(request)
            return state.answers.isEmpty ? .success(PushReply(status: 201)) : state.answers.removeFirst()
        }
        arrived.yield(request)
        return try answer.get()
    }
}

/// A browser that decrypts its messages, by the receiver's steps of RFC 8291.
struct TestBrowser: Sendable {
    let endpoint: String
    private let key: P256.KeyAgreement.PrivateKey
    private let secret: [UInt8]

    init(_ token: String = "token", seed: UInt64 = 3) throws {
        let random = SeededRandom(seed: seed)
        endpoint = "https://fcm.googleapis.com/fcm/send/\(token)"
        key = try P256.KeyAgreement.PrivateKey(rawRepresentation: random.bytes(32))
        secret = random.bytes(16)
    }

    init(endpoint: String, key: [UInt8], secret: [UInt8]) throws {
        self.endpoint = endpoint
        self.key = try P256.KeyAgreement.PrivateKey(rawRepresentation: key)
        self.secret = secret
    }

    var publicKey: [UInt8] { Array(key.publicKey.x963Representation) }

    var description: PushDescription {
        PushDescription(endpoint: endpoint, publicKey: Base64URL.encoded(publicKey), secret: Base64URL.encoded(secret))
    }

    func read(_ body: [UInt8]) throws -> [UInt8] {
        let salt = Array(body[0..<16])
        let size = body[16..<20].reduce(0) { $0 << 8 | Int($1) }
        try #require(body[20] == 65)
        let senderKey = Array(body[21..<86])
        let record = Array(body[86...])
        try #require(record.count <= size)
        let shared = try key.sharedSecretFromKeyAgreement(
            with: P256.KeyAgreement.PublicKey(x963Representation: senderKey))
        let input = shared.hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: secret, sharedInfo: Array("WebPush: info".utf8) + [0] + publicKey + senderKey,
            outputByteCount: 32)
        func derived(_ name: String, _ count: Int) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: input, salt: salt, info: Array("Content-Encoding: \(name)".utf8) + [0],
                outputByteCount: count)
        }
        let box = try AES.GCM.SealedBox(
            nonce: AES.GCM.Nonce(data: derived("nonce", 12).withUnsafeBytes { Array($0) }),
            ciphertext: record.dropLast(16), tag: record.suffix(16))
        var text = Array(try AES.GCM.open(box, using: derived("aes128gcm", 16)))
        while text.last == 0 { text.removeLast() }
        try #require(text.popLast() == 2)
        return text
    }

    func message(_ request: PushRequest) throws -> ReadMessage {
        try JSONDecoder().decode(ReadMessage.self, from: Data(read(request.body)))
    }
}

/// The message as the service worker reads it.
struct ReadMessage: Decodable, Equatable {
    struct Action: Decodable, Equatable {
        let action: String
        let title: String
    }

    let id: String
    let title: String
    let body: String
    let time: String?
    let url: String
    let tag: String
    let lang: String
    let timestamp: Int64
    let actions: [Action]
    let failure: String?
}

/// A `NotificationService` with its dependencies and helpers.
struct NotificationsFixture: Sendable {
    static let migrations =
        JobQueue.migrations + PictureLibrary.migrations + AccountServices.migrations + NotificationService.migrations
    static let seed = [UInt8](repeating: 7, count: 32)

    let database: Database
    let clock: TestClock
    let random: SeededRandom
    let transport: PushTransportStub
    let service: NotificationService

    init(
        _ database: Database, clock: TestClock, transport: (any PushTransport)? = nil, seed: UInt64 = 5
    ) throws {
        random = SeededRandom(seed: seed)
        self.database = database
        self.clock = clock
        let stub = PushTransportStub()
        self.transport = stub
        service = NotificationService(
            database: database, key: try PushKey(seed: Self.seed), hosts: try PushHosts(),
            siteURL: "https://home.example", transport: transport ?? stub, clock: clock, random: random, logger: .silent
        )
    }

    /// Creates an account and returns its actor.
    func person(role: Role = .adult, language: String? = nil) async throws -> Actor {
        let now = clock.now
        let person = PersonID(at: now, random: random)
        let session = ID<Session>(at: now, random: random)
        let email: String? = role == .adult ? "\(person)@example.org" : nil
        try await database.write { tx in
            try tx.execute(
                """
                INSERT INTO account (id, role, email, email_key, name, theme, language, created_at)
                VALUES (\(person), \(role.rawValue), \(email), \(email), 'Ada', 'standard', \(language), \(now))
                """)
        }
        return try await device(of: Actor(person: person, session: session, role: role), session)
    }

    /// Creates another session of the person.
    func device(of actor: Actor, _ id: ID<Session>? = nil) async throws -> Actor {
        let now = clock.now
        let session = id ?? ID<Session>(at: now, random: random)
        let hash = random.bytes(32)
        try await database.write { tx in
            try tx.execute(
                """
                INSERT INTO session (
                    id, account_id, token_hash, kind, name, signed_in_by, created_at, last_used_at
                ) VALUES (\(session), \(actor.person), \(hash), 'bearer', 'Test', 'password', \(now), \(now))
                """)
        }
        return Actor(person: actor.person, session: session, role: actor.role)
    }

    /// - Parameter resource: `nil` for an item of its own for each name.
    func notice(
        _ kind: NoticeKind = .itemTooFar, for actor: Actor, subject: String = "Keys",
        resource: String? = nil,
        details: [String: String] = ["distanceMetres": "23", "place": "60.17,24.94"]
    ) -> Notice {
        Notice(
            id: ID(at: clock.now, random: random), person: actor.person, kind: kind,
            resource: resource ?? "/tracking/items/\(subject == "Keys" ? "1" : subject)", subject: subject,
            details: details, at: clock.now)
    }

    func post(_ notice: Notice) async throws {
        try await database.write { tx in try notice.post(in: tx) }
    }

    /// Sends the messages that are due.
    /// - Returns: when the next message is due; `nil` for none.
    func sendDue() async throws -> Instant? {
        await service.sender.worker.performDueJobs()
        return try await database.read { [queue = service.sender.queue] tx in try queue.nextDue(in: tx) }
    }

    func waitingJobs() async throws -> Int { try await database.count("job WHERE dead_at IS NULL") }

    func events(of actor: Actor) async throws -> Int {
        try await database.read { tx in
            try tx.row("SELECT COUNT(*) AS n FROM outbox WHERE audience = \(actor.person) AND kind = 'notification'")?
                .get("n") ?? -1
        }
    }
}

func withFixture(
    _ engine: Engine, transport: (any PushTransport)? = nil, _ body: (NotificationsFixture) async throws -> Void
) async throws {
    let clock = TestClock()
    try await withDatabase(engine, migrations: NotificationsFixture.migrations, clock: clock) { database in
        try await body(try NotificationsFixture(database, clock: clock, transport: transport))
    }
}
