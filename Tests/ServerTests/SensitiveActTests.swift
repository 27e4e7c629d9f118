import Accounts
import AccountsWeb
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import Server
import Storage
import TestSupport
import Testing

/// Brief access to an unlocked browser or a session's token must not be enough to take over the account.
@Suite("Sensitive acts")
struct SensitiveActTests {
    /// The request of a program for an act: method, path and body.
    private static func request(
        _ act: SensitiveAct, _ people: FamilyPeople
    ) -> (HTTPRequest.Method, String, [String: any Sendable]) {
        switch act {
        case .inviteParent: (.post, "/family/invitations", [:])
        case .leaveFamily: (.delete, "/family/parents/\(people.own)", [:])
        case .removeParent: (.delete, "/family/parents/\(people.other)", [:])
        case .eraseChild: (.delete, "/family/deleted-children/\(people.deletedChild)", [:])
        case .changeEmail: (.patch, "/account", ["email": "eve@example.org"])
        case .addPasskey: (.post, "/lock/passkeys/challenge", ["purpose": "register"])
        case .linkIdentity: (.post, "/account/identities", ["provider": "oidc"])
        case .setPassword: (.put, "/account/password", ["password": "eve's horse"])
        case .export: (.get, "/account/export", [:])
        case .deleteAccount: (.delete, "/account", ["filler": ""])
        case .createAccessToken:
            (.post, "/account/access-tokens", ["name": "Backup", "scopes": ["tracking:read"]])
        case .administer: (.put, "/admin/people/\(people.other)/disabling", [:])
        case .letManageItem: (.post, "/tracking/items/\(people.item)/invitations", ["access": "manage"])
        }
    }

    /// The ids of the two parents of a household, of a deleted child, and of an item.
    private struct FamilyPeople {
        var own = ""
        var other = ""
        var deletedChild = ""
        var item = ""
    }

