import Accounts
import Carrepsa
import Foundation
import HTTPTypes
import Kernel
import Server
import TestSupport
import Testing
import WebCore

/// Carrepsa's effects on accounts.
@Suite("Carrepsa: accounts")
struct CarrepsaAccountTests {
    @Test("An account with unfinished packages isn't deleted, and the error is in the reader's language")
    func deletion() async throws {
        try await withCarrepsa { site in
            let ada = try await site.person("Ada")
            let path = try await ada.offer()
            func refusal(_ language: String) async throws -> String {
                let reply = try await ada.submit(
                    "/account?_method=delete", ["password": "correct horse"], language: language)
                #expect(reply.status == 409)
                return reply.text
            }
            #expect(try await refusal("en").contains("You still have packages that are offered or under way."))
            #expect(try await refusal("de").contains("Du hast noch angebotene oder laufende Pakete."))
            let program = try await ada.send(.delete, "/account", json: ["password": "correct horse"])
            #expect(program.status == 409)
            #expect(
                try program.error().text("message")
                    == "You still have packages that are offered or under way. Finish or withdraw them first.")
            _ = try await ada.send(.delete, path)
            try await ada.topUp(1_00)
            #expect(try await refusal("en").contains("Ask the administrator of this server to pay it out first."))
            #expect(try await refusal("de").contains("Bitte zuerst den Administrator dieses Servers, es auszuzahlen."))
            #expect(try await ada.send(.get, "/account").status == 200)
        }
    }

    @Test("The deletion page shows what prevents it before it asks for the password; welcome money doesn't")
    func obstacles() async throws {
        try await withCarrepsa { site in
            let olga = try await site.person("Olga")
            let path = try await olga.offer()
            let services = site.server.services
            try await olga.topUp(50_00)
            func deletionPage() async throws -> String { try await olga.page("/account/delete").text }
            func isAsking(_ page: String) -> Bool {
                page.contains("id=\"delete-form\"") || page.contains("type=\"password\"")
            }
            let offered = try await deletionPage()
            #expect(offered.contains("packages that are offered or under way") && !isAsking(offered))
            #expect(try await olga.send(.delete, path).status == 204)
            let paid = try await deletionPage()
            #expect(paid.contains("still money in your wallet") && !isAsking(paid))
            _ = try await services.carrepsa.payments.payOut(
                email: "olga@example.org", amountMinor: 50_00,
                transferID: ID(at: services.clock.now, random: services.random))
            #expect(try await olga.balances() == [100_00, 0])
            let ready = try await deletionPage()
            #expect(isAsking(ready) && !ready.contains("still money"))
        }
    }

    @Test("An error page of another module shows Carrepsa's error in the reader's language")
    func errorPage() async throws {
        try await withCarrepsa { site in
            let ada = try await site.person("Ada")
            let german = try await ada.page("/carrepsa/ledger", language: "de")
            #expect(german.status == 403)
            #expect(german.text.contains("Das dürfen nur Administratoren."))
            #expect(try await ada.page("/carrepsa/ledger").text.contains("Only administrators can do this."))
            let missing = try await ada.page("/carrepsa/people/01890000-0000-7000-8000-000000000000", language: "de")
            #expect(missing.status == 404)
            #expect(missing.text.contains("Es wurde gelöscht, oder die Adresse stimmt nicht."))
        }
    }

    /// Changes the role as `homeward account operator` does: in the store, from another process.
    private static func command(_ site: CarrepsaTestServer, _ email: String, _ isOperator: Bool) async throws {
        let own = site.server.services
        let other = AccountServices(
            database: own.database, siteURL: own.settings.site.url, clock: own.clock, random: own.random,
            logger: own.logger
        )
        _ = try await other.administrators.setOperator(email: email, isOperator)
    }

    @Test("A role that another process grants or revokes takes effect within a second", arguments: Engine.allCases)
    func rights(engine: Engine) async throws {
        try await withCarrepsa(engine) { site in
            let ada = try await site.person("Ada")
            for isOperator in [true, false] {
                #expect(try await ada.page("/carrepsa/ledger").status == (isOperator ? 403 : 200))
                try await Self.command(site, "ada@example.org", isOperator)
                site.clock.advance(seconds: 1)
                #expect(try await ada.page("/carrepsa/ledger").status == (isOperator ? 200 : 403))
                #expect(try await ada.send(.get, "/carrepsa/disputes").status == (isOperator ? 200 : 403))
            }
        }
    }
}
