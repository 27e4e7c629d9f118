package import Accounts
package import Kernel
package import Ledger
package import Logging
package import Pictures
package import Storage

/// The use cases of Carrepsa for people, administrators and scheduled jobs. Every use case takes an `Actor`. The
/// state of a package and its money change in one transaction, as defined by ``DeliveryLifeCycle/table``.
package final class CarrepsaService: Sendable {
    let database: Database
    let ledger: Ledger
    let secrets: SecretBox
    /// The currency of all wallets.
    package let currency: Currency
    let welcomeAmountMinor: Int64
    let demandsConfirmedEmail: Bool
    let clock: any WallClock
    let random: any RandomSource
    let logger: Logger
    let entered = MembershipCache()
    let stuck = FailedExpiries()

    let codeThrottle = Throttle(
        scope: "handover-code", limit: Limits.handoverFailures, windowSeconds: Limits.handoverThrottleSeconds
    )

    /// Creates the service.
    /// - Parameters:
    ///   - secrets: creates the keyed hashes of handover codes.
    ///   - welcomeAmountMinor: the initial amount of a new wallet in minor units; 0 for none.
    ///   - demandsConfirmedEmail: whether mail is set up. If so, only a confirmed email brings the welcome amount and
    ///     identifies an account for top-ups and payouts.
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

    package var dataHandler: any AccountDataHandler { CarrepsaDataHandler(service: self) }

    /// The rule that people who see a package see its picture.
    package static var pictureVisibility: any PictureVisibility { PackagePictures() }

    /// Reads the database after expiring overdue packages, so that results don't depend on the scheduled job.
    func reading<T: Sendable>(
        _ body: @escaping @Sendable (Transaction, Instant) throws -> T
    ) async throws -> T {
        let now = clock.now
        let stuck = stuck.all
        let first = try await database.read { tx -> T? in
            // If there are too many stuck packages, only housekeeping expires packages.
            let isTried = stuck.count < Limits.failedExpiries
            return try isTried && PackageStore.hasOverduePackages(now, except: stuck, in: tx) ? nil : try body(tx, now)
        }
        if let first { return first }
        // `expireOverduePackages()` catches its errors: a read must succeed even if the database can't be written.
        _ = await expireOverduePackages()
        return try await database.read { tx in try body(tx, now) }
    }
}

/// Shows a package's picture to the people who see the package.
struct PackagePictures: PictureVisibility {
    func isVisible(_ picture: ID<Picture>, to viewer: PersonID, in tx: Transaction) throws -> Bool {
        try PackageStore.isPictureShown(picture, to: viewer, in: tx)
    }
}

/// The keys of this module's ledger accounts.
enum CarrepsaLedgerAccounts {
    static func wallet(_ person: PersonID) -> LedgerAccountKey {
        LedgerAccountKey(purpose: "wallet", holder: person.description)
    }

    static func escrow(_ package: ID<Package>) -> LedgerAccountKey {
        LedgerAccountKey(purpose: "escrow", holder: package.description)
    }

    /// The account of the outside world. Top-ups debit it, so that all accounts add up to zero.
    static func outside(_ currency: Currency) -> LedgerAccountKey {
        LedgerAccountKey(purpose: "outside", holder: currency.code)
    }
}

/// The change events of this module.
enum CarrepsaEvents {
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
    /// Creates a page from a query that read one entry more than the limit; the extra entry shows that another page
    /// follows.
    init(_ read: [Entry], limit: Int, cursor: (Entry) -> String) {
        let items = Array(read.prefix(limit))
        self.init(items: items, next: read.count > limit ? items.last.map(cursor) : nil)
    }
}

/// Parses the limit and the cursor of a page.
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
