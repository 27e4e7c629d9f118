import Crypto
import Foundation
import Kernel

/// The head of the batch chain: the newest batch's number and the digest of its signed content.
struct LedgerHead: Sendable, Hashable {
    let number: Int64
    let digest: [UInt8]

    static let none = LedgerHead(number: 0, digest: [UInt8](repeating: 0, count: 32))
}

/// The file outside the database with the chain's head. It reveals a truncation of the last batches.
struct LedgerHeadFile: Sendable {
    enum Failure: Error, Equatable {
        case malformed
        case busy
    }

    private static let title = "homeward ledger head"
    private static let byteLimit = 200
    private static let pause = Duration.milliseconds(20)

    let path: String

    /// Returns the stored head, ``LedgerHead/none`` before the first batch and `nil` if the file doesn't exist.
    func read() throws -> LedgerHead? {
        guard let bytes = try DurableFile(path).read(limit: Self.byteLimit) else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 4, lines[0] == Self.title, lines[3].isEmpty, let number = Int64(lines[1]), number >= 0,
            let digest = Hexadecimal.decoded(lines[2]), digest.count == SHA256.byteCount
        else { throw Failure.malformed }
        return LedgerHead(number: number, digest: digest)
    }

    /// Writes the head. Call it only inside ``whileLocked(_:)``.
    func write(_ head: LedgerHead) throws {
        let text = "\(Self.title)\n\(head.number)\n\(Hexadecimal.encoded(head.digest))\n"
        let draft = "\(path).new"
        // A killed process may have left a draft. The lock excludes concurrent writers.
        unlink(draft)
        try DurableFile(path).replace(Array(text.utf8), draft: draft)
    }

    /// Runs `body` while holding the file's lock, which excludes other processes with this data folder.
    func whileLocked<T>(_ body: () async throws -> T) async throws -> T {
        let descriptor = open("\(path).lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw DurableFile.Failure("lock") }
        // Closing the descriptor releases the lock.
        defer { close(descriptor) }
        let start = ContinuousClock.now
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw DurableFile.Failure("lock") }
            guard start.duration(to: .now) < .seconds(Limits.ledgerAnchorSeconds) else { throw Failure.busy }
            try await Task.sleep(for: Self.pause)
        }
        return try await body()
    }
}
