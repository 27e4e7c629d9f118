import Kernel
import Storage

extension LedgerProof {
    static let accountTable = "ledger_account"
    static let postingTable = "ledger_posting"

    /// Walks accounts and postings side by side, both by account, and replays each account's movements.
    mutating func checkAccounts() throws {
        var postings = PostingPages(tx: tx, key: key)
        var last = ""
        while true {
            let page = try tx.rows(
                """
                SELECT \(sql: AccountRow.columns) FROM ledger_account WHERE id > \(last)
                ORDER BY id LIMIT \(Limits.ledgerVerifyPage)
                """
            ).map(AccountRow.init)
            for account in page {
                try check(account, &postings)
                last = account.id
            }
            if page.count < Limits.ledgerVerifyPage { break }
        }
        while let posting = try postings.next() { nameOrphan(posting) }
    }

    private mutating func nameOrphan(_ posting: PostingRow) {
        report.movements += 1
        find(Self.postingTable, posting.name, "its account isn't there", column: "account")
    }

    private mutating func check(_ account: AccountRow, _ postings: inout PostingPages) throws {
        report.accounts += 1
        report.sums[account.unit, default: 0] += Int128(account.balance)
        let isIntact = checkDigest(account.digest, table: Self.accountTable, row: account.id) { tracking in
            account.image(trackingColumns: tracking)
        }
        var replay = Replay()
        while let posting = try postings.peek(), !account.id.precedesInBytes(posting.account) {
            _ = try postings.next()
            if posting.account != account.id {
                nameOrphan(posting)
            } else {
                report.movements += 1
                check(posting, of: account, &replay, try postings.transfer(posting.transfer))
            }
        }
        if isIntact, !replay.isLost { compare(account, replay) }
    }

    /// Where the replay of an account stands.
    private struct Replay {
        var sequence: Int64 = 0
        var balance: Int64 = 0
        /// Whether the last posting is damaged, so that the next one's place can't be told from it.
        var isLost = false
    }

    private mutating func check(
        _ posting: PostingRow, of account: AccountRow, _ replay: inout Replay, _ transfer: PostingPages.Known
    ) {
        if let misfit = misfit(posting, transfer) {
            find(
                Self.postingTable, posting.name, misfit.reason, column: misfit.column, firstByte: misfit.firstByte
            )
            replay.isLost = true
            return
        }
        defer { replay = Replay(sequence: posting.sequence, balance: posting.balanceAfter) }
        if posting.balanceAfter < 0, posting.amount < 0, !account.mayOverdraw,
            !isNamed(Self.accountTable, account.id)
        {
            find(Self.postingTable, posting.name, "the account may not be below zero", column: "balance_after")
        }
        guard !replay.isLost else { return }
        if posting.sequence != replay.sequence + 1 {
            find(Self.postingTable, "\(account.id)/\(replay.sequence + 1)", "the row is missing")
        } else if posting.balanceAfter != replay.balance &+ posting.amount {
            find(
                Self.postingTable, posting.name, "the balance before it and its amount don't lead to its balance",
                column: "balance_after",
                firstByte: DamageLocator.firstByte(posting.balanceAfter, replay.balance &+ posting.amount)
            )
        }
    }

    private struct Misfit {
        let reason: String
        let column: String
        var firstByte: Int?
    }

    /// What of a posting doesn't fit the leg of its transfer.
    private mutating func misfit(_ posting: PostingRow, _ transfer: PostingPages.Known) -> Misfit? {
        switch transfer {
        case .missing: return Misfit(reason: "its transfer isn't there", column: "transfer")
        // Named already; what it says about its postings can't be believed.
        case .damaged: return nil
        case .legs(let legs):
            guard let leg = legs.first(where: { $0.account.text == posting.account }) else {
                let place = legs.first { $0.sequence == posting.sequence && $0.amount == posting.amount }
                return Misfit(
                    reason: "its transfer has no such leg", column: place == nil ? "transfer" : "account",
                    firstByte: place.flatMap { DamageLocator.firstByte(posting.account.utf8, $0.account.text.utf8) }
                )
            }
            let reason = "it isn't what its transfer says"
            if let byte = DamageLocator.firstByte(posting.sequence, leg.sequence) {
                // Neither number fits: it is another transfer's.
                let isElsewhere = posting.amount != leg.amount || posting.balanceAfter != leg.balanceAfter
                return isElsewhere
                    ? Misfit(reason: reason, column: "transfer")
                    : Misfit(reason: reason, column: "sequence", firstByte: byte)
            }
            if let byte = DamageLocator.firstByte(posting.amount, leg.amount) {
                return Misfit(reason: reason, column: "amount", firstByte: byte)
            }
            if let byte = DamageLocator.firstByte(posting.balanceAfter, leg.balanceAfter) {
                return Misfit(reason: reason, column: "balance_after", firstByte: byte)
            }
            fittingPostings += 1
            return nil
        }
    }

    /// The account's own row against its movements.
    private mutating func compare(_ account: AccountRow, _ replay: Replay) {
        if account.movements > replay.sequence {
            find(Self.postingTable, "\(account.id)/\(replay.sequence + 1)", "the row is missing")
        } else if account.movements < replay.sequence {
            find(
                Self.accountTable, account.id, "the row is older than its movements", column: "movements",
                firstByte: DamageLocator.firstByte(account.movements, replay.sequence)
            )
        } else if account.balance != replay.balance {
            find(
                Self.accountTable, account.id, "its movements lead to another balance", column: "balance",
                firstByte: DamageLocator.firstByte(account.balance, replay.balance)
            )
        }
    }
}
