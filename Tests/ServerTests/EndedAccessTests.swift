import Accounts
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import Server
import Storage
import TestSupport
import Testing

/// A session that another person used may have prepared more than itself. What it prepared ends with a new password,
/// and when an administrator signs the person out or disables the account.
@Suite("What ends when a person is signed out everywhere")
struct EndedAccessTests {
    /// What happens to the rows of a table with secrets.
    private enum Fate {
        /// The rows of Mia that match the condition end.
        case ends(String)
        case stays(because: String)
    }

    private static let ofMia = "account_id = (SELECT id FROM account WHERE email = 'mia@example.org')"

    private static let fates: [String: Fate] = [
        "session": .ends("\(ofMia) AND name <> 'kept'"),
        "access_token": .ends(ofMia),
        "password_reset": .ends(ofMia),
        "passkey_challenge": .ends(ofMia),
        "provider_attempt": .ends(ofMia),
        "email_change": .ends(ofMia),
        "server_invitation": .ends("created_by = (SELECT id FROM account WHERE email = 'mia@example.org')"),
        "item_invitation": .ends("created_by = (SELECT id FROM account WHERE email = 'mia@example.org')"),
        "live_link": .ends("\(ofMia) AND ended_at IS NULL"),
        "family_invitation": .ends("invited_by = (SELECT id FROM account WHERE email = 'mia@example.org')"),
        "family_code": .ends("closed_at IS NULL"),
        "family_tablet_code": .ends("made_by = (SELECT id FROM account WHERE email = 'mia@example.org')"),
        "carrepsa_handover_code": .ends("side = 'owner'"),
        "carrepsa_payout_request": .ends("\(ofMia) AND state = 'open'"),
        "push_subscription": .ends(ofMia),
        "family_tablet": .stays(because: "the person chooses whether the devices of children are signed out"),
        "family_picture_pin": .stays(because: "it works only on a paired tablet"),
        "email_verification": .stays(because: "it confirms the present address, whose mails the owner reads"),
        "email_undo": .stays(because: "it protects the owner of the former address"),
        "identity_offer": .stays(because: "it needs a sign-in of the account"),
        "registration_invitation": .stays(because: "it was used up, and belongs to no account"),
        "setup_code": .stays(because: "it belongs to the server"),
        "tracker": .stays(because: "its code is printed on the hardware"),
        "source": .stays(because: "it reports positions and reads none; its secret is in the phone's settings"),
        "item_label": .stays(because: "its page shows only what the owner entered for finders"),
        "finder_report": .stays(because: "it is the page of a finder"),
        "former_label": .stays(because: "it only explains that a label was replaced or its item deleted"),
        "carrepsa_welcomed_address": .stays(because: "it belongs to no account"),
        "carrepsa_recipient": .stays(because: "it is the page of a recipient, whose package is on its way"),
    ]

    @Test("Each table with a secret says whether its rows end")
    func tables() async throws {
        try await withServer { server async throws in
            let found = try await server.services.database.read { tx in
                try tx.rows(
                    """
                    SELECT DISTINCT t.name AS name FROM sqlite_master t JOIN pragma_table_info(t.name) c
                    WHERE t.type = 'table' AND (
                        c.name = 'hash' OR c.name LIKE '%\\_hash' ESCAPE '\\' OR c.name IN ('mark', 'endpoint')
                    )
                    """
                ).map { try $0.get("name", as: String.self) }
            }
            // A payout request names where money is sent.
            #expect(Set(found + ["carrepsa_payout_request"]) == Set(Self.fates.keys))
        }
    }

    private enum Act: CaseIterable {
        case change, reset, signOut, disable
    }

