package import Kernel
package import Storage

/// A double-entry ledger: the postings of each transfer add up to zero, so money and points are neither created nor
/// lost. Accounts and transfers don't depend on the apps that use them. All functions run inside the caller's
/// transaction.
package struct Ledger: Sendable {
    let key: LedgerKey

    /// - Parameter key: the key that authenticates the ledger's rows.
    package init(key: LedgerKey) { self.key = key }

    /// Opens an account with a balance of 0. Does nothing if the account is open.
    /// - Parameters:
    ///   - unit: the unit of the balance, 1 to 20 letters: `EUR`, `points`. A transfer can't mix units.
    ///   - mayOverdraw: whether the balance may be negative, as for accounts that represent the outside world.
    /// - Throws: ``LedgerError/malformed(_:)``. ``LedgerError/unitMismatch`` and ``LedgerError/accountConflict(_:)``
    ///   may be thrown by a later statement or by the commit, as ``Transaction/rowsLater(_:_:use:)`` does.
    package func open(
        _ account: LedgerAccountKey, unit: String, mayOverdraw: Bool = false, now: Instant, in tx: Transaction
    ) throws {
        guard account.isWellFormed else { throw LedgerError.malformed("account") }
        guard TransferRule.isUnit(unit) else { throw LedgerError.malformed("unit") }
        let row = AccountRow(
            id: account.text, unit: unit, overdraft: mayOverdraw ? 1 : 0, balance: 0, movements: 0,
            openedAt: now.millisecondsSince1970, digest: []
        )
        try LedgerAccountStore.insert(row, digest: key.digest(row.image()), in: tx) { [unowned tx] in
            guard let there = try LedgerAccountStore.find(account, in: tx) else {
                throw LedgerError.unknownAccount(account)
            }
            guard there.unit == unit else { throw LedgerError.unitMismatch }
            guard there.mayOverdraw == mayOverdraw else { throw LedgerError.accountConflict(account) }
        }
    }

    /// Whether the account is open.
    package func exists(_ account: LedgerAccountKey, in tx: Transaction) throws -> Bool {
        try LedgerAccountStore.find(account, in: tx) != nil
    }

    /// The balance in the unit's smallest parts. Reads one row.
    /// - Throws: ``LedgerError/unknownAccount(_:)``.
    package func balance(of account: LedgerAccountKey, in tx: Transaction) throws -> Int64 {
        guard let row = try LedgerAccountStore.find(account, in: tx) else { throw LedgerError.unknownAccount(account) }
        return row.balance
    }

    /// Returns the balances of several accounts with one query; omits accounts that aren't open.
    package func balances(
        of accounts: [LedgerAccountKey], in tx: Transaction
    ) throws -> [LedgerAccountKey: Int64] {
        guard !accounts.isEmpty else { return [:] }
        let rows = try tx.rows("SELECT id, balance FROM ledger_account WHERE id IN \(list: accounts)")
        return try rows.reduce(into: [:]) { $0[try $1.get("id")] = try $1.get("balance") }
    }

    /// Locks the accounts until the transaction ends. Call it before you read a balance to decide on; ``post(_:in:)``
    /// locks its accounts. Ignores accounts that aren't open.
    package func lock(_ accounts: [LedgerAccountKey], in tx: Transaction) throws {
        guard tx.dialect == .postgres, !accounts.isEmpty else { return }
        _ = try tx.rows(
            "SELECT id FROM ledger_account WHERE id IN \(list: accounts) ORDER BY id \(sql: tx.forUpdate)"
        )
    }

    /// Posts a transfer once. Posting the same id again changes nothing and returns the first result, whatever the
    /// instant.
    /// - Throws: ``LedgerError``, with nothing changed.
    @discardableResult
    package func post(_ transfer: Transfer, in tx: Transaction) throws -> PostedTransfer {
        let legs = try TransferRule.check(transfer)
        let posted: [RecordedPosting]
        let accounts: [AccountRow]
        do {
            let locked = try LedgerAccountStore.lockAll(legs, of: transfer.id, key: key, in: tx)
            if locked.isPosted, let replay = try replay(of: transfer, legs: legs, in: tx) { return replay }
            accounts = locked.accounts
            if let reversed = transfer.reverses { try checkReversal(legs, of: reversed, in: tx) }
            posted = try Self.postings(legs, on: accounts)
        } catch let error as LedgerError {
            // Checked only after a failure, which saves the query for first transfers.
            guard let replay = try replay(of: transfer, legs: legs, in: tx) else { throw error }
            return replay
        }
        guard try TransferStore.insert(transfer, posted, accounts, key: key, in: tx) else {
            guard let replay = try replay(of: transfer, legs: legs, in: tx) else {
                throw LedgerError.transferConflict(transfer.id)
            }
            return replay
        }
        return PostedTransfer(id: transfer.id, isReplay: false, legs: posted)
    }

    /// Reverses a transfer in full with a new transfer of the opposite amounts and the same subject.
    /// - Throws: ``LedgerError``: ``LedgerError/unknownTransfer(_:)``, ``LedgerError/alreadyReversed(_:)``,
    /// ``LedgerError/insufficientFunds(_:)`` when a recipient already spent the amount, and those of ``post(_:in:)``.
    @discardableResult
    package func reverse(
        _ id: ID<Transfer>, as newID: ID<Transfer>, kind: String, at: Instant, in tx: Transaction
    ) throws -> PostedTransfer {
        let original = try TransferStore.checked(id, key: key, in: tx)
        let legs = original.legs.map { Leg(account: $0.account, amount: 0 &- $0.amount) }
        return try post(
            Transfer(id: newID, kind: kind, subject: original.row.subject, at: at, reverses: id, legs: legs), in: tx
        )
    }

    /// Returns the account's postings, newest first.
    /// - Parameters:
    ///   - sequence: the exclusive upper bound; `nil` starts with the newest.
    ///   - limit: the maximum count, capped at ``Limits/pageSizeMaximum`` + 1.
    package func movements(
        of account: LedgerAccountKey, before sequence: Int64? = nil, limit: Int, in tx: Transaction
    ) throws -> [AccountPosting] {
        try TransferStore.movements(of: account, before: sequence, limit: limit, in: tx)
    }

    /// Returns the transfers about a subject, oldest first, at most ``Limits/ledgerSubjectTransfers``.
    package func transfers(about subject: String, in tx: Transaction) throws -> [Transfer] {
        try TransferStore.transfers(about: subject, in: tx)
    }

    private static func postings(_ legs: [Leg], on accounts: [AccountRow]) throws(LedgerError) -> [RecordedPosting] {
        var posted: [RecordedPosting] = []
        posted.reserveCapacity(legs.count)
        for (leg, account) in zip(legs, accounts) {
            guard account.unit == accounts[0].unit else { throw .unitMismatch }
            posted.append(try TransferRule.posting(leg, on: account))
        }
        return posted
    }

    /// Both transfers have the same accounts, which are locked, so no concurrent reversal is possible.
    private func checkReversal(_ legs: [Leg], of id: ID<Transfer>, in tx: Transaction) throws {
        let original = try TransferStore.checked(id, key: key, in: tx)
        guard TransferRule.isMirror(legs, of: original.legs) else { throw LedgerError.notMirrored(id) }
        guard try tx.row("SELECT id FROM ledger_transfer WHERE reverses = \(id)") == nil else {
            throw LedgerError.alreadyReversed(id)
        }
    }

    private func replay(of transfer: Transfer, legs: [Leg], in tx: Transaction) throws -> PostedTransfer? {
        guard let row = try TransferStore.find(transfer.id, in: tx) else { return nil }
        guard let posted = PostingsText.read(row.legs) else { throw LedgerError.damagedTransfer(transfer.id) }
        let hasSameLegs =
            posted.count == legs.count
            && zip(posted, legs).allSatisfy { $0.account == $1.account && $0.amount == $1.amount }
        let isSame =
            hasSameLegs && row.kind == transfer.kind && row.subject == transfer.subject
            && row.reverses == transfer.reverses?.description
        guard isSame else { throw LedgerError.transferConflict(transfer.id) }
        return PostedTransfer(id: transfer.id, isReplay: true, legs: posted)
    }
}
