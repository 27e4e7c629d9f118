import Accounts
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import Server
import Storage
import Synchronization
import Testing
import WebCore

@Suite("Templates match their view models")
struct TemplateContract {
    @Test("every tag of every template has a stored property in the view model it is rendered with")
    func tagsHaveStoredProperties() async throws {
        let rendered = Pages()
        try await withContractServer(onRender: rendered.record) { contract in
            try await PageCrawl(contract).walk()
            let sources = try contract.server.web.renderer.sources(in: .english)
            var check = try TemplateCheck(sources)
            for page in rendered.all { check.check(page.template, with: page.model) }
            #expect(check.problems.sorted() == [])
            let unused = Set(sources.keys).subtracting(check.visited)
            #expect(unused.sorted() == [], "no page of the crawl uses these; is the crawl short of a page?")
            let unescaped = [
                "admin-invitations: qr", "carrepsa-code-card: qr", "carrepsa-money-rows: qr", "family-code-card: qr",
                "family-invite: qr", "tracking-label: qr", "tracking-people: qr", "tracking-source-set-up: qr",
            ]
            #expect(check.unescaped.sorted() == unescaped, "what may be printed as it is")
        }
    }

    @Test("The templates can be used in every language", arguments: Language.allCases)
    func everyLanguage(language: Language) async throws {
        try await withContractServer { contract in
            #expect(throws: Never.self) { try contract.server.web.renderer.prepare(language) }
        }
    }

    struct Fault: CustomTestStringConvertible {
        let template: String
        let problem: String
        var testDescription: String { template }
    }

    struct Sample {
        struct Row {
            let name: String
            let note: String?
        }

        let title: String
        let note: String?
        let isOpen: Bool
        let row: Row
        let rows: [Row]
        var computed: String { title }
    }

    static let faults: [Fault] = [
        Fault(template: "{{titel}}", problem: "{{titel}} is stored in none of [Sample]"),
        Fault(template: "{{computed}}", problem: "{{computed}} is stored in none of [Sample]"),
        Fault(template: "{{row.nam}}", problem: "{{row.nam}}: Row stores no nam"),
        Fault(template: "{{#rows}}{{nam}}{{/rows}}", problem: "{{nam}} is stored in none of [Row, Sample]"),
        Fault(template: "{{#rows}}{{note}}{{/rows}}", problem: "{{note}}, when absent, is that of an outer scope"),
        Fault(template: "{{^rows}}{{name}}{{/rows}}", problem: "{{name}} is stored in none of [Sample]"),
        Fault(template: "{{#isOpen}}{{.}}{{/isOpen}}", problem: "{{.}} prints a Sample"),
        Fault(template: "{{isOpen}}", problem: "{{isOpen}} prints a Bool"),
        Fault(template: "{{^title}}{{/title}}", problem: "{{^title}} is decided by a String, which is never absent"),
        Fault(template: "{{>nothing}}", problem: "there is no template nothing"),
        Fault(template: "{{<parent}}{{$mian}}{{/mian}}{{/parent}}", problem: "parent has no block mian"),
        Fault(
            template: "{{<parent}}{{$main}}{{titel}}{{/main}}{{/parent}}",
            problem: "{{titel}} is stored in none of [Sample]"
        ),
    ]

    @Test("A tag that would print nothing is reported", arguments: faults)
    func faultsAreFound(fault: Fault) throws {
        var check = try TemplateCheck(["page": fault.template, "parent": "{{$main}}{{/main}}"])
        check.check("page", with: ViewModelType(type: Sample.self))
        #expect(check.problems == ["page: \(fault.problem)"])
    }

