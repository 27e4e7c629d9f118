import Kernel
import Storage

/// A row of `ledger_posting`.
struct PostingRow {
    let account: String
    let sequence: Int64
    let transfer: String
    let amount: Int64
    let balanceAfter: Int64

    static let columns: SQL = "account, sequence, transfer, amount, balance_after"

    var name: String { "\(account)/\(sequence)" }

    init(_ row: Row) throws {
        account = try row.get("account")
        sequence = try row.get("sequence")
        transfer = try row.get("transfer")
        amount = try row.get("amount")
        balanceAfter = try row.get("balance_after")
    }
}

/// Iterates over all postings by account and sequence. Loads one page of postings with their transfers at a time.
struct PostingPageReader {
    enum Known {
        case missing, damaged
        case legs([RecordedPosting])
    }

    let tx: Transaction
    let key: LedgerKey
    let cancellation: CancellationFlag
    private var page: [PostingRow] = []
    private var position = 0
    private var transfers: [String: Known] = [:]
    private var last: PostingRow?
    private var isAtEnd = false

    init(tx: Transaction, key: LedgerKey, cancellation: CancellationFlag) {
        self.tx = tx
        self.key = key
        self.cancellation = cancellation
    }

    mutating func peek() throws -> PostingRow? {
        if position == page.count, !isAtEnd { try turn() }
        return position < page.count ? page[position] : nil
    }

    mutating func next() throws -> PostingRow? {
        guard let row = try peek() else { return nil }
        position += 1
        return row
    }

    /// Returns the transfer of a posting on the current page.
    func transfer(_ id: String) throws -> Known { transfers[id] ?? .missing }

    private mutating func turn() throws {
        try cancellation.check()
        let after: SQL = last.map { "WHERE (account, sequence) > (\($0.account), \($0.sequence))" } ?? ""
        page = try tx.rows(
            """
            SELECT \(sql: PostingRow.columns) FROM ledger_posting \(sql: after)
            ORDER BY account, sequence LIMIT \(Limits.ledgerVerifyPage)
            """
        ).map(PostingRow.init)
        position = 0
        isAtEnd = page.count < Limits.ledgerVerifyPage
        last = page.last
        try readTransfers()
    }

    private mutating func readTransfers() throws {
        transfers.removeAll(keepingCapacity: true)
        var ids = Array(Set(page.map(\.transfer)))
        guard let filler = ids.first else { return }
        // A constant number of ids, so that the statement's text stays the same.
        ids += repeatElement(filler, count: Limits.ledgerVerifyPage - ids.count)
        let rows = try tx.rows("SELECT \(sql: TransferRow.columns) FROM ledger_transfer WHERE id IN \(list: ids)")
        for row in try rows.map(TransferRow.init) {
            let isIntact = key.isDigest(row.digest, of: row.image())
            transfers[row.id] = (isIntact ? PostingsText.read(row.legs) : nil).map(Known.legs) ?? .damaged
        }
    }
}