    /// Creates the account's household, and another one for acts that need one.
    private func family(_ server: ServerHarness, for act: SensitiveAct, _ token: String) async throws -> FamilyPeople {
        if act == .administer {
            _ = try await server.services.accounts.administrators.setOperator(email: "mia@example.org", true)
            let other = try await server.join("ben@example.org")
            let account = try await server.send(.get, "/account", token: other).object()
            return FamilyPeople(other: try #require(account["id"] as? String))
        }
        if act == .letManageItem {
            let item = try await server.send(.post, "/tracking/items", #"{"name":"Bike"}"#, token: token)
            return FamilyPeople(item: try #require(try item.object()["id"] as? String))
        }
        guard [.inviteParent, .leaveFamily, .removeParent, .eraseChild].contains(act) else { return FamilyPeople() }
        _ = try await server.send(.patch, "/account", #"{"dateOfBirth":"1990-05-01"}"#, token: token)
        let invitation = try await server.send(
            .post, "/family/invitations", #"{"password":"correct horse"}"#, token: token)
        let code = try #require(try invitation.object()["code"] as? String)
        let other = try await server.join("ben@example.org")
        _ = try await server.send(.patch, "/account", #"{"dateOfBirth":"1990-05-01"}"#, token: other)
        server.clock.advance(milliseconds: 1)
        let joined = try await server.send(.post, "/family/parents", #"{"code":"\#(code)"}"#, token: other)
        #expect(joined.status == .created)
        func id(_ token: String) async throws -> String {
            try #require(try await server.send(.get, "/account", token: token).object()["id"] as? String)
        }
        let child = try await server.send(
            .post, "/family/children", #"{"name":"Kim","dateOfBirth":"2016-05-01"}"#, token: token)
        let deletedChild = try #require(try child.object()["id"] as? String)
        let deletion = try await server.send(.delete, "/family/children/\(deletedChild)", token: token)
        #expect(deletion.status == .noContent)
        return FamilyPeople(own: try await id(token), other: try await id(other), deletedChild: deletedChild)
    }

    private static let settings = [
        "HOMEWARD_OIDC_ISSUER": "https://id.invalid", "HOMEWARD_OIDC_CLIENT_ID": "client",
    ]

    private func send(
        _ server: ServerHarness, _ act: SensitiveAct, _ token: String, _ people: FamilyPeople,
        adding fields: [String: String] = [:]
    ) async throws -> TestResponse {
        let (method, path, body) = Self.request(act, people)
        let whole = body.merging(fields.mapValues { $0 as any Sendable }) { _, new in new }
        let data = try JSONSerialization.data(withJSONObject: whole)
        let text = method == .get ? nil : String(decoding: data, as: UTF8.self)
        return try await server.send(method, path, text, token: token)
    }

    private func everything(_ server: ServerHarness, _ token: String) async throws -> [String] {
        var texts: [String] = []
        let paths = [
            "/account", "/account/passkeys", "/account/access-tokens", "/account/identities", "/family/parents",
            "/family/invitations",
            "/family/deleted-children",
        ]
        for path in paths {
            texts.append(try await server.send(.get, path, token: token).html)
        }
        let again = try await server.send(
            .post, "/session", #"{"email":"mia@example.org","password":"correct horse"}"#)
        texts.append("\(again.status)")
        return texts
    }

    @Test(
        "Without a proof it is rejected, naming the password, and changes nothing; signing in is no proof",
        arguments: Engine.allCases, SensitiveAct.allCases)
    func withoutProof(engine: Engine, act: SensitiveAct) async throws {
        try await withServer(engine, settings: Self.settings) { server async throws in
            _ = try await server.join()
            let signedIn = try await server.send(
                .post, "/session", #"{"email":"mia@example.org","password":"correct horse"}"#)
            let token = try #require(try signedIn.object()["token"] as? String)
            let people = try await family(server, for: act, token)
            let before = try await everything(server, token)
            let field = act == .setPassword ? "current" : "password"
            for wrong in [nil, "", "wrong horse"] {
                let answer = try await send(server, act, token, people, adding: wrong.map { [field: $0] } ?? [:])
                #expect(answer.status == .unprocessableContent, "\(act) \(wrong ?? "-"): \(answer.html)")
                #expect(try answer.errorFields() == [field])
            }
            // A proof for another act isn't accepted.
            for other in SensitiveAct.allCases where other != act {
                let proof = try await server.send(
                    .post, "/account/proofs/\(other.rawValue)", #"{"password":"correct horse"}"#, token: token)
                #expect(proof.status == .created, "\(proof.html)")
            }
            #expect(try await send(server, act, token, people).status == .unprocessableContent, "\(act)")
            #expect(try await everything(server, token) == before)
        }
    }

    @Test("It is allowed with a proof that was given before", arguments: SensitiveAct.allCases)
    func withProof(act: SensitiveAct) async throws {
        try await withServer(settings: Self.settings) { server async throws in
            let token = try await server.join()
            let people = try await family(server, for: act, token)
            let path = "/account/proofs/\(act.rawValue)"
            #expect(try await server.send(.post, path, #"{"password":"correct horse"}"#).status == .unauthorized)
            let proof = try await server.send(.post, path, #"{"password":"correct horse"}"#, token: token)
            #expect(proof.status == .created)
            #expect(try proof.object()["act"] as? String == act.rawValue)
            let answer = try await send(server, act, token, people)
            switch act {
            case .changeEmail, .export, .administer: #expect(answer.status == .ok)
            case .addPasskey, .inviteParent, .createAccessToken, .letManageItem:
                #expect(answer.status == .created)
            // The provider can't be reached; it is contacted only after the proof was accepted.
            case .linkIdentity: #expect(answer.status == .serviceUnavailable)
            // An existing password is always required, even with another proof.
            case .setPassword: #expect(try answer.errorFields() == ["current"])
            case .deleteAccount, .leaveFamily, .removeParent, .eraseChild: #expect(answer.status == .noContent)
            }
        }
    }

    @Test("It has a page that asks for the proof and returns to the form", arguments: SensitiveAct.allCases)
    func page(act: SensitiveAct) async throws {
        try await withAccountsSite { site in
            let cookie = try await site.signUpInBrowser()
            let path = "/account/proofs/\(act.rawValue)"
            let page = try await site.get("\(path)?return=/account/passkeys", .browser(cookie))
            #expect(page.status == .ok)
            page.expectRenders(path)
            #expect(page.html.contains(#"name="return" value="/account/passkeys""#))
            let elsewhere = try await site.get("\(path)?return=//evil.example", .browser(cookie))
            #expect(!elsewhere.html.contains("evil"))
            let wrong = try await site.submit(path, "password=wrong&return=/account/passkeys", cookie: cookie)
            #expect(wrong.status == .unprocessableContent)
            #expect(wrong.html.contains(AccountMessage.passwordWrong.text))
            let right = try await site.submit(
                path, "password=correct+horse&return=/account/passkeys", cookie: cookie)
            // The page of the export's proof also has its download.
            #expect(right.headers[.location] == (act == .export ? path : "/account/passkeys"))
            let done = try await site.get(path, .browser(cookie))
            #expect(!done.html.contains(#"type="password""#))
        }
        try await withAccountsSite { site in
            let cookie = try await site.signUpInBrowser()
            #expect(try await site.get("/account/proofs/other", .browser(cookie)).status == .notFound)
        }
    }

    @Test("Attack: changing the email and then resetting the password fails", arguments: Engine.allCases)
    func attack(engine: Engine) async throws {
        let sent = SentMails()
        try await withAccountsSite(engine, mailer: sent) { site in
            let token = try await site.join()
            let stolen = try await site.call(.patch, "/account", #"{"email":"eve@example.org"}"#, token: token)
            #expect(stolen.status == .unprocessableContent)
            #expect(try stolen.errorFields() == ["password"])
            _ = try await site.call(.post, "/password-resets", #"{"email":"eve@example.org"}"#)
            await site.accounts.mailSender.sendQueuedMails()
            #expect(await sent.mails.allSatisfy { $0.to == "mia@example.org" })
            let account = try await site.call(.get, "/account", token: token).object()
            #expect(account["email"] as? String == "mia@example.org")
            #expect(account["pendingEmail"] is NSNull)
        }
    }

    @Test(
        "A new email waits for confirmation by mail, and can be undone from the old address", arguments: [true, false])
    func email(isPage: Bool) async throws {
        let sent = SentMails()
        try await withAccountsSite(mailer: sent) { site in
            func code(_ subject: String) async throws -> String {
                await site.accounts.mailSender.sendQueuedMails()
                let body = try #require(await sent.mails.last { $0.subject == subject }?.body)
                let line = try #require(body.split(separator: "\n").last { $0.hasPrefix("https://") })
                return String(line.split(separator: "/").last ?? "")
            }
            let token = try await site.join()
            _ = try await site.call(.post, "/email-verifications/\(try await code("Confirm your email address"))")
            let cookie =
                try await site.submit("/session", "email=mia%40example.org&password=correct+horse")
                .sessionCookie ?? ""
            if isPage {
                let form = "view=email&return=/carrepsa/profile&email=new%40example.org"
                let bare = try await site.submit("/account?_method=patch", form, cookie: cookie)
                #expect(bare.status == .unprocessableContent)
                #expect(bare.html.contains(AccountMessage.passwordMissing.text))
                #expect(bare.html.contains(#"value="new@example.org""#))
                let done = try await site.submit(
                    "/account?_method=patch", form + "&password=correct+horse", cookie: cookie)
                #expect(done.headers[.location] == "/carrepsa/profile", "\(done.html)")
            } else {
                let body = #"{"email":"new@example.org","password":"correct horse"}"#
                let done = try await site.call(.patch, "/account", body, token: token).object()
                #expect(done["email"] as? String == "mia@example.org")
                #expect(done["pendingEmail"] as? String == "new@example.org")
            }
            let settings = try await site.get("/account", .browser(cookie))
            #expect(settings.html.contains("new@example.org"))
            #expect(settings.html.contains("/account/pending-email?_method=delete"))
            let first = try await code("Confirm your new email address")
            #expect(try await site.call(.post, "/account/verification", token: token).status == .noContent)
            let second = try await code("Confirm your new email address")
            #expect(first != second)
            #expect(try await site.call(.post, "/email-verifications/\(first)").status == .notFound)
            #expect(try await site.call(.post, "/email-verifications/\(second)").status == .noContent)
            #expect(
                try await site.call(.get, "/account", token: token).object()["email"] as? String == "new@example.org")
            let undo = "/email-undos/\(try await code("Your email address was changed"))"
            let page = try await site.get(undo)
            page.expectRenders("/email-undos")
            // Opening the link changes nothing, because mail scanners open links.
            #expect(try await site.isSignedIn(token))
            let undone = try await site.submit(undo, "")
            let place = try #require(undone.headers[.location])
            #expect(place.hasPrefix("/password-resets/"))
            #expect(try await !site.isSignedIn(token))
            let chosen = try await site.submit("\(place)?_method=put", "password=battery+staple")
            #expect(chosen.headers[.location] == "/sign-in")
            #expect(try await site.get(undo).status == .notFound)
            #expect(try await site.submit(undo, "").status == .notFound)
            let back = try await site.call(
                .post, "/session", #"{"email":"mia@example.org","password":"battery staple"}"#)
            #expect(back.status == .created)
        }
    }

    @Test("A link that is requested too often gets 429 with the reason, in the reader's language")
    func throttledLink() async throws {
        try await withAccountsSite(mailer: SentMails()) { site in
            let token = try await site.join()
            let cookie =
                try await site.submit("/session", "email=mia%40example.org&password=correct+horse")
                .sessionCookie ?? ""
            // Anyone can request resets; they don't use up the mails of the address's owner.
            for _ in 0...Limits.mailsPerRecipient {
                let reset = try await site.call(.post, "/password-resets", #"{"email":"mia@example.org"}"#)
                #expect(reset.status == .accepted)
            }
            for _ in 1..<Limits.mailsPerRecipient {
                #expect(try await site.call(.post, "/account/verification", token: token).status == .noContent)
            }
            let message = AccountMessage.recipientMailsThrottled
            let refused = try await site.call(.post, "/account/verification", token: token)
            #expect(refused.status == .tooManyRequests)
            #expect(refused.headers[.retryAfter] == "\(Limits.mailThrottleSeconds)")
            #expect(refused.html.contains(message.text))
            let page = try await site.submit("/account/verification", "return=/account", cookie: cookie)
            #expect(page.status == .tooManyRequests)
            #expect(page.html.contains(message.text))
            _ = try await site.call(.patch, "/account", #"{"language":"de"}"#, token: token)
            let german = try await site.submit("/account/verification", "return=/account", cookie: cookie)
            #expect(german.status == .tooManyRequests)
            #expect(german.html.contains(message.german))
            let reset = try await site.call(.post, "/password-resets", #"{"email":"mia@example.org"}"#)
            #expect(reset.status == .accepted)
        }
    }

    @Test("An unconfirmed change is cancelled once")
    func cancel() async throws {
        try await withAccountsSite(mailer: SentMails()) { site in
            let token = try await site.join()
            let body = #"{"email":"new@example.org","password":"correct horse"}"#
            _ = try await site.call(.patch, "/account", body, token: token)
            #expect(try await site.call(.delete, "/account/pending-email", token: token).status == .noContent)
            #expect(try await site.call(.delete, "/account/pending-email", token: token).status == .notFound)
            #expect(try await site.call(.get, "/account", token: token).object()["pendingEmail"] is NSNull)
        }
    }

    @Test("The export's address without a proof leads to the page that asks for it")
    func exportPage() async throws {
        try await withAccountsSite { site in
            let cookie = try await site.signUpInBrowser()
            let bare = try await site.get("/account/export", .browser(cookie))
            #expect(bare.headers[.location] == "/account/proofs/export")
            _ = try await site.submit("/account/proofs/export", "password=correct+horse", cookie: cookie)
            let done = try await site.get("/account/export", .browser(cookie))
            #expect(done.headers[.contentType] == "application/zip")
        }
    }

    @Test("A new password removes passkeys and identities if its form says so")
    func password() async throws {
        try await withAccountsSite { site in
            let token = try await site.join()
            try await site.database.write { tx in
                try tx.execute(
                    """
                    INSERT INTO identity (provider, issuer, subject, account_id, email, linked_at)
                    SELECT 'google', 'https://id.example', 'subject', id, email, created_at FROM account
                    """
                )
                try tx.execute(
                    """
                    INSERT INTO passkey (
                        id, account_id, credential_id, public_key, algorithm, sign_count, is_backup_eligible,
                        is_backed_up, transports, name, created_at
                    ) SELECT id, id, x'01', x'01', -7, 0, 1, 1, 'internal', 'Phone', created_at FROM account
                    """
                )
            }
            func left() async throws -> [Int] {
                try await site.database.read { tx in
                    let row = try tx.row(
                        """
                        SELECT (SELECT COUNT(*) FROM passkey) AS passkeys, (SELECT COUNT(*) FROM identity) AS identities
                        """
                    )
                    return [try row?.get("passkeys") ?? 0, try row?.get("identities") ?? 0]
                }
            }
            let steps: [(choice: String, left: [Int])] = [
                ("", [1, 1]), (#","removePasskeys":true"#, [0, 1]), (#","removeIdentities":true"#, [0, 0]),
            ]
            var password = "correct horse"
            for (number, step) in steps.enumerated() {
                let next = "horse number \(number)"
                let body = #"{"current":"\#(password)","password":"\#(next)"\#(step.choice)}"#
                #expect(try await site.call(.put, "/account/password", body, token: token).status == .noContent)
                #expect(try await left() == step.left, "\(step.choice)")
                password = next
            }
            let wrong = #"{"current":"\#(password)","password":"third horse","removePasskeys":"yes"}"#
            let answer = try await site.call(.put, "/account/password", wrong, token: token)
            #expect(try answer.errorFields() == ["removePasskeys"])
        }
    }
}
