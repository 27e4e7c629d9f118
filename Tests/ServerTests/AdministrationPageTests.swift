import Accounts
import Backups
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import Server
import Storage
import TestSupport
import Testing
import WebCore

/// An administrator, Ada, and another adult, Ben, with their browsers.
private struct AdministrationBrowserFixture {
    let server: ServerHarness
    let ada: FamilyTestClient
    let ben: FamilyTestClient

    init(_ server: ServerHarness) async throws {
        self.server = server
        let site = FamilyTestServer(server: server)
        ada = try await site.parent("Ada", app: "tracking")
        ben = try await site.parent("Ben", app: "tracking")
        _ = try await server.services.accounts.administrators.setOperator(email: ada.id, true)
    }
}

/// The administrator's pages in a browser without scripts.
@Suite("Administration: pages")
struct AdministrationPageTests {
    private static let unkeyed: KeyValuePairs<String, String> = ["idempotencyKey": ""]

    @Test("H-05: Forms create a link for a new password, grant and revoke rights, and delete an account")
    func person() async throws {
        try await withServer { server async throws in
            let site = try await AdministrationBrowserFixture(server)
            let (ada, ben) = (site.ada, site.ben)
            let path = "/admin/people/\(ben.id)"
            let search = "/admin/people?search=ben%40example.org"
            #expect(try await ada.page(search).text.contains("href=\"\(path)\""))
            let unproven = try await ada.page(path).text
            #expect(unproven.contains("Ben</h1>") && !unproven.contains("action=\"\(path)"))
            #expect(unproven.contains("href=\"/account/proofs/administration?return="))
            try await site.ada.proveAdministration()
            let proven = try await ada.page(path).text
            for act in ["Sign out all devices", "Make administrator", "Disable account", "Delete account"] {
                #expect(proven.contains(">\(act)</button>"), "\(act)")
            }
            let made = try await ada.submit("\(path)/reset-links", Self.unkeyed)
            #expect(made.status == 201)
            let link = try #require(made.text.firstMatch(of: #/id="reset-link"[^>]*>[^<]*(\/password-resets\/[^<]+)</#))
            let reset = try await FamilyTestServer(server: server).signedOut.page(String(link.output.1))
            #expect(reset.text.contains("Choose a new password</h1>"))
            let granted = try await ada.submit("\(path)/administrator?_method=put", Self.unkeyed)
            #expect(granted.status == 303 && granted.header("location") == path)
            #expect(try granted.toast() == "Administrator rights granted")
            #expect(try await ben.send(.get, "/admin").status == 200)
            let revoked = try await ada.submit("\(path)/administrator?_method=delete", Self.unkeyed)
            #expect(revoked.status == 303 && revoked.header("location") == path)
            #expect(try revoked.toast() == "Administrator rights revoked")
            #expect(try await ben.send(.get, "/admin").status == 403)
            let deleted = try await ada.submit("\(path)?_method=delete", Self.unkeyed)
            #expect(deleted.status == 303 && deleted.header("location") == "/admin/people")
            #expect(try deleted.toast() == "The account is deleted")
            #expect(try await ben.send(.get, "/account").status == 401)
            #expect(try await ada.page(search).text.contains("No account found"))
        }
    }