    @Test("A tag that the renderer finds is not reported")
    func rightTagsPass() throws {
        let page = """
            {{<parent}}{{$main}}{{title}}{{#note}}{{.}}{{/note}}{{^note}}{{title}}{{/note}}{{row.name}}
            {{#rows}}{{name}} {{title}}{{/rows}}{{#isOpen}}{{>part}}{{/isOpen}}{{/main}}{{/parent}}
            """
        var check = try TemplateCheck(["page": page, "parent": "{{title}}{{$main}}{{/main}}", "part": "{{{title}}}"])
        check.check("page", with: ViewModelType(type: Sample.self))
        #expect(check.problems == [])
        #expect(check.visited == ["page", "parent", "part"])
        #expect(check.unescaped == ["part: title"])
    }
}

/// The pages that were rendered.
final class Pages: Sendable {
    private let found = Mutex<[String: (template: String, model: ViewModelType)]>([:])

    var all: [(template: String, model: ViewModelType)] { found.withLock { Array($0.values) } }

    @Sendable func record(_ template: String, _ model: Any.Type) {
        let page = (template: template, model: ViewModelType(type: model))
        found.withLock { $0["\(template) \(page.model)"] = page }
    }
}

/// Requests every page and every fragment once.
struct PageCrawl {
    private let contract: ContractServer

    init(_ contract: ContractServer) { self.contract = contract }

    func walk() async throws {
        try await open()
        let cookie = try await join("mia")
        try await resets()
        try await visit(
            [
                "/account", "/account/edit", "/account/delete", "/account/password", "/account/sessions", "/pictures",
                "/account/access-tokens/new", "/account/import", "/account/storage",
                "/account/choices/maps", "/account/choices/theme", "/account/choices/language", "/notifications",
                "/notifications/bell", "/account/notifications",
            ], cookie
        )
        try await ProviderPageCrawl(contract: contract).walk(as: "mia@example.org", cookie) { page, cookie in
            try await visit([page], cookie)
        }
        let made = try await contract.browse(
            "/account/access-tokens", .post, form: "name=Backup&scopes=tracking:read&password=correct+horse",
            cookie: cookie)
        #expect(made.status == .created)
        try await visit(["/account/access-tokens"], cookie)
        try await emailChange(of: "mia@example.org", cookie)
        try await LockPageCrawl(contract: contract).walk(try await join("lea")) { page, cookie in
            try await visit([page], cookie)
        }
        try await PasskeyPageCrawl(contract: contract).walk(as: "mia@example.org", cookie) { page, cookie in
            try await visit([page], cookie)
        }
        try await tracking(cookie)
        try await carrepsa(cookie)
        try await FamilyPageCrawl(contract: contract).walk(as: "mia@example.org", cookie) { pages, cookie in
            for page in pages {
                for isFragment in [false, true] {
                    let answer = try await contract.browse(page, cookie: cookie, isFragment: isFragment)
                    #expect(answer.status == .ok, "\(page)")
                }
            }
        }
    }

    private func join(_ name: String, phone: String = "") async throws -> String {
        let person = "email=\(name)%40example.org&password=correct+horse&name=\(name)&phone=\(phone)"
        let joined = try await contract.browse("/accounts", .post, form: person)
        let setting = try #require(joined.headers[.setCookie])
        return String(setting.prefix { $0 != ";" })
    }

    private func open() async throws {
        try await visit(
            [
                "/", "/sign-in", "/register", "/forgotten-password", "/email-verifications/code", "/carrepsa",
                "/offline", "/setup",
            ], nil)
        try await visit(
            ["/invitations/unknown", "/password-resets/unknown", "/no/such/page", "/found"], nil, answers: .notFound)
    }

    private func resets() async throws {
        let link = try await contract.server.services.accounts.administrators.resetLink(email: "mia@example.org")
        let path = try #require(URL(string: link)).path
        try await visit([path], nil)
    }

