import Kernel
import Storage

extension LedgerVerification {
    /// Verifies the transfers that aren't in a batch; only their digests protect them.
    mutating func checkUnsealed() throws {
        try eachTransfer("batch IS NULL") { proof, row in
            proof.result.unsealed += 1
            proof.check(row)
        }
    }

    /// Finds transfers assigned to a batch that doesn't exist; reports one transfer per such batch.
    mutating func checkUnknownBatches() throws {
        let isStray: SQL = """
            batch IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM ledger_batch WHERE ledger_batch.number = ledger_transfer.batch)
            """
        try eachTransfer(isStray) { proof, row in proof.check(row) }
        let batches = try tx.rows(
            """
            SELECT batch, MIN(id) AS id FROM ledger_transfer WHERE \(sql: isStray)
            GROUP BY batch ORDER BY batch LIMIT \(Limits.ledgerFindings)
            """
        )
        for row in batches {
            let number: Int64 = try row.get("batch")
            find(Self.transferTable, try row.get("id"), "its batch \(number) isn't there", column: "batch")
        }
    }

    /// Calls `body` for each transfer that matches `condition`, in the order of their ids.
    mutating func eachTransfer(
        _ condition: SQL, _ body: (inout LedgerVerification, TransferRow) throws -> Void
    ) throws {
        var last = ""
        while true {
            try cancellation.check()
            let page = try tx.rows(
                """
                SELECT \(sql: TransferRow.columns) FROM ledger_transfer WHERE \(sql: condition) AND id > \(last)
                ORDER BY id LIMIT \(Limits.ledgerVerifyPage)
                """
            ).map(TransferRow.init)
            for row in page {
                try body(&self, row)
                last = row.id
            }
            if page.count < Limits.ledgerVerifyPage { return }
        }
    }

    /// Verifies a transfer's digest, format and sum.
    mutating func check(_ row: TransferRow) {
        result.transfers += 1
        let isIntact = checkDigest(row.digest, table: Self.transferTable, row: row.id) { tracking in
            row.image(trackingColumns: tracking)
        }
        guard isIntact else { return }
        guard let legs = PostingsText.read(row.legs), legs.count >= 2 else {
            find(Self.transferTable, row.id, "its legs can't be read", column: "legs")
            return
        }
        legCount += legs.count
        if legs.reduce(Int128(0), { $0 + Int128($1.amount) }) != 0 {
            find(Self.transferTable, row.id, "its legs don't add up to zero", column: "legs")
        }
    }

    /// Reports transfers' postings that are missing in `ledger_posting`. Does nothing when the counts match.
    mutating func checkPostingsAreAllThere() throws {
        guard legCount != fittingPostings else { return }
        try eachTransfer("legs <> ''") { proof, row in
            guard proof.result.findings.count < Limits.ledgerFindings, !proof.isNamed(Self.transferTable, row.id),
                let legs = PostingsText.read(row.legs)
            else { return }
            for leg in legs {
                let there = try proof.tx.row(
                    """
                    SELECT transfer FROM ledger_posting
                    WHERE account = \(leg.account.text) AND sequence = \(leg.sequence)
                    """
                )
                guard there == nil else { continue }
                proof.find(
                    Self.postingTable, "\(leg.account.text)/\(leg.sequence)",
                    "the row is missing; transfer \(row.id) has it"
                )
            }
        }
    }
}
