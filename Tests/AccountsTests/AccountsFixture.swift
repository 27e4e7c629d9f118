import Accounts
import Jobs
import Kernel
import Logging
import Pictures
import Storage
import Synchronization
import TestSupport
import Testing

let accountTables = JobQueue.migrations + PictureLibrary.migrations + AccountServices.migrations

/// Counts its calls, and hashes with cheap parameters.
final class CountingHasher: PasswordHasher {
    private let inner: ScryptHasher
    private let counts = Mutex((hashes: 0, checks: 0))

    init(random: any RandomSource, costExponent: Int = 1) {
        inner = ScryptHasher(random: random, costExponent: costExponent)
    }

    var hashes: Int { counts.withLock(\.hashes) }
    var checks: Int { counts.withLock(\.checks) }

    func hash(_ password: [UInt8]) async throws -> String {
        counts.withLock { $0.hashes += 1 }
        return try await inner.hash(password)
    }

    func verify(_ password: [UInt8], against stored: String?) async throws -> Bool {
        counts.withLock { $0.checks += 1 }
        return try await inner.verify(password, against: stored)
    }

    func isOutdated(_ stored: String) -> Bool { inner.isOutdated(stored) }
}

/// Collects the sent mails.
final class MailRecorder: Mailer {
    private let mails = Mutex<[Email]>([])

    var all: [Email] { mails.withLock { $0 } }

    func send(_ mail: OutgoingMail) async throws -> MailReply? {
        mails.withLock { $0.append(mail.email) }
        return nil
    }

    /// Returns the part after the last `/` of the link in the newest mail to `address`.
    func code(to address: String) -> String? {
        let mail = all.last { $0.to == address }
        let line = mail?.body.split(separator: "\n").first { $0.hasPrefix("https://") }
        return line?.split(separator: "/").last.map(String.init)
    }
}

extension MailSender {
    /// Sends the queued mails.
    func sendQueuedMails() async { await sendDueMails() }
}

/// An account service with its test doubles.
struct AccountsFixture: Sendable {
    let database: Database
    let clock: TestClock
    let random: any RandomSource
    let hasher: CountingHasher
    let mails: MailRecorder
    let service: AccountServices
    private let hasMail: Bool
    private let registration: RegistrationPolicy
    private let dataHandlers: [any AccountDataHandler]

    static let secrets = try? SecretBox(key: [UInt8](repeating: 9, count: 32))
    /// The highest limit: few tests are about limits.
    static let permissive = RegistrationPolicy(perHour: Limits.registrationsPerHourMaximum)

    init(
        _ database: Database, hasMail: Bool = false, registration: RegistrationPolicy = Self.permissive,
        dataHandlers: [any AccountDataHandler] = []
    ) {
        self.database = database
        self.hasMail = hasMail
        self.registration = registration
        self.dataHandlers = dataHandlers
        clock = TestClock()
        random = SeededRandom()
        mails = MailRecorder()
        hasher = CountingHasher(random: random)
        service = AccountServices(
            database: database, siteURL: "https://home.example", mail: hasMail ? Self.mail(mails) : nil,
            registration: registration, dataHandlers: dataHandlers, clock: clock, random: random, logger: .silent,
            hasher: hasher
        )
    }

    /// Creates the fixture of a server with these providers, on the database of another fixture.
    init(_ other: AccountsFixture, providers: [ProviderSettings], transport: any ProviderTransport) {
        database = other.database
        hasMail = other.hasMail
        registration = other.registration
        dataHandlers = other.dataHandlers
        clock = other.clock
        random = other.random
        mails = other.mails
        hasher = other.hasher
        service = AccountServices(
            database: database, siteURL: "https://home.example", mail: hasMail ? Self.mail(mails) : nil,
            registration: registration, providers: providers, providerTransport: transport, dataHandlers: dataHandlers,
            clock: clock, random: random, logger: .silent, hasher: hasher
        )
    }

