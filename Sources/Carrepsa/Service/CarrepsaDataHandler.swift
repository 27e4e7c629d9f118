import Accounts
import Foundation
import Kernel
import Ledger
import Storage

/// Contributes Carrepsa's data to the export and the deletion of an account.
struct CarrepsaDataHandler: AccountDataHandler {
    let service: CarrepsaService

    func export(_ person: PersonID, in tx: Transaction) throws -> [(path: String, contents: [UInt8])] {
        guard try service.ledger.exists(CarrepsaLedgerAccounts.wallet(person), in: tx) else { return [] }
        let wallet = ExportedWallet(
            balance: try service.ledger.balance(of: CarrepsaLedgerAccounts.wallet(person), in: tx),
            held: try PackageStore.held(of: person, in: tx), currency: service.currency.code
        )
        return [(path: "carrepsa/wallet.json", contents: try json(wallet))]
    }

    func usedApp(by person: PersonID, in tx: Transaction) throws -> AppName? {
        try service.ledger.exists(CarrepsaLedgerAccounts.wallet(person), in: tx) ? .carrepsa : nil
    }

    /// Returns packages and wallet entries as attachments, because their number is unlimited.
    func attachments(of person: PersonID) async throws -> [ExportAttachment] {
        let service = service
        let isIn = try await service.database.read { tx in
            try service.ledger.exists(CarrepsaLedgerAccounts.wallet(person), in: tx)
        }
        guard isIn else { return [] }
        let owned = service.exportedPackages(of: person, .owned)
        let carried = service.exportedPackages(of: person, .carried)
        let movements = service.exportedMovements(of: person)
        return [
            ExportAttachment(path: "carrepsa/packages.json", pieces: { owned }),
            ExportAttachment(path: "carrepsa/deliveries.json", pieces: { carried }),
            ExportAttachment(path: "carrepsa/wallet-entries.json", pieces: { movements }),
        ]
    }

    /// Requires a phone number, because the other party of a delivery must be able to call.
    /// - Throws: `AppError(.invalid)` at `phone` if a person with a wallet removes the number.
    func checkChange(from before: Account, to after: Account, in tx: Transaction) throws {
        guard before.phone != nil, after.phone == nil else { return }
        guard try service.ledger.exists(CarrepsaLedgerAccounts.wallet(before.id), in: tx) else { return }
        throw AppError(.invalid, .phoneMissing, field: "phone")
    }

    /// Credits the welcome amount that required a confirmed email.
    func emailConfirmed(_ account: Account, now: Instant, in tx: Transaction) throws {
        try service.emailConfirmed(of: account.id, now: now, in: tx)
    }

    /// - Throws: `AppError(.conflict)` if the person has unfinished packages or a balance.
    func checkErasure(of person: PersonID, in tx: Transaction) throws {
        guard try !PackageStore.hasLive(person, in: tx) else { throw AppError(.conflict, .packagesUnderWay) }
        let wallet = CarrepsaLedgerAccounts.wallet(person)
        if try service.ledger.exists(wallet, in: tx), try service.ledger.balance(of: wallet, in: tx) != 0 {
            throw AppError(.conflict, .balanceLeft)
        }
    }

    /// - Throws: `AppError(.conflict)` if the person has unfinished packages or a balance.
    func erase(_ person: PersonID, in tx: Transaction) throws {
        try service.ledger.lock([CarrepsaLedgerAccounts.wallet(person)], in: tx)
        try checkErasure(of: person, in: tx)
        try PackageStore.forget(person, in: tx)
        tx.afterCommit { [entered = service.entered] in entered.remove(person) }
    }

    private func json(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(value))
    }
}

extension CarrepsaService {
    func exportedPackages(of person: PersonID, _ listing: PackageListing) -> PagedJSON<ExportedPackage> {
        PagedJSON { [self] after in
            let start = try Cursor.package(after)
            let limit = Limits.pageSizeMaximum
            let now = clock.now
            let packages = try await database.read { [self] tx in
                let filter = try PackageList.Filter(PackageFilter())
                let rows = try PackageList.page(
                    listing, of: person, filter: filter, past: nil, start: start, limit: limit + 1, now: now, in: tx
                )
                return try completed(rows, in: tx)
            }
            let page = CarrepsaPage(packages, limit: limit) { $0.id.description }
            return (page.items.map(ExportedPackage.init), page.next)
        }
    }

    func exportedMovements(of person: PersonID) -> PagedJSON<ExportedMovement> {
        PagedJSON { [self] after in
            let start = try Cursor.sequence(after)
            let page = try await database.read { [self] tx in
                try walletPage(of: person, before: start, limit: Limits.pageSizeMaximum, in: tx)
            }
            return (page.items.map(ExportedMovement.init), page.next)
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
    let held: Int64
    let currency: String
}

/// A package in the data export; contains only the other party's name.
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

struct ExportedMovement: JSONWritable {
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
        }
    }
}
