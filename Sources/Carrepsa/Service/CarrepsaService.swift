package import Accounts
package import Kernel
package import Ledger
package import Logging
package import Pictures
package import Storage

/// Everything that people, operators and the clock can do in Carrepsa. Whoever asks hands in who they are. The state of
/// a package and the money that moves with it change in one transaction, as ``DeliveryLifeCycle/table`` says.
package final class CarrepsaService: Sendable {
    let database: Database
    let ledger: Ledger
    let secrets: SecretBox
    /// What all wallets count in.
    package let currency: Currency
    let welcomeAmountMinor: Int64
    let demandsConfirmedEmail: Bool
    let clock: any WallClock
    let random: any RandomSource
    let logger: Logger
    let entered = EnteredPeople()
    let stuck = StuckPackages()

    let codeThrottle = Throttle(
        scope: "handover-code", limit: Limits.handoverFailures, windowSeconds: Limits.handoverThrottleSeconds
    )

    /// Puts the service together.
    /// - Parameters:
    ///   - secrets: makes the keyed hashes of handover codes.
    ///   - welcomeAmountMinor: what a new wallet starts with, in minor units; 0 for nothing.
    ///   - demandsConfirmedEmail: whether mail is set up: then only a confirmed email brings the welcome amount, and only it
    ///     names an account to the administrator.
    package init(
        database: Database, ledger: Ledger, secrets: SecretBox, currency: Currency, welcomeAmountMinor: Int64,
        demandsConfirmedEmail: Bool = false, clock: any WallClock, random: any RandomSource, logger: Logger
    ) {
        self.database = database
        self.ledger = ledger
        self.secrets = secrets
        self.currency = currency
        self.welcomeAmountMinor = welcomeAmountMinor
        self.demandsConfirmedEmail = demandsConfirmedEmail
        self.clock = clock
        self.random = random
        self.logger = logger
    }

    /// What Accounts needs when an account is exported or deleted.
    package var companion: any AccountCompanion { CarrepsaCompanion(service: self) }

    /// Lets those who see a package see its picture.
    package static var pictureVisibility: any PictureVisibility { PackagePictures() }

    /// Reads after everything that the clock has decided by now, whether the job has come by or not.
    func reading<T: Sendable>(
        _ body: @escaping @Sendable (Transaction, Instant) throws -> T
    ) async throws -> T {
        let now = clock.now
        let stuck = stuck.all
        let first = try await database.read { tx -> T? in
            // With so many in trouble, what is due is the housekeeping's alone.
            let isTried = stuck.count < Limits.stuckPackages
            return try isTried && PackageStore.isAnythingDue(now, except: stuck, in: tx) ? nil : try body(tx, now)
        }
        if let first { return first }
        // A store that can't be written to must not keep people from reading.
        _ = await hasFreedMoney()
        return try await database.read { tx in try body(tx, now) }
    }
}

/// Lets those who see a package see its picture.
struct PackagePictures: PictureVisibility {
    func isVisible(_ picture: ID<Picture>, to viewer: PersonID, in tx: Transaction) throws -> Bool {
        try PackageStore.isPictureShown(picture, to: viewer, in: tx)
    }
}

/// The accounts of the ledger that this module moves money between.
enum Purses {
    static func wallet(_ person: PersonID) -> LedgerAccountKey {
        LedgerAccountKey(purpose: "wallet", holder: person.description)
    }

    static func escrow(_ package: ID<Package>) -> LedgerAccountKey {
        LedgerAccountKey(purpose: "escrow", holder: package.description)
    }

    /// The world outside: what was paid in has come from here, so that the sum of all accounts is zero.
    static func outside(_ currency: Currency) -> LedgerAccountKey {
        LedgerAccountKey(purpose: "outside", holder: currency.code)
    }
}

/// What is told of changes.
enum Announcement {
    static func path(_ package: ID<Package>) -> String { "/carrepsa/packages/\(package)" }

    static func package(_ package: StoredPackage, to audience: PersonID, now: Instant) -> ChangeEvent {
        ChangeEvent(
            audience: audience, kind: "package", resource: path(package.id), version: package.version, at: now
        )
    }

    static func wallet(of person: PersonID, now: Instant) -> ChangeEvent {
        ChangeEvent(audience: person, kind: "wallet", resource: "/carrepsa/wallet", version: 0, at: now)
    }
}

extension CarrepsaPage {
    /// A page of what was read with one entry more than asked for, which says whether there is a next one.
    init(_ read: [Entry], limit: Int, cursor: (Entry) -> String) {
        let items = Array(read.prefix(limit))
        self.init(items: items, next: read.count > limit ? items.last.map(cursor) : nil)
    }
}

/// How much a page holds and where it begins.
enum Cursor {
    static func limit(_ wanted: Int) -> Int { min(max(wanted, 1), Limits.pageSizeMaximum) }

    static func package(_ text: String?) throws -> ID<Package>? {
        guard let text else { return nil }
        guard let id = ID<Package>(text) else { throw AppError(.invalid, .cursorUnknown, field: "after") }
        return id
    }

    static func sequence(_ text: String?) throws -> Int64? {
        guard let text else { return nil }
        guard let sequence = Int64(text), sequence > 0 else {
            throw AppError(.invalid, .cursorUnknown, field: "after")
        }
        return sequence
    }
}