    @Test(
        "Signing a person out everywhere ends their grants, not those of others, and an ended session grants nothing",
        arguments: Engine.allCases, Act.allCases)
    private func ending(engine: Engine, act: Act) async throws {
        try await withServer(engine) { server async throws in
            let fixture = try await AdministrationFixture(server)
            let prepared = try await Preparation(server, fixture)
            for (table, fate) in Self.fates {
                guard case .ends(let open) = fate else { continue }
                #expect(try await prepared.count(table, open) > 0, "\(table) isn't prepared")
            }
            try await perform(act, server, fixture)
            for (table, fate) in Self.fates {
                guard case .ends(let open) = fate else { continue }
                #expect(try await prepared.count(table, open) == 0, "\(table) after \(act)")
            }
            #expect(try await prepared.count("item_invitation", "1 = 1") == 1, "that of Ben")
            #expect(try await prepared.count("live_link", "ended_at IS NULL") == 1, "that of Ben")
            let link = try await server.send(.get, "/live/\(prepared.liveSecret)")
            #expect(link.status == .notFound)
            let late = try await server.send(
                .post, "/tracking/live-links", #"{"duration":"1h"}"#, token: prepared.stolenToken)
            #expect(late.status == .unauthorized)
        }
    }

    private func perform(_ act: Act, _ server: ServerHarness, _ fixture: AdministrationFixture) async throws {
        switch act {
        case .change:
            let body = #"{"current":"correct horse","password":"battery staple"}"#
            let token = try #require(try await fixture.signIn("mia@example.org").object()["token"] as? String)
            try await server.services.database.write { tx in
                try tx.execute("UPDATE session SET name = 'kept' WHERE id = (SELECT MAX(id) FROM session)")
            }
            #expect(try await server.send(.put, "/account/password", body, token: token).status == .noContent)
        case .reset:
            let code = Token.make(random: SystemRandom())
            let now = server.clock.now
            try await server.services.database.write { tx in
                try tx.execute(
                    """
                    INSERT INTO password_reset (code_hash, account_id, expires_at)
                    SELECT \(Token.hash(code)), id, \(now.adding(seconds: 600)) FROM account
                    WHERE email = 'mia@example.org'
                    """)
            }
            let reset = try await server.send(
                .put, "/password-resets/\(code)", #"{"password":"battery staple"}"#)
            #expect(reset.status == .noContent)
        case .signOut, .disable:
            // Ben is an administrator too.
            _ = try await server.services.accounts.administrators.setOperator(email: "ben@example.org", true)
            let proof = try await server.send(
                .post, "/account/proofs/administration", #"{"password":"correct horse"}"#, token: fixture.ben)
            #expect(proof.status == .created)
            let mia = try #require(
                try await server.send(.get, "/account", token: fixture.mia).object()["id"] as? String)
            let answer = try await server.send(
                act == .disable ? .put : .delete, "/admin/people/\(mia)/\(act == .disable ? "disabling" : "sessions")",
                "{}", token: fixture.ben)
            #expect(answer.status == .ok, "\(answer.html)")
        }
    }
}

/// What a session of Mia prepared, and the same of Ben for himself.
private struct Preparation {
    let server: ServerHarness
    /// The token of the session that prepared it.
    let stolenToken: String
    let liveSecret: String

    init(_ server: ServerHarness, _ fixture: AdministrationFixture) async throws {
        self.server = server
        stolenToken = try #require(try await fixture.signIn("mia@example.org").object()["token"] as? String)
        let token = stolenToken
        func send(
            _ method: HTTPRequest.Method, _ path: String, _ body: String, token: String
        ) async throws -> [String: Any] {
            server.clock.advance(milliseconds: 1)
            let answer = try await server.send(method, path, body, token: token)
            #expect(answer.status == .created || answer.status == .ok, "\(path): \(answer.html)")
            return try answer.object()
        }
        var links: [String] = []
        for person in [token, fixture.ben] {
            let item = try #require(
                try await send(.post, "/tracking/items", #"{"name":"Bike"}"#, token: person)["id"] as? String)
            _ = try await send(.post, "/tracking/items/\(item)/invitations", #"{"access":"see"}"#, token: person)
            let link = try await send(.post, "/tracking/live-links", #"{"duration":"1h"}"#, token: person)
            links.append(try #require(link["url"] as? String))
        }
        liveSecret = String(links[0].split(separator: "/").last ?? "")
        _ = try await send(.patch, "/account", #"{"dateOfBirth":"1990-05-01"}"#, token: token)
        let child = try #require(
            try await send(
                .post, "/family/children", #"{"name":"Kim","dateOfBirth":"2016-05-01"}"#, token: token)["id"] as? String
        )
        _ = try await send(.post, "/family/children/\(child)/sign-in-codes", "{}", token: token)
        _ = try await send(.post, "/family/tablets/codes", "{}", token: token)
        let password = #""password":"correct horse""#
        _ = try await send(.post, "/family/invitations", "{\(password)}", token: token)
        _ = try await send(.post, "/admin/invitations", "{}", token: token)
        _ = try await send(
            .post, "/account/access-tokens", #"{"name":"Backup","scopes":["tracking:read"],\#(password)}"#, token: token
        )
        try await store()
    }

    /// Stores what needs a provider, a passkey, a push service or a delivery otherwise.
    private func store() async throws {
        let now = server.clock.now
        let end = now.adding(seconds: 600)
        let id = PersonID(at: now, random: SystemRandom()).description
        let hash = [UInt8](repeating: 7, count: 32)
        let session: SQL = "(SELECT MIN(id) FROM session WHERE account_id = account.id)"
        let mia: SQL = "FROM account WHERE email = 'mia@example.org'"
        let statements: [SQL] = [
            "INSERT INTO password_reset (code_hash, account_id, expires_at) SELECT \(hash), id, \(end) \(sql: mia)",
            """
            INSERT INTO passkey_challenge (challenge_hash, purpose, account_id, session_id, network_hash, expires_at)
            SELECT \(hash), 'register', id, \(sql: session), \(hash), \(end) \(sql: mia)
            """,
            """
            INSERT INTO provider_attempt (
                state_hash, browser_hash, network_hash, provider, purpose, account_id, session_id, destination,
                begun_at, expires_at
            ) SELECT \(hash), \(hash), \(hash), 'oidc', 'link', id, \(sql: session), '/', \(now), \(end) \(sql: mia)
            """,
            """
            INSERT INTO email_change (account_id, email, email_key, code_hash, expires_at)
            SELECT id, 'eve@example.org', 'eve@example.org', \(hash), \(end) \(sql: mia)
            """,
            """
            INSERT INTO carrepsa_package (
                id, owner_id, title, origin, origin_folded, destination, destination_folded, weight_grams, reward,
                money_lock, state, reward_held, created_at, version
            ) SELECT \(id), id, 'Chair', 'A', 'a', 'B', 'b', 1, 1, 1, 'available', 0, \(now), 1 \(sql: mia)
            """,
            """
            INSERT INTO carrepsa_handover_code (package_id, step, side, mark, expires_at)
            VALUES (\(id), 'pickup', 'owner', \(hash), \(end))
            """,
            """
            INSERT INTO carrepsa_payout_request (id, account_id, amount, destination, state, created_at, version)
            SELECT \(id), id, 100, 'DE89 3704 0044 0532 0130 00', 'open', \(now), 1 \(sql: mia)
            """,
            """
            INSERT INTO push_subscription (id, account_id, session_id, endpoint, p256dh, auth, language, created_at)
            SELECT \(id), id, \(sql: session), 'https://push.example/1', \(hash), \(hash), 'en', \(now) \(sql: mia)
            """,
        ]
        for statement in statements {
            try await server.services.database.write { tx in try tx.execute(statement) }
        }
    }

    func count(_ table: String, _ condition: String) async throws -> Int {
        let query = SQL(stringLiteral: "SELECT COUNT(*) AS total FROM \(table) WHERE \(condition)")
        return try await server.services.database.read { tx in try tx.row(query)?.get("total") ?? 0 }
    }
}
