import Accounts
import Kernel
import Ledger
import Storage

/// Contributes Carrepsa's data to the export and the deletion of an account.
struct CarrepsaDataHandler: AccountDataHandler {
    let database: Database
    let walletAccounts: WalletAccounts
    let memberships: MembershipService
    let wallets: WalletService
    let packages: PackageService
    let payoutRequests: PayoutRequestService
    let clock: any WallClock

    func export(_ person: PersonID, in tx: Transaction) throws -> [(path: String, contents: [UInt8])] {
        guard try walletAccounts.exists(person, in: tx) else { return [] }
        let wallet = ExportedWallet(
            balance: try walletAccounts.balance(of: person, in: tx),
            payable: try walletAccounts.payable(of: person, in: tx),
            held: try PackageStore.held(of: person, in: tx), currency: walletAccounts.currency.code,
            reference: try PaymentReferenceStore.reference(of: person, in: tx).map(PaymentReference.written)
        )
        let blocked = try BlockStore.all(of: person, in: tx).map(ExportedBlock.init)
        return [
            (path: "carrepsa/wallet.json", contents: try wallet.json(isReadable: true)),
            (path: "carrepsa/blocked-people.json", contents: try blocked.json(isReadable: true)),
        ]
    }

    func usedApp(by person: PersonID, in tx: Transaction) throws -> AppName? {
        try walletAccounts.exists(person, in: tx) ? .carrepsa : nil
    }

    /// Returns packages and wallet entries as attachments, because their number is unlimited.
    func attachments(of person: PersonID) async throws -> [ExportAttachment] {
        let isMember = try await database.read { [walletAccounts] tx in try walletAccounts.exists(person, in: tx) }
        guard isMember else { return [] }
        let owned = exportedPackages(.owned, of: person)
        let carried = exportedPackages(.carried, of: person)
        let entries = exportedEntries(of: person)
        let payouts = exportedPayouts(of: person)
        let statements = exportedStatements(of: person)
        let trips = exportedTrips(of: person)
        let recipients = exportedRecipients(of: person)
        let messages = exportedMessages(of: person)
        let reviews = exportedReviews(of: person)
        return [
            ExportAttachment(path: "carrepsa/packages.json", pieces: { owned }),
            ExportAttachment(path: "carrepsa/deliveries.json", pieces: { carried }),
            ExportAttachment(path: "carrepsa/wallet-entries.json", pieces: { entries }),
            ExportAttachment(path: "carrepsa/payout-requests.json", pieces: { payouts }),
            ExportAttachment(path: "carrepsa/statements.json", pieces: { statements }),
            ExportAttachment(path: "carrepsa/trips.json", pieces: { trips }),
            ExportAttachment(path: "carrepsa/recipients.json", pieces: { recipients }),
            ExportAttachment(path: "carrepsa/messages.json", pieces: { messages }),
            ExportAttachment(path: "carrepsa/reviews.json", pieces: { reviews }),
        ]
    }

    /// Requires a phone number, because the other person of a delivery must be able to call.
    /// - Throws: `AppError(.invalid)` at `phone` if a person with a wallet removes the number.
    func checkChange(from before: Account, to after: Account, in tx: Transaction) throws {
        guard before.phone != nil, after.phone == nil else { return }
        guard try walletAccounts.exists(before.id, in: tx) else { return }
        throw AppError(.invalid, .phoneMissing, field: "phone")
    }

    /// Credits the welcome amount that required an email.
    func profileChanged(_ account: Account, now: Instant, in tx: Transaction) throws {
        try walletAccounts.emailChanged(of: account.id, now: now, in: tx)
    }

    /// Credits the welcome amount that required a confirmed email.
    func emailConfirmed(_ account: Account, now: Instant, in tx: Transaction) throws {
        try walletAccounts.emailChanged(of: account.id, now: now, in: tx)
    }

    /// Voids the handover codes that the person showed, and withdraws an open payout request, which names an
    /// account of a bank. The pages of recipients stay: they belong to deliveries on their way, and the owner renews
    /// their links.
    func revokeGrants(of person: PersonID, endsChildSessions: Bool, now: Instant, in tx: Transaction) throws {
        try HandoverStore.deleteAll(by: person, in: tx)
        try payoutRequests.withdraw(openOf: person, now: now, in: tx)
    }

