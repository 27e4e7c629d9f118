import Crypto
package import Kernel
package import Logging
package import Storage

/// A batch that was sealed.
package struct SealedBatch: Sendable, Hashable {
    /// Its place in the chain: 1, 2, 3 …
    package let number: Int64
    /// How many transfers are in it.
    package let count: Int
    /// When it was sealed.
    package let sealedAt: Instant
}

/// Why nothing is sealed: the ledger was tampered with, or another store was put in its place. `homeward verify` says
/// more. Sealing over it would hide it.
package enum LedgerSealError: Error, Hashable, Sendable {
    /// The batch that the file beside the key remembers isn't in the database, or is another one there.
    case headContradicts(batch: Int64)
    /// The newest batch has no valid signature.
    case damagedBatch(Int64)
    /// The file beside the key isn't one of ours.
    case malformedHead
    /// Another process holds the file for too long.
    case busy
}

/// Puts transfers into signed batches, each chained to the one before, and remembers the chain's end outside the
/// database. Several nodes may seal; they take turns.
package final class LedgerSealer: Sendable {
    private let database: Database
    private let key: LedgerKey
    private let anchor: LedgerAnchor
    private let clock: any WallClock
    private let logger: Logger

    /// Makes a sealer.
    /// - Parameter anchorFile: the file that remembers the chain's end, beside the key's.
    package init(database: Database, ledger: Ledger, anchorFile: String, clock: any WallClock, logger: Logger) {
        self.database = database
        key = ledger.key
        anchor = LedgerAnchor(path: anchorFile)
        self.clock = clock
        self.logger = logger
    }

    /// Seals one batch of at most ``Limits/ledgerBatch`` transfers.
    /// - Returns: the batch; `nil` when there was nothing to seal.
    /// - Throws: ``LedgerSealError``; what the store or the file system says.
    package func seal() async throws -> SealedBatch? {
        try await whileLocked {
            let known = try await rememberedHead()
            let now = clock.now
            let (head, batch) = try await database.write { [key] tx in
                try Self.seal(known, now: now, key: key, in: tx)
            }
            if head != known { try anchor.write(head) }
            return batch
        }
    }

    /// Seals until nothing is left that was there when it began.
    /// - Returns: how many transfers were sealed.
    /// - Throws: as ``seal()``.
    @discardableResult
    package func sealAll() async throws -> Int {
        var count = 0
        while let batch = try await seal() {
            count += batch.count
            // Fewer than a whole batch: that was all.
            if batch.count < Limits.ledgerBatch { break }
        }
        return count
    }

    /// Replaces the store's content, and remembers the chain's end anew; nobody seals meanwhile.
    /// - Parameter restore: puts the other content in its place, which is trusted from then on.
    /// - Throws: what `restore` throws, with nothing else done; as ``seal()``.
    package func whileReplacing<T: Sendable>(_ restore: () async throws -> T) async throws -> T {
        try await whileLocked {
            let result = try await restore()
            try anchor.write(try await presentHead())
            return result
        }
    }

    private func whileLocked<T>(_ body: () async throws -> T) async throws -> T {
        do {
            return try await anchor.whileLocked(body)
        } catch LedgerAnchor.Failure.busy {
            throw LedgerSealError.busy
        }
    }

    /// The file is there before the first batch is, so that a missing file always means something.
    private func rememberedHead() async throws -> LedgerHead {
        do {
            if let known = try anchor.read() { return known }
        } catch is LedgerAnchor.Failure {
            throw LedgerSealError.malformedHead
        }
        let head = try await presentHead()
        if head != .none {
            logger.warning("The ledger's head was not remembered", metadata: ["batch": "\(head.number)"])
        }
        try anchor.write(head)
        return head
    }

    private func presentHead() async throws -> LedgerHead {
        try await database.read { tx in try BatchStore.newest(in: tx)?.head ?? .none }
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
        guard !members.isEmpty else { return (last, nil) }
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