    private func tracking(_ cookie: String) async throws {
        let added = try await contract.browse("/tracking/items", .post, form: "name=Key", cookie: cookie)
        let place = try #require(added.headers[.location])
        let id = String(try #require(place.split(separator: "=").last))
        let item = "/tracking/items/\(id)"
        try await visit(
            [
                "/tracking/items", place, "/tracking/items/new", item, "\(item)/edit", "\(item)/delete",
                "\(item)/fixes", "\(item)/people",
                "\(item)/fixes", "\(item)/days", "\(item)/days/2026-03-01", "\(item)/stays",
                "\(item)/tracker", "\(item)/navigation", "/tracking/sources", "/tracking/sources/new",
                "/tracking/quarantine", "/tracking/settings", "/tracking/map",
                "/tracking/alerts", "/tracking/safe-places", "/tracking/safe-places/new",
            ], cookie
        )
        try await visit(
            ["\(item)/geofences", "\(item)/geofences/new", try await alert(about: id)], cookie)
        let source = try await contract.browse(
            "/tracking/sources", .post, form: "kind=owntracks&itemId=\(id)", cookie: cookie
        )
        #expect(source.status == .created)
        let app = try #require(
            String(buffer: source.body).firstMatch(of: #/data-address="(\/tracking\/sources\/[^"]+)"/#)
        ).output.1
        try await visit([String(app)], cookie)
        try await visit(["/tracking/items/01890000-0000-7000-8000-000000000000"], cookie, answers: .notFound)
        let link = try await contract.browse(
            "\(item)/invitations", .post, form: "access=see", cookie: cookie)
        let code = try #require(String(buffer: link.body).firstMatch(of: #/\/tracking\/invitations\/([\w-]+)/#)).output
            .1
        try await visit(["/tracking/invitations/\(code)"], nil)
        try await visit(["/tracking/invitations/unknown"], nil, answers: .notFound)
        let card = try await contract.browse(
            "\(item)/commands", .post, form: "kind=locate&view=card", cookie: cookie, isFragment: true
        )
        #expect(card.status == .ok)
        try await lost(item, cookie)
        try await liveLink(item, cookie)
    }

    /// A live link and its public page, before and after it ends.
    private func liveLink(_ item: String, _ cookie: String) async throws {
        try await visit(["/tracking/live-links", "/tracking/live-links/new?item=\(item.suffix(36))"], cookie)
        let made = try await contract.browse(
            "/tracking/live-links", .post, form: "duration=untilMet&itemId=\(item.suffix(36))&showsName=on",
            cookie: cookie)
        let link = try #require(made.headers[.location])
        try await visit([link, "/tracking/live-links"], cookie)
        let page = try await contract.browse(link, cookie: cookie)
        let found = try #require(String(buffer: page.body).firstMatch(of: #/\/live\/[A-Za-z0-9_-]{22}/#))
        try await visit([String(found.output)], nil)
        _ = try await contract.browse("\(link)?_method=delete", .post, form: "", cookie: cookie)
        try await visit([link], cookie)
        try await visit([String(found.output)], nil, answers: .notFound)
    }

    /// Lost mode, a label and a finder's message.
    private func lost(_ item: String, _ cookie: String) async throws {
        try await visit(["\(item)/lost", "\(item)/label"], cookie)
        _ = try await contract.browse("\(item)/label", .post, form: "", cookie: cookie)
        let label = try await contract.browse("\(item)/label", cookie: cookie)
        let link = try #require(String(buffer: label.body).firstMatch(of: #/\/found\/items\/[A-Za-z0-9_-]{22}/#))
        let found = String(link.output)
        try await visit([found], nil)
        let on = try await contract.browse(
            "\(item)/lost?_method=put", .post, form: "message=Call&contact=112233", cookie: cookie)
        #expect(on.status == .seeOther)
        let sent = try await contract.browse(
            found, .post, form: "message=Here&latitude=50.5&longitude=6.5&accuracy=5")
        let own = try #require(sent.headers[.location])
        try await visit([found, own], nil)
        let details = try await contract.browse(item, cookie: cookie)
        let report = try #require(
            String(buffer: details.body).firstMatch(of: #/href="([^"]+\/finder-reports\/[^"]+)"/#)
        ).output.1
        _ = try await contract.browse("\(report)/reply?_method=put", .post, form: "message=Thanks", cookie: cookie)
        try await visit([own], nil)
        try await visit(["\(item)/lost", "\(item)/label", item, String(report)], cookie)
        _ = try await contract.browse("\(report)?_method=delete", .post, form: "", cookie: cookie)
        for (isFragment, status) in [(false, 404), (true, 286)] {
            let gone = try await contract.browse(own, cookie: nil, isFragment: isFragment)
            #expect(gone.status.code == status)
        }
        _ = try await contract.browse("\(item)/label", .post, form: "", cookie: cookie)
        #expect(try await contract.browse(found, cookie: nil).status == .notFound)
    }

    /// Stores an alert about an item and returns its path.
    private func alert(about item: String) async throws -> String {
        let id = "01890000-0000-7000-8000-000000000001"
        try await contract.server.services.database.write { tx in
            try tx.execute(
                """
                INSERT INTO item_alert (id, account_id, item_id, kind, at, evidence)
                SELECT \(id), account_id, id, 'separation', 0, '{"positions":[]}' FROM item WHERE id = \(item)
                """)
        }
        return "/tracking/alerts/\(id)"
    }

    /// A new address that isn't confirmed yet, and the link that undoes the change.
    private func emailChange(of email: String, _ cookie: String) async throws {
        let hash: [UInt8] = Array(SHA256.hash(data: Array("code".utf8)))
        try await contract.server.services.database.write { tx in
            try tx.execute(
                """
                INSERT INTO email_change (account_id, email, email_key, code_hash, expires_at)
                SELECT id, 'new@example.org', 'new@example.org', \(hash), created_at + 60000 FROM account
                WHERE email_key = \(email)
                """
            )
            try tx.execute(
                """
                INSERT INTO email_undo (code_hash, account_id, email, email_key, verified_at, created_at, expires_at)
                SELECT \(hash), id, email, email_key, created_at, created_at, created_at + 60000 FROM account
                WHERE email_key = \(email)
                """
            )
        }
        try await visit(["/account", "/account/fields/email", "/email-undos/code"], cookie)
        for page in ["/account/proofs/export", "/account/proofs/email"] { try await visit([page], cookie) }
        let proof = try await contract.browse(
            "/account/proofs/export", .post, form: "password=correct+horse", cookie: cookie)
        #expect(proof.status == .seeOther)
        try await visit(["/account/proofs/export"], cookie)
    }

    private func carrepsa(_ cookie: String) async throws {
        try await visit(["/account/apps/carrepsa", "/account/fields/phone"], cookie)
        _ = try await contract.browse("/account/apps/carrepsa", .post, form: "phone=%2B49+151+5550101", cookie: cookie)
        let posted = try await contract.browse(
            "/carrepsa/packages", .post, form: "title=Lamp&from=Aachen&to=Bonn&weight=1&reward=1&moneyLock=1",
            cookie: cookie
        )
        #expect(posted.status == .seeOther)
        let list = try await contract.browse("/carrepsa/packages", cookie: cookie)
        let link = try #require(
            String(buffer: list.body).firstMatch(of: #/href="(\/carrepsa\/packages\/[0-9a-f-]{36})"/#))
        let package = String(link.output.1)
        let offer = try await contract.browse(package, cookie: cookie)
        let address = try #require(
            String(buffer: offer.body).firstMatch(of: #/\/offers\/[0-9a-f-]{36}\/[A-Za-z0-9_-]+/#))
        try await visit([String(address.output)], nil)
        try await visit(["/offers/unknown/unknown"], nil, answers: .notFound)
        let trip = try await contract.browse(
            "/carrepsa/trips", .post,
            form: "from=A&to=B&fromLatitude=50&fromLongitude=6&toLatitude=51&toLongitude=7&detour=5", cookie: cookie)
        #expect(trip.status == .seeOther)
        let tripPath = try #require(trip.headers[.location])
        try await visit(
            ["\(package)/edit", "/carrepsa/trips", "/carrepsa/trips/new", tripPath, "\(tripPath)/edit"], cookie)
        let other = try await join("ben", phone: "%2B49+151+5550102")
        let accepted = try await contract.browse("\(package)/acceptance", .post, form: "", cookie: other)
        #expect(accepted.status == .seeOther)
        let person = try await contract.browse(package, cookie: other)
        let owner = try #require(String(buffer: person.body).firstMatch(of: #/href="(\/carrepsa\/people\/[^"]+)"/#))
        try await visit(
            [
                "/carrepsa/packages", "/carrepsa/packages?role=owner", "/carrepsa/packages/new", "/carrepsa/profile",
                "/carrepsa/wallet/entries", "/carrepsa/money", package, String(owner.output.1),
                "\(package)/questions/cancelAcceptance", "\(package)/messages", "/carrepsa/blocks",
            ], other
        )
        try await recipient(of: package, cookie)
        let sent = try await contract.browse("\(package)/messages", .post, form: "text=Hello", cookie: cookie)
        #expect(sent.status == .seeOther)
        let messages = try await contract.browse("\(package)/messages", cookie: other)
        let report = try #require(
            String(buffer: messages.body).firstMatch(of: #/href="([^"]+\/messages\/[^"]+\/report)"/#))
        try await visit([String(report.output.1)], other)
        for isFragment in [false, true] {
            let code = try await contract.browse(
                "\(package)/handover-codes", .post, form: "step=pickup", cookie: other, isFragment: isFragment
            )
            #expect(code.status == .created)
        }
        let operatorCookie = try await join("olga", phone: "%2B49+151+5550103")
        _ = try await contract.server.services.accounts.administrators.setOperator(email: "olga@example.org", true)
        try await visit(["/carrepsa/disputes", "/carrepsa/ledger", "/carrepsa/message-reports"], operatorCookie)
        try await AdminPageCrawl(contract: contract).walk(operatorCookie) { pages, cookie in
            try await visit(pages, cookie)
        }
    }

    /// A recipient and their page, before and after it ends.
    private func recipient(of package: String, _ cookie: String) async throws {
        try await visit(["\(package)/recipient"], cookie)
        let saved = try await contract.browse(
            "\(package)/recipient?_method=put", .post, form: "name=Mia&contact=mia@example.org&address=Bonn",
            cookie: cookie)
        #expect(saved.status == .seeOther)
        let page = try await contract.browse("\(package)/recipient", cookie: cookie)
        let link = try #require(String(buffer: page.body).firstMatch(of: #/\/deliveries\/[A-Za-z0-9_-]{22}/#))
        let delivery = String(link.output)
        let left = try await contract.browse(
            "\(delivery)/instructions?_method=put", .post, form: "leaveAt=With+Karl")
        #expect(left.status == .seeOther)
        try await visit([delivery], nil)
        try await visit(["\(package)/recipient"], cookie)
        _ = try await contract.browse("\(package)/recipient/link?_method=delete", .post, form: "", cookie: cookie)
        try await visit(["\(package)/recipient"], cookie)
        for (isFragment, status) in [(false, 404), (true, 286)] {
            let ended = try await contract.browse(delivery, cookie: nil, isFragment: isFragment)
            #expect(ended.status.code == status)
        }
    }

    private func visit(_ paths: [String], _ cookie: String?, answers status: HTTPResponse.Status = .ok) async throws {
        for path in paths {
            for isFragment in [false, true] {
                let answer = try await contract.browse(path, cookie: cookie, isFragment: isFragment)
                #expect(answer.status == status, "\(path)")
                let unknown = String(buffer: answer.body).matches(of: #/<svg data-icon="([^"]*)"\/>/#).map(\.output.1)
                #expect(unknown == [], "icons that the sprite doesn't have: \(path)")
            }
        }
    }
}