    /// Says that welcome money is lost.
    func erasureNote(of person: PersonID, in tx: Transaction) throws -> String? {
        try walletAccounts.welcomeMoney.amounts(of: person, in: tx).welcome > 0
            ? CarrepsaMessage.welcomeMoneyIsLost.text : nil
    }

    /// - Throws: `AppError(.conflict)` if the person has unfinished packages, or money that can be paid out.
    func checkErasure(of person: PersonID, in tx: Transaction) throws {
        guard try !PackageStore.hasLive(person, in: tx) else { throw AppError(.conflict, .packagesUnderWay) }
        if try walletAccounts.payable(of: person, in: tx) != 0 { throw AppError(.conflict, .balanceLeft) }
    }

    /// - Throws: `AppError(.conflict)` if the person has unfinished packages, or money that can be paid out.
    func erase(_ person: PersonID, in tx: Transaction) throws {
        try walletAccounts.ledger.lock([CarrepsaLedgerAccounts.wallet(person)], in: tx)
        try checkErasure(of: person, in: tx)
        if let contact = try PeopleStore.contact(person, in: tx) {
            try walletAccounts.close(for: contact, now: clock.now, in: tx)
        }
        try MessageNotifier().withdraw(messagesOf: person, now: clock.now, in: tx)
        try MessageStore.erase(person, in: tx)
        try ReviewStore.erase(person, in: tx)
        try PackageStore.forget(person, in: tx)
        tx.afterCommit { [cache = memberships.cache] in cache.remove(person) }
    }

    func afterErasure() async throws {}

    private func exportedPackages(
        _ listing: PackageListing, of person: PersonID
    ) -> PagedJSON<ExportedPackage> {
        PagedJSON { [packages] after in
            let page = try await packages.exported(listing, of: person, after: after)
            return (page.items.map(ExportedPackage.init), page.next)
        }
    }

    private func exportedPayouts(of person: PersonID) -> PagedJSON<ExportedPayoutRequest> {
        PagedJSON { [database] after in
            let request = try PageRequest<ID<PayoutRequest>>(after: after, limit: Limits.pageSizeMaximum)
            let page = try await database.read { tx in
                request.page(
                    try PayoutRequestStore.all(of: person, after: request.after, limit: request.rows, in: tx), \.id)
            }
            return (page.items.map(ExportedPayoutRequest.init), page.next)
        }
    }

    private func exportedStatements(of person: PersonID) -> PagedJSON<ExportedStatement> {
        PagedJSON { [database] after in
            let request = try PageRequest(
                after: after, limit: Limits.pageSizeMaximum, cursor: StatementStore.Cursor.init)
            let page = try await database.read { tx in
                request.page(
                    try StatementStore.page(of: person, after: request.after, limit: request.rows, in: tx),
                    StatementStore.Cursor.init)
            }
            return (page.items.map(ExportedStatement.init), page.next)
        }
    }

    private func exportedTrips(of person: PersonID) -> PagedJSON<Trip> {
        PagedJSON { [database] _ in (try await database.read { tx in try TripStore.all(of: person, in: tx) }, nil) }
    }

    private func exportedRecipients(of person: PersonID) -> PagedJSON<ExportedRecipient> {
        PagedJSON { [database] after in
            let request = try PageRequest<ID<Package>>(after: after, limit: Limits.pageSizeMaximum)
            let page = try await database.read { tx in
                let rows = try RecipientStore.all(of: person, after: request.after, limit: request.rows, in: tx)
                return request.page(rows.map(ExportedRecipient.init), \.package)
            }
            return (page.items, page.next)
        }
    }

    private func exportedMessages(of person: PersonID) -> PagedJSON<ExportedMessage> {
        PagedJSON { [database] after in
            let request = try PageRequest<ID<PackageMessage>>(after: after, limit: Limits.pageSizeMaximum)
            let page = try await database.read { tx in
                request.page(
                    try MessageStore.written(by: person, after: request.after, limit: request.rows, in: tx),
                    \.message.id)
            }
            return (page.items.map { ExportedMessage($0.message, $0.title) }, page.next)
        }
    }

