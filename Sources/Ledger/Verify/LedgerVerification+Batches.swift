import Crypto
import Kernel
import Storage

extension LedgerVerification {
    private static let batchPage = 16
    static let transferTable = "ledger_transfer"
    static let batchTable = "ledger_batch"

    /// Verifies the chain of batches and their transfers.
    mutating func checkBatches() throws {
        var last = Int64.min
        while true {
            try cancellation.check()
            let page = try tx.rows(
                """
                SELECT \(sql: BatchRow.columns) FROM ledger_batch WHERE number > \(last)
                ORDER BY number LIMIT \(Self.batchPage)
                """
            ).map(BatchRow.init)
            for batch in page {
                try check(batch)
                last = batch.number
            }
            if page.count < Self.batchPage { return }
        }
    }

    private mutating func check(_ batch: BatchRow) throws {
        result.batches += 1
        let present = try checkMembers(of: batch)
        if key.isSignature(batch.signature, of: batch.image.bytes) {
            checkChain(batch)
            try compareMembers(of: batch, present)
        } else {
            let place = place(ofDamageTo: batch, present)
            find(
                Self.batchTable, "\(batch.number)", "the row doesn't fit its signature", column: place?.column,
                firstByte: place?.firstByte
            )
        }
        head = batch.head
    }

    private mutating func checkChain(_ batch: BatchRow) {
        if batch.number != head.number + 1 {
            find(Self.batchTable, "\(head.number + 1)", "the row is missing")
        } else if batch.previous != head.digest, !isNamed(Self.batchTable, "\(head.number)") {
            find(
                Self.batchTable, "\(batch.number)", "it doesn't follow the batch before it", column: "previous",
                firstByte: DamageLocator.firstByte(batch.previous, head.digest)
            )
        }
    }

    /// Verifies each transfer assigned to the batch and returns their ids and digests.
    private mutating func checkMembers(of batch: BatchRow) throws -> [Member] {
        var members: [Member] = []
        try eachTransfer("batch = \(batch.number)") { proof, row in
            proof.check(row)
            // A batch can't hold more; don't collect them.
            if members.count <= Limits.ledgerBatch { members.append(Member(id: row.id, digest: row.digest)) }
        }
        return members
    }

    private struct Member {
        let id: String
        let digest: [UInt8]
    }

    private mutating func compareMembers(of batch: BatchRow, _ present: [Member]) throws {
        let expected = batch.members.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let names = Set(expected)
        for member in present where !names.contains(member.id) {
            find(Self.transferTable, member.id, "batch \(batch.number) doesn't hold it", column: "batch")
        }
        let presentNames = Set(present.map(\.id))
        for id in expected where !presentNames.contains(id) {
            guard let row = try tx.row("SELECT batch FROM ledger_transfer WHERE id = \(id)") else {
                find(Self.transferTable, id, "the row is missing; batch \(batch.number) holds it")
                continue
            }
            let number: Int64? = try row.get("batch")
            find(
                Self.transferTable, id, "batch \(batch.number) holds it", column: "batch",
                firstByte: number.flatMap { DamageLocator.firstByte($0, batch.number) }
            )
        }
        guard names == presentNames, LedgerSealer.digest(present.map(\.digest)) != batch.digest,
            !present.contains(where: { isNamed(Self.transferTable, $0.id) })
        else { return }
        find(Self.batchTable, "\(batch.number)", "its transfers aren't the ones that were sealed", column: "digest")
    }

    /// Returns the damaged column of a batch, derived from the other columns, the transfers and the signature.
    private func place(ofDamageTo batch: BatchRow, _ present: [Member]) -> DamageLocator.Place? {
        var right = batch
        right.number = head.number + 1
        right.previous = head.digest
        right.members = present.map(\.id).joined(separator: "\n")
        right.digest = LedgerSealer.digest(present.map(\.digest))
        right.count = Int64(present.count)
        func place(_ column: String, _ byte: Int?) -> DamageLocator.Place? {
            byte.map { DamageLocator.Place(column: column, firstByte: $0) }
        }
        if key.isSignature(right.signature, of: right.image.bytes) {
            return place("number", DamageLocator.firstByte(batch.number, right.number))
                ?? place("previous", DamageLocator.firstByte(batch.previous, right.previous))
                ?? place("members", DamageLocator.firstByte(batch.members.utf8, right.members.utf8))
                ?? place("digest", DamageLocator.firstByte(batch.digest, right.digest))
                ?? place("count", DamageLocator.firstByte(batch.count, right.count))
        }
        // Ed25519 signatures are deterministic, so a recomputed one can be compared.
        if let signature = try? key.sign(batch.image.bytes) {
            let different = zip(signature, batch.signature).filter { $0 != $1 }.count
            if different <= 8 { return place("signature", DamageLocator.firstByte(batch.signature, signature)) }
        }
        return changedNumber(batch)
    }

    /// Tries all values of each single byte of the two numbers that no other data determines.
    private func changedNumber(_ batch: BatchRow) -> DamageLocator.Place? {
        let numbers: [(String, WritableKeyPath<BatchRow, Int64>)] = [("sealed_at", \.sealedAt), ("number", \.number)]
        for (column, path) in numbers {
            var candidate = batch
            for byte in 0..<8 {
                for value in UInt64(1)...255 {
                    candidate[keyPath: path] = batch[keyPath: path] ^ Int64(bitPattern: value << UInt64((7 - byte) * 8))
                    if key.isSignature(batch.signature, of: candidate.image.bytes) {
                        return DamageLocator.Place(column: column, firstByte: byte)
                    }
                }
            }
        }
        return nil
    }
}
