package import Accounts
package import Backups
package import Carrepsa
package import Family
import Foundation
package import Jobs
package import Kernel
package import Ledger
package import Logging
import MapServices
package import Notifications
package import Objects
package import Pictures
import Quotas
package import Storage
package import Tracking
import WebCore

/// The product without its web: the store and the services on it. The command line works with these.
package struct Services: Sendable {
    package let settings: ServerSettings
    package let database: Database
    /// The store of photos and archived positions.
    package let objects: any ObjectStore
    package let pictures: PictureLibrary
    package let accounts: AccountServices
    /// How much each account stores.
    package let storage: StorageServices
    /// Imports of exports from other servers.
    package let imports: AccountImportService
    package let notifications: NotificationService
    /// Transfers of money and points.
    package let ledger: Ledger
    /// Groups the ledger's transfers into signed batches.
    package let sealer: LedgerSealer
    /// Replays the whole ledger to verify it.
    package let verifier: LedgerVerifier
    /// Items and trackers.
    package let tracking: TrackingServices
    /// Packages.
    package let carrepsa: CarrepsaServices
    /// Children, chores and points.
    package let family: FamilyServices
    /// The state of the backups, for an administrator's page and for the metrics.
    package let backupStatus: BackupStatusReader
    /// The jobs of all modules that failed.
    package let deadJobs: DeadJobService
    /// The lane of ``LedgerVerificationService``.
    let ledgerVerifications: JobQueue
    /// The lane of ``MaintenanceService``.
    let maintenance: JobQueue
    /// The restrictions of the process that decodes pictures.
    package let pictureSandbox: PictureSandbox
    package let clock: any WallClock
    package let random: any RandomSource
    package let logger: Logger
    /// The keys in files of the data folder.
    let keys: KeyFiles

    /// The schema of all modules, in the order of their references.
    package static let migrations: [Migration] =
        JobQueue.migrations + PictureLibrary.migrations + AccountServices.migrations + NotificationService.migrations
        + Ledger.migrations + TrackingServices.migrations + CarrepsaServices.migrations + FamilyServices.migrations
        + BackupRunStore.migrations

    /// Opens the store, migrates its schema and creates the services.
    /// - Parameters:
    ///   - executable: the path of the `homeward` program, which decodes pictures in a separate process.
    ///   - hasher: hashes passwords; `nil` for the default.
    ///   - providerTransport: the HTTP transport to the services that people sign in with.
    ///   - machineClock: this computer's clock, which is compared with the database's.
    ///   - keyCheck: the fingerprints to compare the key files with.
    ///   - restoredKeys: the keys of a backup that is about to replace the content, in place of the key files.
    ///   - opening: whether the store and its keys may be created or changed.
    ///   - pictureSandbox: the restrictions of the process that decodes pictures.
    /// - Throws: ``StorageError`` (for a newer schema or a missing store, among others), ``SettingError``, or a file
    ///   system error.
    package static func open(
        _ settings: ServerSettings, executable: String, clock: any WallClock = SystemClock(),
        random: any RandomSource = SystemRandom(), logger: Logger, hasher: (any PasswordHasher)? = nil,
        providerTransport: any ProviderTransport = HTTPProviderTransport(), machineClock: any WallClock = SystemClock(),
        keyCheck: KeyCheck = .database, restoredKeys: [KeyFile: [UInt8]]? = nil,
        opening: Database.Opening = .creating, pictureSandbox: PictureSandbox = .current
    ) async throws -> Services {
        if opening == .creating {
            try FileManager.default.createDirectory(
                atPath: settings.dataFolder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700]
            )
        }
        let database = try await Database.open(
            settings.database, migrations: Self.migrations, logger: logger, clock: clock, machineClock: machineClock,
            opening: opening
        )
        do {
            if opening == .unchanged { try await Self.requireCurrentSchema(of: database) }
            let keys =
                if let restoredKeys {
                    KeyFiles(folder: settings.dataFolder, keys: restoredKeys)
                } else {
                    try await KeyFiles.open(
                        settings.dataFolder, for: database, check: keyCheck, opening: opening, now: clock.now,
                        random: random)
                }
            let services = try Services(
                settings: settings, database: database, keys: keys, executable: executable, opening: opening,
                pictureSandbox: pictureSandbox, clock: clock, random: random, logger: logger, hasher: hasher,
                providerTransport: providerTransport)
            if restoredKeys == nil { try await database.read { tx in try services.checkLedgerKey(in: tx) } }
            return services
        } catch {
            await database.close()
            throw error
        }
    }

    /// A store that may not be changed isn't migrated either.
    private static func requireCurrentSchema(of database: Database) async throws {
        switch try await database.read({ tx in try SchemaState(of: migrations, in: tx) }) {
        case .current: break
        case .newer(let titles): throw StorageError.schemaNewer(titles)
        case .different(let title): throw StorageError.migrationsPending(title)
        }
    }

    private init(
        settings: ServerSettings, database: Database, keys: KeyFiles, executable: String, opening: Database.Opening,
        pictureSandbox: PictureSandbox, clock: any WallClock, random: any RandomSource, logger: Logger,
        hasher: (any PasswordHasher)?,
        providerTransport: any ProviderTransport
    ) throws {
        let secrets = try SecretBox(key: keys.bytes(.secret))
        let quotas = AccountQuotas(standard: settings.storageQuota)
        let objects = try settings.openObjects(
            creates: opening != .unchanged, clock: clock, random: random, logger: logger)
        let pictures = PictureLibrary(
            database: database, objects: objects, worker: PictureWorker(executable: executable), quotas: quotas,
            visibilities: [
                CarrepsaServices.pictureVisibility, FamilyServices.pictureVisibility, AccountServices.avatarVisibility,
                TrackingServices.pictureVisibility,
            ],
            clock: clock, random: random, logger: logger
        )
        let positionSharing = PositionSharingState()
        let geocoder = settings.geocoderURL.map { NominatimClient(url: $0, site: settings.site.url) }
        let tracking = TrackingServices(
            database: database, pictures: pictures, objects: objects, secrets: secrets, clock: clock, random: random,
            quotas: quotas, households: FamilyHouseholds(), positionSharing: positionSharing,
            siteURL: settings.site.url,
            hologram: try Self.hologram(
                settings, creates: opening != .unchanged, clock: clock, random: random, logger: logger),
            geocoder: geocoder,
            logger: logger
        )
        let ledgerKey = try LedgerKey(bytes: keys.bytes(.ledger))
        let ledger = Ledger(key: ledgerKey)
        let ledgerHead = "\(settings.dataFolder)/ledger.head"
        let deliveryMails = DeliveryMails()
        let carrepsa = CarrepsaServices(
            database: database, ledger: ledger, secrets: secrets, currency: settings.currency,
            welcomeAmountMinor: settings.welcomeAmountMinor, demandsConfirmedEmail: settings.mail != nil,
            deliveryMails: deliveryMails, geocoder: geocoder,
            router: settings.routerURL.map { OSRMClient(url: $0, site: settings.site.url) },
            limitFactor: settings.limitFactor, clock: clock, random: random, logger: logger
        )
        let notifications = try Self.notifications(
            settings, database: database, keys: keys, clock: clock, random: random, logger: logger)
        let mail = try settings.mail.map { MailSettings(mailer: try $0.mailer, secrets: secrets) }
        let familyDataHandler = FamilyDataHandler()
        let accounts = AccountServices(
            database: database, siteURL: settings.site.url, mail: mail, registration: settings.registration,
            providers: settings.providers, providerTransport: providerTransport,
            dataHandlers: [
                tracking.dataHandler, carrepsa.dataHandler, familyDataHandler, notifications.dataHandler,
                PicturesDataHandler(library: pictures),
            ],
            positionSharing: positionSharing, deliveryMails: deliveryMails,
            clock: clock, random: random, logger: logger, hasher: hasher
        )
        let family = FamilyServices(
            database: database, accounts: accounts, ledger: ledger, dataHandler: familyDataHandler,
            siteURL: settings.site.url,
            departures: PositionSharingDepartures(ender: tracking.positionShareEnder), clock: clock, random: random,
            logger: logger
        )
        imports = AccountImportService(
            database: database, objects: objects, pictures: pictures, accounts: accounts,
            handlers: [tracking.importHandler, family.importHandler], clock: clock, random: random, logger: logger)
        self.settings = settings
        self.database = database
        self.objects = objects
        self.pictures = pictures
        self.accounts = accounts
        storage = accounts.storage(quotas: quotas, fixCount: { try tracking.fixCount(of: $0, in: $1) })
        self.notifications = notifications
        self.ledger = ledger
        sealer = LedgerSealer(database: database, ledger: ledger, anchorFile: ledgerHead, clock: clock, logger: logger)
        verifier = LedgerVerifier(database: database, key: ledgerKey, anchorFile: ledgerHead)
        self.tracking = tracking
        self.carrepsa = carrepsa
        self.family = family
        maintenance = JobQueue(lane: MaintenanceService.lane, random: random, logger: logger)
        ledgerVerifications = JobQueue(lane: LedgerVerificationService.lane, random: random, logger: logger)
        deadJobs = DeadJobService(
            database: database,
            queues: accounts.mailSender.queues + notifications.sender.queues + tracking.jobQueues
                + [ledgerVerifications, maintenance, imports.queue],
            clock: clock)
        backupStatus = BackupStatusReader(database: database, clock: clock)
        self.pictureSandbox = pictureSandbox
        self.clock = clock
        self.random = random
        self.logger = logger
        self.keys = keys
    }

    /// Finishes running work and closes the store.
    package func close() async { await database.close() }
}
