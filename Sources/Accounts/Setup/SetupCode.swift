import Kernel
import Storage

/// The one-time code with which the administrator of a new server shows that they can read its log.
enum SetupCode {
    /// Crockford's base 32 (https://www.crockford.com/base32.html): 5 bits each, without I, L, O and U.
    private static let symbols = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".unicodeScalars)
    private static let groups = 4
    private static let groupLength = 4

    /// Returns a code of 80 random bits: `ABCD-EFGH-JKMN-PQRS`.
    static func make(random: any RandomSource) -> String {
        (0..<groups).map { _ in
            random.bytes(groupLength).map { String(symbols[Int($0) % symbols.count]) }.joined()
        }.joined(separator: "-")
    }

    /// Returns the hash of a code as it was typed. Case, spaces and hyphens don't matter, and letters that look like
    /// digits are read as digits.
    static func hash(_ typed: String) -> [UInt8] {
        let read = typed.uppercased().replacing("O", with: "0").replacing("I", with: "1").replacing("L", with: "1")
        return Token.hash(String(String.UnicodeScalarView(read.unicodeScalars.filter(symbols.contains))))
    }
}

/// The table `setup_code`.
enum SetupCodeStore {
    /// Stores a code, and deletes the oldest ones beyond ``Limits/setupCodes``.
    static func insert(_ code: String, now: Instant, in tx: Transaction) throws {
        try tx.execute("INSERT INTO setup_code (code_hash, created_at) VALUES (\(SetupCode.hash(code)), \(now))")
        try tx.execute(
            """
            DELETE FROM setup_code WHERE code_hash NOT IN (
                SELECT code_hash FROM setup_code ORDER BY created_at DESC, code_hash LIMIT \(Limits.setupCodes)
            )
            """
        )
    }

    static func contains(_ typed: String, now: Instant, in tx: Transaction) throws -> Bool {
        let found = try tx.row(
            """
            SELECT 1 AS found FROM setup_code
            WHERE code_hash = \(SetupCode.hash(typed)) AND created_at > \(earliest(now))
            """)
        return found != nil
    }

    static func deleteAll(in tx: Transaction) throws { try tx.execute("DELETE FROM setup_code") }

    private static func earliest(_ now: Instant) -> Instant { now.adding(seconds: -Limits.setupCodeSeconds) }

    /// Uses up all codes.
    /// - Returns: false when another request has used them since.
    static func consume(_ typed: String, now: Instant, in tx: Transaction) throws -> Bool {
        let count = try tx.executeCounting(
            "DELETE FROM setup_code WHERE code_hash = \(SetupCode.hash(typed)) AND created_at > \(earliest(now))")
        guard count == 1 else { return false }
        try deleteAll(in: tx)
        return true
    }
}