    private func exportedReviews(of person: PersonID) -> PagedJSON<ExportedReview> {
        PagedJSON { [database] after in
            let request = try PageRequest<ID<PackageReview>>(after: after, limit: Limits.pageSizeMaximum)
            let page = try await database.read { tx in
                request.page(
                    try ReviewStore.written(by: person, after: request.after, limit: request.rows, in: tx), \.id)
            }
            return (page.items.map { ExportedReview($0, of: person) }, page.next)
        }
    }

    private func exportedEntries(of person: PersonID) -> PagedJSON<ExportedWalletEntry> {
        PagedJSON { [database, wallets] after in
            let request = try PageRequest(afterEntry: after, limit: Limits.pageSizeMaximum)
            let page = try await database.read { tx in try wallets.entries(of: person, request, in: tx) }
            return (page.items.map(ExportedWalletEntry.init), page.next)
        }
    }
}

/// Streams a paged list as one JSON array.
struct PagedJSON<Element: JSONWritable>: AsyncSequence, Sendable {
    typealias Failure = any Error

    let page: @Sendable (_ after: String?) async throws -> (items: [Element], next: String?)

    struct AsyncIterator: AsyncIteratorProtocol {
        typealias Failure = any Error
        private enum Stage {
            case start
            case after(String)
            case end
        }

        private let page: @Sendable (_ after: String?) async throws -> (items: [Element], next: String?)
        private var stage = Stage.start

        fileprivate init(_ page: @escaping @Sendable (String?) async throws -> (items: [Element], next: String?)) {
            self.page = page
        }

        mutating func next() async throws -> [UInt8]? {
            let after: String?
            var piece: [UInt8] = []
            switch stage {
            case .end: return nil
            case .start:
                after = nil
                piece.append(UInt8(ascii: "["))
            case .after(let cursor): after = cursor
            }
            let (items, next) = try await page(after)
            for (index, item) in items.enumerated() {
                if index > 0 || after != nil { piece.append(UInt8(ascii: ",")) }
                piece.append(UInt8(ascii: "\n"))
                piece += JSONText(item).bytes
            }
            if let next {
                stage = .after(next)
            } else {
                stage = .end
                piece += Array("\n]\n".utf8)
            }
            return piece
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(page) }
}

private struct ExportedWallet: Encodable {
    let balance: Int64
    let payable: Int64
    let held: Int64
    let currency: String
    let reference: String?
}

struct ExportedPayoutRequest: JSONWritable {
    private let request: PayoutRequest

    init(_ request: PayoutRequest) { self.request = request }

    func write(to json: inout JSONText) {
        json.object { json in
            json.member("id", request.id.description)
            json.member("at", request.createdAt)
            json.member("amount", request.amount)
            json.member("destination", request.destination)
            json.member("state", request.state.rawValue)
            json.member("reason", request.reason)
            json.member("endedAt", request.endedAt)
        }
    }
}

/// An entry of the person in the history of a package, with a text or an offer.
struct ExportedStatement: JSONWritable {
    private let statement: StatementStore.Statement

    init(_ statement: StatementStore.Statement) { self.statement = statement }

    func write(to json: inout JSONText) {
        json.object { json in
            json.member("packageId", statement.package)
            json.member("at", statement.at)
            json.member("event", statement.event)
            json.member("text", statement.note)
            json.member("split", statement.split)
            json.member("pictureId", statement.picture)
        }
    }
}

/// A package in the data export; contains only the other person's name.
struct ExportedPackage: JSONWritable {
    private let package: Package

    init(_ package: Package) { self.package = package }

    func write(to json: inout JSONText) {
        json.object { json in
            package.writeFacts(into: &json)
            json.member("owner", package.owner.name)
            json.member("carrier", package.carrier?.name)
            json.member("finishedAt", package.finishedAt)
        }
    }
}

struct ExportedWalletEntry: JSONWritable {
    private let entry: WalletEntry

    init(_ entry: WalletEntry) { self.entry = entry }

    func write(to json: inout JSONText) {
        json.object { json in
            json.member("id", entry.id)
            json.member("at", entry.at)
            json.member("amount", entry.amount)
            json.member("kind", entry.kind.rawValue)
            json.member("package", entry.packageTitle)
            json.member("balanceAfter", entry.balanceAfter)
            json.member("note", entry.note)
        }
    }
}
