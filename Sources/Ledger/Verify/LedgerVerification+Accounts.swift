import Kernel
import Storage

extension LedgerVerification {
    static let accountTable = "ledger_account"
    static let postingTable = "ledger_posting"

    /// Reads accounts and postings in parallel, both in account order, and replays the postings of each account.
    mutating func checkAccounts() throws {
        var postings = PostingPageReader(tx: tx, key: key, cancellation: cancellation)
        var last = ""
        while true {
            try cancellation.check()
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
        while let posting = try postings.next() { reportOrphan(posting) }
    }

    private mutating func reportOrphan(_ posting: PostingRow) {
        result.movements += 1
        find(Self.postingTable, posting.name, "its account isn't there", column: "account")
    }

    private mutating func check(_ account: AccountRow, _ postings: inout PostingPageReader) throws {
        result.accounts += 1
        result.sums[account.unit, default: 0] += Int128(account.balance)
        let isIntact = checkDigest(account.digest, table: Self.accountTable, row: account.id) { tracking in
            account.image(trackingColumns: tracking)
        }
        var replay = Replay()
        while let posting = try postings.peek(), !account.id.precedesInBytes(posting.account) {
            _ = try postings.next()
            if posting.account != account.id {
                reportOrphan(posting)
            } else {
                result.movements += 1
                check(posting, of: account, &replay, try postings.transfer(posting.transfer))
            }
        }
        if isIntact, !replay.isLost { compare(account, replay) }
    }

    /// The state of an account's replay.
    private struct Replay {
        var sequence: Int64 = 0
        var balance: Int64 = 0
        /// Whether the last posting is damaged, so that the next one's sequence and balance can't be checked against
        /// it.
        var isLost = false
    }

    private mutating func check(
        _ posting: PostingRow, of account: AccountRow, _ replay: inout Replay, _ transfer: PostingPageReader.Known
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

    private struct VerificationMismatch {
        let reason: String
        let column: String
        var firstByte: Int?
    }

    /// Returns the difference between a posting and its transfer's record of it; `nil` without one.
    private mutating func misfit(_ posting: PostingRow, _ transfer: PostingPageReader.Known) -> VerificationMismatch? {
        switch transfer {
        case .missing: return VerificationMismatch(reason: "its transfer isn't there", column: "transfer")
        // Already reported; a damaged transfer says nothing reliable about its postings.
        case .damaged: return nil
        case .legs(let legs):
            guard let leg = legs.first(where: { $0.account.text == posting.account }) else {
                let place = legs.first { $0.sequence == posting.sequence && $0.amount == posting.amount }
                return VerificationMismatch(
                    reason: "its transfer has no such leg", column: place == nil ? "transfer" : "account",
                    firstByte: place.flatMap { DamageLocator.firstByte(posting.account.utf8, $0.account.text.utf8) }
                )
            }
            let reason = "it isn't what its transfer says"
            if let byte = DamageLocator.firstByte(posting.sequence, leg.sequence) {
                // Neither amount nor balance matches: the posting belongs to another transfer.
                let isElsewhere = posting.amount != leg.amount || posting.balanceAfter != leg.balanceAfter
                return isElsewhere
                    ? VerificationMismatch(reason: reason, column: "transfer")
                    : VerificationMismatch(reason: reason, column: "sequence", firstByte: byte)
            }
            if let byte = DamageLocator.firstByte(posting.amount, leg.amount) {
                return VerificationMismatch(reason: reason, column: "amount", firstByte: byte)
            }
            if let byte = DamageLocator.firstByte(posting.balanceAfter, leg.balanceAfter) {
                return VerificationMismatch(reason: reason, column: "balance_after", firstByte: byte)
            }
            fittingPostings += 1
            return nil
        }
    }

    /// Compares the account's row with the result of its replay.
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
