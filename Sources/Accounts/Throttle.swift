import Crypto
import Foundation
package import Kernel
package import Storage

/// Counts failures in a sliding window, in the database, so that restarts and other nodes share the counts.
///
/// An attempt is counted *before* its outcome is known, and taken back when it succeeds. So concurrent attempts can't
/// exceed the limit together.
package struct Throttle: Sendable {
    /// Separates the keys of different throttles.
    package let scope: String
    /// The number of failures in the window after which every attempt is refused.
    package let limit: Int
    /// The length of the window.
    package let windowSeconds: Int64
    /// The error message after too many failures.
    package let message: AccountMessage

    package init(scope: String, limit: Int, windowSeconds: Int64, message: AccountMessage = .throttled) {
        self.scope = scope
        self.limit = limit
        self.windowSeconds = windowSeconds
        self.message = message
    }

    /// Counts an attempt of `key`, which may be any text: only its hash is stored. Call ``release`` or ``settle`` with
    /// the outcome afterwards.
    /// - Throws: ``AppError`` `throttled` with the seconds until the next attempt; nothing is counted then.
    package func reserve(_ key: String, now: Instant, in tx: Transaction) throws {
        let stored = storedKey(key)
        // Writing the row first holds its lock until the commit, on PostgreSQL too.
        let row = try tx.row(
            """
            INSERT INTO throttle (key, failures, expires_at)
            VALUES (\(stored), '', \(now.adding(seconds: windowSeconds)))
            ON CONFLICT (key) DO UPDATE SET expires_at = throttle.expires_at RETURNING failures
            """
        )
        var entries = recent(try row?.get("failures") ?? "", now: now)
        try check(entries, now: now)
        entries.append(Entry(at: now.millisecondsSince1970, isOpen: true))
        try write(entries, to: stored, now: now, in: tx)
    }

    /// Counts a known failure.
    /// - Throws: ``AppError`` `throttled` when there are too many already; nothing is counted then.
    package func fail(_ key: String, now: Instant, in tx: Transaction) throws {
        try reserve(key, now: now, in: tx)
        try settle(key, reservedAt: now, now: now, in: tx)
    }

    /// Refuses early, without counting, an attempt that ``reserve(_:now:in:)`` would refuse because of failures.
    /// Attempts without an outcome aren't included: they may still succeed.
    /// - Throws: ``AppError`` `throttled`.
    package func check(_ key: String, now: Instant, in tx: Transaction) throws {
        guard let row = try tx.row("SELECT failures FROM throttle WHERE key = \(storedKey(key))") else { return }
        try check(recent(try row.get("failures"), now: now).filter { !$0.isOpen }, now: now)
    }

    /// Returns how many attempts of `key` count at present.
    package func count(_ key: String, now: Instant, in tx: Transaction) throws -> Int {
        let row = try tx.row("SELECT failures FROM throttle WHERE key = \(storedKey(key))")
        return recent(try row?.get("failures") ?? "", now: now).count
    }

    /// Takes back the attempt that was reserved at `instant`, because it succeeded.
    package func release(_ key: String, reservedAt instant: Instant, now: Instant, in tx: Transaction) throws {
        try changeOpen(key, reservedAt: instant, now: now, in: tx) { entries, index in entries.remove(at: index) }
    }

    /// Records the attempt that was reserved at `instant` as a failure. An attempt without an outcome counts as well.
    package func settle(_ key: String, reservedAt instant: Instant, now: Instant, in tx: Transaction) throws {
        try changeOpen(key, reservedAt: instant, now: now, in: tx) { entries, index in entries[index].isOpen = false }
    }

    /// Deletes all failures of `key`.
    package func reset(_ key: String, in tx: Transaction) throws {
        try tx.execute("DELETE FROM throttle WHERE key = \(storedKey(key))")
    }

    /// Deletes the expired entries of all throttles.
    package static func prune(now: Instant, in tx: Transaction) throws {
        try tx.executeAndWait("DELETE FROM throttle WHERE expires_at <= \(now)")
    }

    private struct Entry {
        let at: Int64
        /// Whether the outcome is still unknown.
        var isOpen: Bool
    }

    private func check(_ entries: [Entry], now: Instant) throws {
        guard entries.count >= limit, let first = entries.suffix(limit).first else { return }
        let free = Instant(millisecondsSince1970: first.at).adding(seconds: windowSeconds)
        let seconds = max(1, Int(free.seconds(since: now).rounded(.up)))
        throw AppError(.throttled, message.text, retryAfterSeconds: seconds)
    }

    private func changeOpen(
        _ key: String, reservedAt instant: Instant, now: Instant, in tx: Transaction,
        change: (inout [Entry], Int) -> Void
    ) throws {
        let stored = storedKey(key)
        guard
            let row = try tx.row("SELECT failures FROM throttle WHERE key = \(stored) \(sql: tx.forUpdate)")
        else { return }
        var entries = recent(try row.get("failures"), now: now)
        guard let index = entries.firstIndex(where: { $0.isOpen && $0.at == instant.millisecondsSince1970 }) else {
            return
        }
        change(&entries, index)
        if entries.isEmpty { try reset(key, in: tx) } else { try write(entries, to: stored, now: now, in: tx) }
    }

    private static let openMark = "?"

    private func recent(_ text: String, now: Instant) -> [Entry] {
        let start = now.adding(seconds: -windowSeconds).millisecondsSince1970
        return text.split(separator: ",").compactMap { item in
            let isOpen = item.hasSuffix(Self.openMark)
            guard let at = Int64(isOpen ? item.dropLast() : item), at > start else { return nil }
            return Entry(at: at, isOpen: isOpen)
        }
    }

    private func write(_ entries: [Entry], to stored: String, now: Instant, in tx: Transaction) throws {
        let text = entries.map { "\($0.at)" + ($0.isOpen ? Self.openMark : "") }.joined(separator: ",")
        let expiry = now.adding(seconds: windowSeconds)
        try tx.execute("UPDATE throttle SET failures = \(text), expires_at = \(expiry) WHERE key = \(stored)")
    }

    private func storedKey(_ key: String) -> String {
        let digest = SHA256.hash(data: Array(key.utf8))
        return "\(scope):" + Data(digest).base64EncodedString()
    }
}

/// The client's network by which failures are counted: an IPv4 address, or the /64 of an IPv6 address, which is
/// assigned to one household.
package enum ClientNetwork {
    /// Returns the key for `address`. Text that isn't an address is returned unchanged.
    package static func key(_ address: String) -> String {
        guard let network = IPAddress(address) else { return address }
        return network.bytes.count == 4 ? network.description : hexadecimal(network.bytes[0..<8]) + "/64"
    }

    /// Returns the key for the neighbourhood of `address`: the /24 of an IPv4 address, or the /48 of an IPv6 address,
    /// which is assigned to one customer. One person can use many of their addresses.
    package static func wideKey(_ address: String) -> String {
        guard let network = IPAddress(address) else { return address }
        guard network.bytes.count == 4 else { return hexadecimal(network.bytes[0..<6]) + "/48" }
        return network.bytes.prefix(3).map { String($0) }.joined(separator: ".") + ".0/24"
    }

    private static func hexadecimal(_ bytes: ArraySlice<UInt8>) -> String {
        bytes.map { String($0, radix: 16) }.joined(separator: ":")
    }
}
