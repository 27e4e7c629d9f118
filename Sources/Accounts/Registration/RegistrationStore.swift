import Foundation
import Kernel
import Storage

/// The table `registration_invitation`: invitations used for a registration. Each is valid for one account.
enum RegistrationStore {
    static func isUsed(_ code: String, in tx: Transaction) throws -> Bool {
        try tx.row("SELECT 1 AS found FROM registration_invitation WHERE code_hash = \(hash(code))") != nil
    }

    /// - Returns: false when another registration has used it since.
    static func use(_ code: String, now: Instant, in tx: Transaction) throws -> Bool {
        let expiry = now.adding(seconds: Limits.invitationSeconds)
        return try tx.executeCounting(
            """
            INSERT INTO registration_invitation (code_hash, expires_at) VALUES (\(hash(code)), \(expiry))
            ON CONFLICT (code_hash) DO NOTHING
            """
        ) == 1
    }

    static func deleteExpired(now: Instant, in tx: Transaction) throws {
        try tx.executeAndWait("DELETE FROM registration_invitation WHERE expires_at <= \(now)")
    }

    private static func hash(_ code: String) -> [UInt8] {
        Token.hash(code.trimmingCharacters(in: .whitespacesAndNewlines))
    }
}
