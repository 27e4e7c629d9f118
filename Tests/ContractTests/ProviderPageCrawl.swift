import Accounts
import HTTPTypes
import HummingbirdTesting
import Kernel
import NIOCore
import Server
import Storage
import Testing

/// A provider that serves its configuration only.
struct SilentProvider: ProviderTransport {
    static let issuer = "https://id.example"

    static let settings = [
        "homeward.oidcIssuer": issuer, "homeward.oidcClientId": "client", "homeward.googleIssuer": issuer,
        "homeward.googleClientId": "client", "homeward.googleClientSecret": "secret",
    ]

    func send(_ request: ProviderRequest) async throws(ProviderFailure) -> ProviderReply {
        let metadata = """
            {"issuer":"\(Self.issuer)","authorization_endpoint":"\(Self.issuer)/authorize",
            "token_endpoint":"\(Self.issuer)/token","jwks_uri":"\(Self.issuer)/keys"}
            """
        return ProviderReply(status: 200, body: Array(metadata.utf8))
    }
}

/// Visits the pages about sign-in services, as a person without a password.
struct ProviderPageCrawl {
    let contract: ContractServer

    /// - Parameter visit: requests a page with a cookie.
    func walk(as email: String, _ cookie: String, visit: (String, String?) async throws -> Void) async throws {
        try await visit("/sign-in?provider=google&outcome=cancelled", nil)
        try await visit("/sign-in?provider=google&outcome=failed", nil)
        try await contract.server.services.database.write { tx in
            try tx.execute(
                """
                INSERT INTO identity (provider, issuer, subject, account_id, email, linked_at)
                SELECT 'google', 'https://id.example', 'subject', id, email, created_at FROM account
                WHERE email_key = \(email)
                """
            )
        }
        for page in ["/account", "/account/identities", "/account/identities/oidc"] { try await visit(page, cookie) }
        let departure = try await contract.browse(
            "/account/identities", .post, form: "provider=oidc&password=correct+horse", cookie: cookie)
        #expect(departure.status == .ok)
        #expect(String(buffer: departure.body).contains("https://id.example/authorize"))
        // The password is removed, and restored afterwards: the crawl continues with it.
        let password = try await contract.server.services.database.write { tx -> String? in
            let row = try tx.row("SELECT password FROM account WHERE email_key = \(email)")
            try tx.execute("UPDATE account SET password = NULL WHERE email_key = \(email)")
            return try row?.get("password")
        }
        for page in [
            "/account/delete", "/account/password", "/account/identities/oidc", "/account/proofs/email",
            "/account/fields/email", "/account/edit",
        ] {
            try await visit(page, cookie)
        }
        try await contract.server.services.database.write { tx in
            try tx.execute("UPDATE account SET password = \(password) WHERE email_key = \(email)")
        }
    }
}
