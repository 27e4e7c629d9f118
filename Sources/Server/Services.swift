package import Accounts
package import Carrepsa
package import Family
import Foundation
package import Kernel
package import Ledger
package import Logging
package import Notifications
package import Objects
package import Pictures
package import Storage
package import Tracking
import WebCore

/// The product without its web: the store and the services on it. What the command line works with.
package struct Services: Sendable {
    /// The settings that it was opened with.
    package let settings: ServerSettings
    /// The store.
    package let database: Database
    /// Where photos and the archive of positions are.
    package let objects: any ObjectStore
    /// Photos.
    package let pictures: PictureLibrary
    /// People.
    package let accounts: AccountService
    /// Other services by which people may sign in.
    package let providers: ProviderSignIn
    /// What people are told.
    package let notifications: NotificationService
    /// Money and points.
    package let ledger: Ledger
    /// Puts the ledger's transfers into signed batches.
    package let sealer: LedgerSealer
    /// Replays the whole ledger.
    package let verifier: LedgerVerifier
    /// Things.
    package let tracking: TrackingService
    /// Parcels.
    package let carrepsa: CarrepsaService
    /// Children, chores and points.
    package let family: FamilyService
    /// The time.
    package let clock: any WallClock
    /// Randomness.
    package let random: any RandomSource
    /// The log.
    package let logger: Logger
    /// The keys that live in files.
    let keys: KeyFiles

    /// All modules' schema, in the order in which they refer to one another.
    package static let migrations: [Migration] =
        PictureLibrary.migrations + AccountService.migrations + NotificationService.migrations + Ledger.migrations
        + TrackingService.migrations + CarrepsaService.migrations + FamilyService.migrations

    /// Opens the store, brings its schema up to date and puts the services together.
    /// - Parameters:
    ///   - executable: the path of the `homeward` program, which decodes pictures in a process of its own.
    ///   - hasher: how passwords are hashed; `nil` for the product's way.
    ///   - providerTransport: the road to services by which people sign in.
    ///   - machineClock: this computer's clock, which is compared with the database's.
    ///   - keyCheck: the check of the key files.
    /// - Throws: ``StorageError`` (a newer schema among them), ``SettingFailure``, or what the file system says.
    package static func open(
        _ settings: ServerSettings, executable: String, clock: any WallClock = SystemClock(),
        random: any RandomSource = SystemRandom(), logger: Logger, hasher: (any PasswordHasher)? = nil,
        providerTransport: any ProviderTransport = HTTPProviderTransport(), machineClock: any WallClock = SystemClock(),
        keyCheck: KeyCheck = .database
    ) async throws -> Services {
        try FileManager.default.createDirectory(
            atPath: settings.dataFolder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700]
        )
        let database = try await Database.open(
            settings.database, migrations: Self.migrations, logger: logger, clock: clock, machineClock: machineClock
        )
        do {
            let keys = try await KeyFiles.open(
                settings.dataFolder, for: database, check: keyCheck, now: clock.now, random: random)
            let services = try put(
                settings, database, keys, executable, clock, random, logger, hasher, providerTransport)
            try await database.read { tx in try services.checkLedgerKey(in: tx) }
            return services
        } catch {
            await database.close()
            throw error
        }
    }

    private static func put(
        _ settings: ServerSettings, _ database: Database, _ keys: KeyFiles, _ executable: String,
        _ clock: any WallClock, _ random: any RandomSource, _ logger: Logger, _ hasher: (any PasswordHasher)?,
        _ providerTransport: any ProviderTransport
    ) throws -> Services {
        let secrets = try SecretBox(key: keys.bytes(.secret))
        let objects = try settings.openObjects(clock: clock, random: random, logger: logger)
        let pictures = PictureLibrary(
            database: database, objects: objects, worker: PictureWorker(executable: executable),
            visibilities: [
                CarrepsaService.pictureVisibility, FamilyService.pictureVisibility, AccountService.avatarVisibility,
            ],
            clock: clock, random: random, logger: logger
        )
        let tracking = TrackingService(
            database: database, pictures: pictures, objects: objects, secrets: secrets, clock: clock, random: random,
            fixesPerAccount: settings.fixesPerAccount, hologram: try hologram(settings, clock, random, logger),
            logger: logger
        )
        let ledgerKey = try LedgerKey(bytes: keys.bytes(.ledger))
        let ledger = Ledger(key: ledgerKey)
        let ledgerHead = "\(settings.dataFolder)/ledger.head"
        let carrepsa = CarrepsaService(
            database: database, ledger: ledger, secrets: secrets, currency: settings.currency,
            welcomeAmountMinor: settings.welcomeAmountMinor, demandsConfirmedEmail: settings.mailCommand != nil,
            clock: clock, random: random, logger: logger
        )
        let notifications = try Self.notifications(settings, database, keys, clock, random, logger)
        let mail: MailSettings?
        do {
            mail = try settings.mailCommand.map {
                MailSettings(mailer: try SendmailMailer(command: $0), secrets: secrets)
            }
        } catch {
            throw SettingFailure(.mail, "is no command")
        }
        let familyCompanion = FamilyCompanion()
        let accounts = AccountService(
            database: database, siteURL: settings.site.url, mail: mail, registration: settings.registration,
            companions: [
                tracking.companion, carrepsa.companion, familyCompanion, notifications.companion,
                PicturesCompanion(library: pictures),
            ],
            clock: clock, random: random, logger: logger, hasher: hasher
        )
        let family = FamilyService(
            database: database, accounts: accounts, ledger: ledger, companion: familyCompanion,
            siteURL: settings.site.url, clock: clock, random: random, logger: logger
        )
        return Services(
            settings: settings, database: database, objects: objects, pictures: pictures, accounts: accounts,
            providers: ProviderSignIn(
                accounts: accounts, providers: settings.providers, transport: providerTransport),
            notifications: notifications, ledger: ledger,
            sealer: LedgerSealer(
                database: database, ledger: ledger, anchorFile: ledgerHead, clock: clock, logger: logger
            ),
            verifier: LedgerVerifier(database: database, key: ledgerKey, anchorFile: ledgerHead), tracking: tracking,
            carrepsa: carrepsa, family: family, clock: clock, random: random, logger: logger, keys: keys
        )
    }

    /// Finishes what is under way and closes the store.
    package func close() async { await database.close() }
}
