import Crypto
package import Kernel

/// The fingerprint of a key file, stored in the database. It identifies the key, and the key can't be derived from it.
package struct KeyFingerprint: Sendable, Hashable {
    /// The file's name, for example `secret.key`.
    package let name: String
    /// HMAC-SHA256 of a fixed text under the key.
    package let bytes: [UInt8]

    package init(name: String, key: [UInt8]) {
        self.name = name
        let text = Array("homeward key fingerprint 1 \(name)".utf8)
        bytes = Array(HMAC<SHA256>.authenticationCode(for: text, using: SymmetricKey(data: key)))
    }

    /// Returns all stored fingerprints by name.
    package static func recorded(in tx: Transaction) throws -> [String: [UInt8]] {
        var recorded: [String: [UInt8]] = [:]
        for row in try tx.rows("SELECT name, fingerprint FROM key_fingerprint ORDER BY name") {
            recorded[try row.get("name")] = try row.get("fingerprint")
        }
        return recorded
    }

    /// Stores this fingerprint unless one of that name is stored. If two nodes store it at the same time, the second
    /// waits for the first.
    package func record(at now: Instant, in tx: Transaction) throws {
        try tx.execute(
            """
            INSERT INTO key_fingerprint (name, fingerprint, recorded_at) VALUES (\(name), \(bytes), \(now))
            ON CONFLICT (name) DO NOTHING
            """
        )
    }

    /// Replaces the stored fingerprint with this one.
    package func replace(at now: Instant, in tx: Transaction) throws {
        try tx.execute("DELETE FROM key_fingerprint WHERE name = \(name)")
        try record(at: now, in: tx)
    }
}
