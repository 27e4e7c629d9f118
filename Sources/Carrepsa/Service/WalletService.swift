package import Accounts
package import Kernel
import Ledger
import Storage

/// A person's wallet: balance, statement and the packages that hold money in escrow.
package struct WalletService: Sendable {
    let memberships: MembershipService
    let deadlines: PackageDeadlines
    let walletAccounts: WalletAccounts
    let details: PackageDetailsReader

    /// Returns the actor's balance and amount in escrow.
    package func wallet(of actor: Actor) async throws -> Wallet {
        try await memberships.withWallet(actor) {
            try await deadlines.read { tx, _ in try wallet(of: actor.person, in: tx) }
        }
    }

    /// Returns a page of the actor's wallet entries, newest first.
    /// - Throws: `AppError.invalid` at `after` for an unknown cursor.
    package func entries(
        of actor: Actor, after: String?, limit: Int
    ) async throws -> ListPage<WalletEntry> {
        try await memberships.ensureWallet(of: actor)
        let request = try PageRequest(afterEntry: after, limit: limit)
        return try await deadlines.read { tx, _ in try entries(of: actor.person, request, in: tx) }
    }

    /// Returns the actor's wallet with a page of its entries, read together. The first page also has the unfinished
    /// packages.
    /// - Throws: `AppError.invalid` at `after` for an unknown cursor.
    package func statement(of actor: Actor, after: String?, limit: Int) async throws -> WalletStatement {
        let request = try PageRequest(afterEntry: after, limit: limit)
        return try await memberships.withWallet(actor) {
            try await deadlines.read { tx, now in
                let wallet = try wallet(of: actor.person, in: tx)
                let showsEscrow = wallet.held > 0 && after == nil
                return WalletStatement(
                    wallet: wallet, entries: try entries(of: actor.person, request, in: tx),
                    owned: showsEscrow ? try unfinished(.owned, of: actor.person, now: now, in: tx) : [],
                    carried: showsEscrow ? try unfinished(.carried, of: actor.person, now: now, in: tx) : [])
            }
        }
    }

    func entries(
        of person: PersonID, _ request: PageRequest<Int64>, in tx: Transaction
    ) throws -> ListPage<WalletEntry> {
        let movements = try walletAccounts.ledger.movements(
            of: CarrepsaLedgerAccounts.wallet(person), before: request.after, limit: request.limit, in: tx)
        let subjects = Set(movements.compactMap { $0.subject.flatMap { ID<Package>($0) } })
        let packages = try PackageList.subjects(subjects, seenBy: person, in: tx)
        let notes = try PaymentStore.notes(of: movements.filter { $0.subject == nil }.map(\.transferID), in: tx)
        let entries = movements.map { movement in
            let id = movement.subject.flatMap { ID<Package>($0) }
            let subject = id.flatMap { packages[$0] }
            let kind = TransferKind(rawValue: movement.kind).entryKind(
                isOwner: subject?.isOwner ?? false, amount: movement.amount)
            let outcome = subject?.outcome(of: kind, heldSince: movement.at)
            return WalletEntry(
                id: movement.transferID.description, at: movement.at, amount: movement.amount, kind: kind,
                outcome: outcome, packageID: id, packageTitle: subject?.title,
                otherName: subject?.otherName(of: kind, outcome, at: movement.at),
                isPackageShown: subject?.isShown ?? false,
                balanceAfter: movement.balanceAfter, note: notes[movement.transferID]
            )
        }
        // Entries are numbered from 1 without gaps, so the last number says whether another page follows.
        let next = movements.last.flatMap {
            $0.sequence > 1 && movements.count == request.limit ? "\($0.sequence)" : nil
        }
        return ListPage(items: entries, next: next)
    }

    private func wallet(of person: PersonID, in tx: Transaction) throws -> Wallet {
        // Throws if the wallet isn't open.
        let balance = try walletAccounts.ledger.balance(of: CarrepsaLedgerAccounts.wallet(person), in: tx)
        return Wallet(
            balance: balance, payable: try walletAccounts.payable(of: person, in: tx),
            held: try PackageStore.held(of: person, in: tx), currency: walletAccounts.currency
        )
    }

    private func unfinished(
        _ listing: PackageListing, of person: PersonID, now: Instant, in tx: Transaction
    ) throws -> [Package] {
        try details.packages(
            listing, of: person, past: false, limit: Limits.pageSizeMaximum, now: now, in: tx)
    }
}

extension PageRequest<Int64> {
    /// Creates a request whose cursor is the number of a wallet entry.
    init(afterEntry text: String?, limit: Int) throws {
        try self.init(after: text, limit: limit) { text in Int64(text).flatMap { $0 > 0 ? $0 : nil } }
    }
}
