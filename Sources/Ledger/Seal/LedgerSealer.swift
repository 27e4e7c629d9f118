import Crypto
package import Kernel
package import Logging
package import Storage

/// The result of sealing a batch.
package struct SealedBatch: Sendable, Hashable {
    /// The number in the chain: 1, 2, 3 …
    package let number: Int64
    /// The number of transfers.
    package let count: Int
    package let sealedAt: Instant
}

/// Thrown instead of sealing when the ledger was tampered with or the database was exchanged, because sealing would
/// hide it. `homeward verify` shows details.
package enum LedgerSealError: Error, Hashable, Sendable {
    /// The batch in the head file is missing in the database or differs from it.
    case headContradicts(batch: Int64)
    /// The signature of the newest batch is invalid.
    case damagedBatch(Int64)
    /// The head file has an invalid format.
    case malformedHead
    /// Another process held the file's lock too long.
    case busy
}

/// Seals transfers into signed batches, each chained to the previous one, and stores the chain's head outside the
/// database. Several nodes may seal; a lock serializes them.
package final class LedgerSealer: Sendable {
    private let database: Database
    private let key: LedgerKey
    private let anchor: LedgerHeadFile
    private let clock: any WallClock
    private let logger: Logger

    /// - Parameter anchorFile: the file with the chain's head, beside the key's file.
    package init(database: Database, ledger: Ledger, anchorFile: String, clock: any WallClock, logger: Logger) {
        self.database = database
        key = ledger.key
        anchor = LedgerHeadFile(path: anchorFile)
        self.clock = clock
        self.logger = logger
    }

    /// Seals one batch of at most ``Limits/ledgerBatch`` transfers.
    /// - Returns: the batch; `nil` when all transfers are sealed.
    /// - Throws: ``LedgerSealError``, or the error of the database or the file system.
    package func seal() async throws -> SealedBatch? {
        try await whileLocked {
            let known = try await storedHead()
            let now = clock.now
            let (head, batch) = try await database.write { [key] tx in
                try Self.seal(known, now: now, key: key, in: tx)
            }
            if head != known { try anchor.write(head) }
            return batch
        }
    }

    /// Seals all transfers that are unsealed when it starts.
    /// - Returns: the number of sealed transfers.
    /// - Throws: the errors of ``seal()``.
    @discardableResult
    package func sealAll() async throws -> Int {
        var count = 0
        while let batch = try await seal() {
            count += batch.count
            // A partial batch is the last one.
            if batch.count < Limits.ledgerBatch { break }
        }
        return count
    }

    /// Replaces the database's content and stores its head, while no sealer runs.
    /// - Parameter restore: writes the new content, which the sealer trusts from then on.
    /// - Throws: the error of `restore`, before the head is stored; the errors of ``seal()``.
    package func restoreContents<T: Sendable>(_ restore: () async throws -> T) async throws -> T {
        try await whileLocked {
            let result = try await restore()
            try anchor.write(try await databaseHead())
            return result
        }
    }

    private func whileLocked<T>(_ body: () async throws -> T) async throws -> T {
        do {
            return try await anchor.whileLocked(body)
        } catch LedgerHeadFile.Failure.busy {
            throw LedgerSealError.busy
        }
    }

    /// Returns the head in the file. Creates the file before the first batch, so a missing file is always suspicious.
    private func storedHead() async throws -> LedgerHead {
        do {
            if let known = try anchor.read() { return known }
        } catch is LedgerHeadFile.Failure {
            throw LedgerSealError.malformedHead
        }
        let head = try await databaseHead()
        if head != .none {
            logger.warning("The ledger's head was not remembered", metadata: ["batch": "\(head.number)"])
        }
        try anchor.write(head)
        return head
    }

    private func databaseHead() async throws -> LedgerHead {
        try await database.write { tx in
            guard let newest = try BatchStore.newest(in: tx) else { return .none }
            try BatchStore.confirm(newest.number, in: tx)
            return newest.head
        }
    }

    private static func seal(
        _ known: LedgerHead, now: Instant, key: LedgerKey, in tx: Transaction
    ) throws -> (head: LedgerHead, batch: SealedBatch?) {
        try BatchStore.lock(in: tx)
        let newest = try BatchStore.newest(in: tx)
        if known != .none {
            let remembered = try known.number == newest?.number ? newest : BatchStore.find(known.number, in: tx)
            guard remembered?.head == known else { throw LedgerSealError.headContradicts(batch: known.number) }
        }
        if let newest, !key.isSignature(newest.signature, of: newest.image.bytes) {
            throw LedgerSealError.damagedBatch(newest.number)
        }
        let last = newest?.head ?? .none
        let members = try BatchStore.claim(last.number + 1, in: tx)
        guard !members.isEmpty else {
            if last != known { try BatchStore.confirm(last.number, in: tx) }
            return (last, nil)
        }
        var batch = BatchRow(
            number: last.number + 1, previous: last.digest, members: members.map(\.id).joined(separator: "\n"),
            digest: digest(members.map(\.digest)), count: Int64(members.count), sealedAt: now.millisecondsSince1970
        )
        batch.signature = try key.sign(batch.image.bytes)
        try BatchStore.insert(batch, in: tx)
        return (batch.head, SealedBatch(number: batch.number, count: members.count, sealedAt: now))
    }

    static func digest(_ digests: [[UInt8]]) -> [UInt8] {
        var hash = SHA256()
        for digest in digests { hash.update(data: digest) }
        return Array(hash.finalize())
    }
}