    @Test("H-08, H-09: Only administrators see the pages and the link to them, and a locked session sees none")
    func access() async throws {
        try await withServer { server async throws in
            let site = try await AdministrationBrowserFixture(server)
            let pages = server.server.web.routes
                .filter { $0.access == .administrator && $0.method == .get && !$0.path.contains("{") }.map(\.path)
            #expect(pages.count >= 17)
            for path in pages {
                #expect(try await site.ben.page(path).status == 403, "\(path)")
                let page = try await site.ada.page(path)
                #expect(page.status == 200, "\(path)")
                #expect(page.text.contains("</h1>"), "\(path)")
            }
            #expect(try await !site.ben.page("/account").text.contains("href=\"/admin\""))
            #expect(try await site.ada.page("/account").text.contains("href=\"/admin\""))
            let overview = try await site.ada.page("/admin").text
            #expect(overview.contains("Administration</h1>"))
            #expect(overview.contains(">SQLite</dd>"))
            #expect(overview.contains("href=\"/admin/jobs\""))
            #expect(try await site.ada.page("/admin/jobs").text.contains("No failed jobs"))
            let passcode = try await site.ada.send(
                .put, "/lock/passcode", json: ["passcode": "271828", "repeat": "271828"])
            #expect(passcode.status == 204)
            #expect(try await site.ada.send(.delete, "/lock/unlocking").status == 204)
            for path in pages { #expect(try await site.ada.send(.get, path).status == 423, "\(path)") }
        }
    }

    /// The titles of the steps that a new server still needs.
    private static func steps(_ page: String) -> [String] {
        guard let start = page.range(of: "id=\"next-steps\"") else { return [] }
        let part = page[start.upperBound...].components(separatedBy: "</section>")[0]
        return part.matches(of: #/class="row-title">([^<]+)</#).map { String($0.output.1) }
    }

    @Test("H-01, H-09: A new server lists its next steps until they are done")
    func nextSteps() async throws {
        let folder = try TemporaryFolder()
        try await withServer { server async throws in
            let ada = try await FamilyTestServer(server: server).parent("Ada", app: "tracking")
            _ = try await server.services.accounts.administrators.setOperator(email: "ada@example.org", true)
            let first = try await ada.page("/admin").text
            #expect(
                Self.steps(first) == ["Set up mail", "Set up backups", "Invite people", "Write payment instructions"])
            #expect(first.contains("href=\"/admin/invitations\""))
            let invited = try await ada.submit("/admin/invitations", Self.unkeyed)
            #expect(invited.status == 201)
            #expect(invited.text.contains("id=\"invitation-link\""))
            let key = try BackupKey.open(in: folder.path, random: SystemRandom()).key
            _ = try await BackupService(server.services).write(to: folder.file("all.homeward"), key: key)
            let last = try await ada.page("/admin").text
            #expect(Self.steps(last) == ["Set up mail", "Write payment instructions"])
            let overview = try await ada.send(.get, "/admin").object()
            #expect(overview.members["nextSteps"] as? [String] == ["mail", "payments"])
        }
    }

    @Test("H-10: A test mail says whether it was accepted and why not, and its result is listed")
    func testMail() async throws {
        let folder = try TemporaryFolder()
        let command = folder.file("sendmail")
        let script = "#!/bin/sh\n[ -e \(folder.file("open")) ] || exit 75\ncat >> \(folder.file("mails"))\n"
        try script.write(toFile: command, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: command)
        try await withServer(settings: ["HOMEWARD_MAIL": command]) { server async throws in
            let ada = try await AdministrationBrowserFixture(server).ada
            let refused = try await ada.submit("/admin/mail/tests", ["email": "guest@example.org"])
            #expect(refused.status == 409)
            #expect(refused.text.contains("role=\"alert\">The mail command ended with an error.</p>"))
            #expect(refused.text.contains("name=\"email\" type=\"email\" value=\"guest@example.org\""))
            #expect(!refused.text.contains(">Sent</span>"))
            try Data().write(to: URL(filePath: folder.file("open")))
            let accepted = try await ada.submit("/admin/mail/tests", ["email": "guest@example.org"])
            #expect(accepted.status == 303 && accepted.header("location") == "/admin/mail")
            #expect(try accepted.toast() == "The test mail was sent")
            let mails = try String(contentsOfFile: folder.file("mails"), encoding: .utf8)
            #expect(mails.contains("To: guest@example.org\n"))
            let page = try await ada.page("/admin/mail").text
            #expect(page.contains(">guest@example.org</span>") && page.contains(">Sent</span>"))
        }
    }

    @Test("H-11, H-12: The checks say how old the newest backup is, and a backup says whether it was verified")
    func backups() async throws {
        let folder = try TemporaryFolder()
        try await withServer { server async throws in
            let ada = try await AdministrationBrowserFixture(server).ada
            let before = try await ada.page("/admin/checks").text
            #expect(before.contains("No backup has been verified yet."))
            #expect(before.firstMatch(of: #/No problems were found\. There are [0-9]+ recommendations\./#) != nil)
            #expect(try await !ada.page("/admin/backups").text.contains("Read back and verified"))
            let key = try BackupKey.open(in: folder.path, random: SystemRandom()).key
            _ = try await BackupService(server.services).write(to: folder.file("all.homeward"), key: key)
            #expect(try await ada.page("/admin/backups").text.contains("Read back and verified"))
            let after = try await ada.page("/admin/checks").text
            #expect(after.contains("The newest verified backup is less than an hour old."))
        }
    }

    @Test("H-13: The page says what each provider needs, and whether one works, without signing anyone in")
    func providers() async throws {
        let stub = StubServer()
        try await stub.serve { url in
            stub.reply(
                to: "/.well-known/openid-configuration", .ok,
                #"""
                {"issuer":"\#(url)","authorization_endpoint":"\#(url)/authorize","token_endpoint":"\#(url)/token",
                "jwks_uri":"\#(url)/keys"}
                """#)
            stub.reply(
                to: "/keys", .ok,
                #"""
                {"keys":[{"kty":"EC","crv":"P-256","x":"MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
                "y":"4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM"}]}
                """#)
            stub.reply(to: "/token", .badRequest, #"{"error":"invalid_grant"}"#)
            let settings = [
                "HOMEWARD_OIDC_CLIENT_ID": "own", "HOMEWARD_OIDC_CLIENT_SECRET": "s", "HOMEWARD_OIDC_ISSUER": url,
                "HOMEWARD_OIDC_NAME": "Our own", "HOMEWARD_GOOGLE_CLIENT_ID": "google",
                "HOMEWARD_GOOGLE_CLIENT_SECRET": "s", "HOMEWARD_GOOGLE_ISSUER": "http://127.0.0.1:9",
            ]
            try await withServer(settings: settings) { server async throws in
                let ada = try await AdministrationBrowserFixture(server).ada
                let accounts = try await server.services.database.count("account")
                let page = try await ada.page("/admin/providers").text
                #expect(page.contains("HOMEWARD_FACEBOOK_CLIENT_ID, HOMEWARD_FACEBOOK_CLIENT_SECRET"))
                #expect(page.contains("/sign-in/oidc/callback</p>") && page.contains("/sign-in/facebook/callback</p>"))
                #expect(page.contains(">Try Google</button>") && !page.contains("Try Facebook"))
                #expect(page.contains(">Try Our own</button>"))
                let works = try await ada.submit("/admin/providers/oidc/tests", [:])
                #expect(works.status == 201)
                #expect(works.text.contains("It accepts this server’s client ID and secret."))
                let away = try await ada.submit("/admin/providers/google/tests", [:])
                #expect(away.text.contains("doesn’t respond"))
                #expect(
                    away.text.contains("Check the issuer’s setting, and that this server reaches the internet."))
                #expect(!away.text.contains("It accepts this server’s client ID and secret."))
                #expect(try await server.services.database.count("account") == accounts)
                #expect(try await server.services.database.count("identity") == 0)
            }
        }
    }

    @Test("H-15: A payment's form refuses what can't be recorded or paid out, and keeps what was typed")
    func payments() async throws {
        try await withCarrepsa { site in
            let olga = try await site.person("Olga", isOperator: true)
            let ben = try await site.person("Ben")
            #expect(try await ben.balances() == [100_00, 0])
            let path = "/admin/wallets/\(ben.id)"
            let payments = "\(path)/payments"
            #expect(try await olga.page("/admin/wallets?search=ben%40example.org").text.contains("href=\"\(path)\""))
            #expect(try await !olga.page(path).text.contains(">Top up</button>"))
            try await olga.proveAdministration(return: path)
            #expect(try await olga.page(path).text.contains(">Top up</button>"))
            let invalid = try await olga.submit(payments, ["kind": "top_up", "amount": "twelve", "note": ""])
            #expect(invalid.status == 422)
            #expect(invalid.text.contains("Enter an amount such as 12.50"))
            #expect(invalid.text.contains("Say what the payment is for."))
            #expect(invalid.text.contains("value=\"twelve\""))
            #expect(invalid.text.components(separatedBy: "aria-invalid=\"true\"").count == 3)
            let paidIn = try await olga.submit(
                payments,
                ["kind": "top_up", "amount": "12.50", "note": "Cash at the market", "idempotencyKey": "one"])
            #expect(paidIn.status == 303 && paidIn.header("location") == path)
            #expect(try paidIn.toast() == "Topped up")
            #expect(try await olga.page(path).text.contains("€12.50 topped up"))
            let welcome = try await olga.submit(
                payments, ["kind": "pay_out", "amount": "200", "note": "Cash back", "idempotencyKey": "two"])
            #expect(welcome.text.contains("Welcome money can’t be paid out. The maximum is €12.50."))
            #expect(welcome.text.contains("value=\"200\"") && welcome.text.contains("value=\"Cash back\""))
            #expect(try await ben.balances() == [112_50, 0])
            let paidOut = try await olga.submit(
                payments, ["kind": "pay_out", "amount": "2.50", "note": "Cash back", "idempotencyKey": "three"])
            #expect(try paidOut.toast() == "Paid out")
            #expect(try await ben.balances() == [110_00, 0])
            let notices = try await ben.send(.get, "/notifications").object().texts("items", "body")
            #expect(
                notices == [
                    "€2.50 was paid out of your wallet: Cash back",
                    "€12.50 was added to your wallet: Cash at the market",
                ])
        }
    }

    @Test("H-17: Limits that were typed before the proof expired stay in the form and can be saved after a new one")
    func expiredProof() async throws {
        try await withServer { server async throws in
            let site = try await AdministrationBrowserFixture(server)
            let path = "/admin/storage/\(site.ben.id)"
            let form: KeyValuePairs = ["pictureLimit": "12", "fixLimit": ""]
            try await site.ada.proveAdministration()
            #expect(try await site.ada.page(path).text.contains(">Save</button>"))
            server.clock.advance(seconds: Limits.proofSeconds + 1)
            let late = try await site.ada.submit("\(path)?_method=put", form)
            #expect(late.status == 422)
            #expect(late.text.contains("name=\"pictureLimit\" value=\"12\""))
            #expect(!late.text.contains(">Save</button>"))
            // The script keeps a draft of the form on the way to the proof.
            #expect(late.text.contains("data-keeps-draft>Confirm that it’s you</a>"))
            #expect(try await site.ada.send(.get, path).object().isNull("pictureLimit"))
            try await site.ada.proveAdministration()
            let saved = try await site.ada.submit("\(path)?_method=put", form)
            #expect(saved.status == 303 && saved.header("location") == path)
            #expect(try saved.toast() == "Saved")
            #expect(try await site.ada.page(path).text.contains(">0 of 12</dd>"))
        }
    }

    @Test("H-18: The page of a tracker says why reports were rejected, and names no item")
    func tracker() async throws {
        try await withServer { server async throws in
            let site = try await AdministrationBrowserFixture(server)
            let item = try await site.ben.send(.post, "/tracking/items", json: ["name": "Secret bag"]).object()
            let itemID = try #require(item.text("id"))
            let source = try await site.ben.send(
                .post, "/tracking/sources", json: ["kind": "osmand", "itemId": itemID]
            ).object()
            let secret = try #require(source.text("secret"))
            let id = try #require(source.text("id"))
            let seconds = server.clock.now.millisecondsSince1970 / 1_000
            for (number, place) in ["lat=50&lon=7&batt=64", "lat=91&lon=7", "lat=x&lon=7"].enumerated() {
                let answer = try await server.client.executeRequest(
                    uri: "/ingest/osmand?id=\(secret)&timestamp=\(seconds - Int64(number))&\(place)", method: .get,
                    headers: [:], body: nil)
                #expect(answer.status == .ok)
            }
            let list = try await site.ada.page("/admin/trackers").text
            #expect(list.contains("href=\"/admin/trackers/\(id)\""))
            #expect(list.contains(">Ben</span>") && list.contains("2 rejected reports"))
            #expect(!list.contains("Secret bag"))
            let page = try await site.ada.page("/admin/trackers/\(id)").text
            #expect(page.contains("The place is not on Earth."))
            #expect(page.contains("A number can’t be read."))
            #expect(!page.contains("Secret bag"))
        }
    }
}
