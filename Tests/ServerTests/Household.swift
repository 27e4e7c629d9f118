import Accounts
import AccountsWeb
import Foundation
import HTTPTypes
import Hologram
import Hummingbird
import HummingbirdTesting
import Jobs
import Kernel
import NIOCore
import Notifications
import Objects
import Pictures
import Quotas
import Server
import TestSupport
import Tracking
import TrackingWeb
import WebCore

@testable import Storage

/// Accounts and Tracking on an empty store, with their pages, reached as https://home.example.
struct Household: Sendable {
    static let url = "https://home.example"
    static let webhookSecret = "the-address-of-a-webhook"

    let accounts: AccountServices
    let tracking: TrackingServices
    let objects: FolderObjectStore
    let database: Database
    /// Counts the transactions of the server.
    let driver: CountingDriver
    let clock: TestClock
    let client: any TestClientProtocol
}

extension MailSender {
    /// Sends the queued mails.
    func sendQueuedMails() async { await sendDueMails() }
}

/// Calls `body` with a new server.
func withHousehold(
    _ engine: Engine = .sqlite, mailer: (any Mailer)? = nil, fixesPerAccount: Int = Limits.fixesPerAccount,
    _ body: @escaping @Sendable (Household) async throws -> Void
) async throws {
    let folder = try TemporaryFolder()
    let migrations =
        JobQueue.migrations + PictureLibrary.migrations + AccountServices.migrations + NotificationService.migrations
        + TrackingServices.migrations
    try await withDatabase(engine, migrations: migrations) { opened in
        let driver = CountingDriver(opened.driver)
        let database = Database(driver: driver)
        let clock = TestClock()
        let random = SeededRandom()
        let objects = try FolderObjectStore(folder: folder.file("objects"), random: random)
        let pictures = PictureLibrary(
            database: database, objects: objects, worker: PictureWorker(executable: folder.file("no-such-program")),
            clock: clock, random: random, logger: .silent
        )
        let secrets = try SecretBox(key: random.bytes(32))
        let tracking = TrackingServices(
            database: database, pictures: pictures, objects: objects, secrets: secrets, clock: clock, random: random,
            quotas: AccountQuotas(standard: StorageQuota(fixes: fixesPerAccount)), households: NoHouseholds(),
            siteURL: Household.url,
            hologram: HologramConfiguration(
                webhookSecrets: [WebhookSecret(Household.webhookSecret)].compactMap(\.self)),
            logger: .silent
        )
        let accounts = AccountServices(
            database: database, siteURL: Household.url, mail: mailer.map { MailSettings(mailer: $0, secrets: secrets) },
            registration: RegistrationPolicy(perHour: Limits.registrationsPerHourMaximum),
            dataHandlers: [tracking.dataHandler, PicturesDataHandler(library: pictures)], clock: clock, random: random,
            logger: .silent, hasher: ScryptHasher(random: random, costExponent: 1)
        )
        let notifications = NotificationService(
            database: database, key: try PushKey(seed: random.bytes(32)), hosts: try PushHosts(),
            siteURL: Household.url, transport: HTTPPushTransport(), clock: clock, random: random,
            logger: .silent)
        let web = try Web(
            site: Site(url: Household.url), sessions: AccountSessionAuthority(accounts),
            digestKey: BodyDigestKey(secret: [1]), database: database,
            modules: [
                AccountsModule(
                    accounts: accounts,
                    imports: AccountImportService(
                        database: database, objects: objects, pictures: pictures, accounts: accounts,
                        handlers: [tracking.importHandler], clock: clock, random: random, logger: .silent),
                    storage: accounts.storage(
                        quotas: AccountQuotas(), fixCount: { try tracking.fixCount(of: $0, in: $1) }
                    ).usage,
                    pictures: pictures),
                NotificationsModule(
                    notifications: notifications, usedApps: accounts.usedApps,
                    feedOffer: TrackingFeedOffer(services: tracking)),
                TrackingModule(
                    services: tracking, profiles: accounts.profiles, proofs: accounts.proofs, pictures: pictures),
            ],
            clock: clock, random: random, logger: .silent
        )
        let application = Application(
            responder: web.responder(), configuration: .init(address: .hostname("127.0.0.1", port: 0)), logger: .silent
        )
        try await application.test(.router) { client in
            try await body(
                Household(
                    accounts: accounts, tracking: tracking, objects: objects, database: database, driver: driver,
                    clock: clock, client: client
                )
            )
        }
        await accounts.mailSender.sendQueuedMails()
    }
}

/// A client that sends requests as a program does: with JSON, and a token.
protocol Program: Sendable {
    var client: any TestClientProtocol { get }
}

extension Program {
    func call(
        _ method: HTTPRequest.Method, _ uri: String, _ body: String? = nil, token: String? = nil
    ) async throws -> TestResponse {
        try await client.executeRequest(
            uri: uri, method: method, headers: .program(token), body: body.map { ByteBuffer(string: $0) }
        )
    }

    /// Registers a person and returns their token.
    func join(_ email: String = "mia@example.org") async throws -> String {
        let body = #"{"email":"\#(email)","password":"correct horse","name":"Mia"}"#
        return try await call(.post, "/accounts", body).object()["token"] as? String ?? ""
    }
}

/// A mailer that records mails instead of sending them.
actor SentMails: Mailer {
    private(set) var mails: [Email] = []

    func send(_ mail: OutgoingMail) async throws -> MailReply? {
        mails.append(mail.email)
        return nil
    }
}