    static func mail(_ mailer: any Mailer) -> MailSettings? {
        secrets.map { MailSettings(mailer: mailer, secrets: $0) }
    }

    /// Returns a service that acts as another process on the same database.
    /// - Parameter mailer: sends its mails; `nil` for a process that sends none.
    func neighbour(mailer: (any Mailer)? = nil) -> AccountServices {
        AccountServices(
            database: database, siteURL: "https://home.example", mail: mailer.flatMap { Self.mail($0) }, clock: clock,
            random: SeededRandom(seed: 99), logger: .silent, hasher: hasher
        )
    }

    @discardableResult
    func join(_ email: String = "mia@example.org", name: String = "Mia") async throws -> SignedIn {
        try await service.registrations.register(
            Registration(email: email, password: "correct horse", name: name), device: .phone
        )
    }

    /// Registers a person who opened the link that confirms the email.
    @discardableResult
    func joinConfirmed(_ email: String = "mia@example.org", name: String = "Mia") async throws -> SignedIn {
        let signedIn = try await join(email, name: name)
        await service.mailSender.sendQueuedMails()
        _ = try await service.emailVerifications.verify(code: mails.code(to: email) ?? "")
        return signedIn
    }

    func signIn(
        _ email: String = "mia@example.org", _ password: String = "correct horse", from device: DeviceInfo = .phone
    ) async throws -> SignedIn {
        try await service.signIns.signIn(email: email, password: password, device: device)
    }

    func isValid(_ signedIn: SignedIn) async throws -> Bool {
        try await service.authenticator.authenticate(token: signedIn.token, kind: signedIn.session.kind) != nil
    }

    /// Returns all published events. It doesn't use ``Outbox/entries(after:limit:in:)``: on PostgreSQL, that holds
    /// entries back while transactions are running, and other tests' databases on the same server have some.
    func events() async throws -> [String] {
        try await database.read { tx in
            try tx.rows("SELECT kind, resource FROM outbox ORDER BY sequence").map { row in
                let kind: String = try row.get("kind"), resource: String = try row.get("resource")
                return "\(kind) \(resource)"
            }
        }
    }
}

extension DeviceInfo {
    static let phone = DeviceInfo(name: "Chrome on Android", kind: .cookie, clientAddress: "192.0.2.1")
    static let script = DeviceInfo(name: "curl", kind: .bearer, clientAddress: "192.0.2.2")

    static func at(_ address: String) -> DeviceInfo {
        DeviceInfo(name: "Chrome on Android", kind: .cookie, clientAddress: address)
    }
}

extension SignedIn {
    var actor: Actor { Actor(person: account.id, session: session.id, role: account.role) }
    var change: Change { Change(actor: actor) }
}

/// Returns the error that `work` throws; `nil` without one.
func refusal(_ work: () async throws -> Void) async throws -> AppError? {
    do {
        try await work()
        return nil
    } catch let error as AppError {
        return error
    }
}

/// Expects `work` to throw an error with `code`. It is a function because the compiler may confuse closures inside
/// `#expect`.
func expectRefusal(
    _ code: AppError.Code, sourceLocation: SourceLocation = #_sourceLocation, _ work: () async throws -> Void
) async throws {
    let error = try await refusal(work)
    #expect(error?.code == code, sourceLocation: sourceLocation)
}

func count<Value: Equatable>(_ value: Value, in list: [Value]) -> Int { list.count { $0 == value } }

func withFixture(
    _ engine: Engine, hasMail: Bool = false, registration: RegistrationPolicy = AccountsFixture.permissive,
    dataHandlers: [any AccountDataHandler] = [], _ body: (AccountsFixture) async throws -> Void
) async throws {
    try await withDatabase(engine, migrations: accountTables) { database in
        let fixture = AccountsFixture(
            database, hasMail: hasMail, registration: registration, dataHandlers: dataHandlers)
        try await body(fixture)
        await fixture.service.mailSender.sendQueuedMails()
    }
}
