import HTTPTypes
import HummingbirdTesting
import Server
import Storage
import Testing

/// Visits the passkey pages of a person with a passkey that opens the lock.
struct PasskeyPageCrawl {
    let contract: ContractServer

    /// - Parameter visit: requests a page with a cookie.
    func walk(as email: String, _ session: String, visit: (String, String?) async throws -> Void) async throws {
        // Without the second cookie every page load is a new launch.
        let cookie = "\(session); homeward-open=1"
        try await visit("/account/passkeys", cookie)
        let set = try await contract.browse(
            "/lock/passcode?_method=put", .post, form: "passcode=271828&repeat=271828", cookie: cookie)
        #expect(set.status == .seeOther)
        try await visit("/account/touch-id", cookie)
        try await contract.server.services.database.write { tx in
            try tx.execute(
                """
                INSERT INTO passkey (
                    id, account_id, credential_id, public_key, algorithm, sign_count, is_backup_eligible, is_backed_up,
                    transports, name, created_at, last_used_at
                ) SELECT '0190a1b2-c3d4-7000-8000-000000000001', id, token_hash, token_hash, -7, 0, 1, 1, 'internal',
                    'Chrome on Android', account.created_at, account.created_at
                FROM account JOIN (SELECT account_id, token_hash FROM session) AS own ON own.account_id = account.id
                WHERE email_key = \(email) LIMIT 1
                """
            )
            try tx.execute(
                """
                UPDATE app_lock SET touch_id = 1
                WHERE account_id = (SELECT id FROM account WHERE email_key = \(email))
                """
            )
        }
        for page in [
            "/account/passkeys", "/account/touch-id", "/account/lock", "/account/proofs/email", "/account/password",
            "/account/delete",
        ] {
            try await visit(page, cookie)
        }
        let away = try await contract.browse("/lock/unlocking?_method=delete", .post, form: "return=", cookie: cookie)
        #expect(away.status == .seeOther)
        try await visit("/lock", cookie)
        // Removes the lock, because the crawl continues without it.
        try await contract.server.services.database.write { tx in
            try tx.execute("UPDATE session SET locked_at = NULL")
            try tx.execute("DELETE FROM app_lock")
            try tx.execute("DELETE FROM passkey")
        }
    }
}
