import Accounts
import Hummingbird
import Kernel
import WebCore

/// `/admin/people`: the accounts of this server.
struct PeopleController: Sendable {
    let people: AccountAdministrationService

    func addRoutes(to routes: RouterGroup<SignedInContext>) {
        routes
            .get(use: index)
            .get("{id}", use: show)
            .delete("{id}", use: destroy)
            .put("{id}/disabling", use: disable)
            .delete("{id}/disabling", use: enable)
            .put("{id}/administrator", use: grant)
            .delete("{id}/administrator", use: revoke)
            .delete("{id}/sessions", use: endSessions)
            .post("{id}/reset-links", use: createResetLink)
    }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let paging = try context.paging()
        let search = context.query("search")
        let page = try await people.list(
            for: context.actor, search: search, after: paging.after, limit: paging.limit)
        return try Responses.of(
            context, template: "admin-people", fragment: "admin-people-rows",
            page: { PeoplePage(context, page, search: search ?? "", after: paging.after) },
            json: { ListJSON(items: page.items.map(AdministeredAccountJSON.init), next: page.next) }
        )
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let details = try await people.details(try id(context), for: context.actor)
        return try Responses.of(
            context, template: "admin-person", version: details.account.version,
            page: { PersonPage(context, details, resetLink: nil, error: nil) },
            json: { AdministeredAccountJSON(details.account) }
        )
    }

    @Sendable func disable(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await change(request, context, toast: context.t("The account is disabled")) {
            try await people.disable($0, by: $1)
        }
    }

    @Sendable func enable(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await change(request, context, toast: context.t("The account is enabled")) {
            try await people.enable($0, by: $1)
        }
    }

    @Sendable func grant(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await change(request, context, toast: context.t("Administrator rights granted")) {
            try await people.setAdministrator($0, true, by: $1)
        }
    }

    @Sendable func revoke(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await change(request, context, toast: context.t("Administrator rights revoked")) {
            try await people.setAdministrator($0, false, by: $1)
        }
    }

    @Sendable func endSessions(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await change(request, context, toast: context.t("The person is signed out")) {
            try await people.endSessions(of: $0, by: $1)
        }
    }

    /// Shows the link once. The server stores only its hash.
    @Sendable func createResetLink(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let person = try id(context)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        return try await showingErrors(person, context) {
            let link = try await people.createResetLink(for: person, by: context.change(fields))
            guard context.face != .json else {
                return try Responses.json(context, ResetLinkJSON(url: link), status: .created)
            }
            let details = try await people.details(person, for: context.actor)
            return try Responses.page(
                context, template: "admin-person", status: .created,
                PersonPage(context, details, resetLink: link, error: nil))
        }
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let person = try id(context)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        return try await showingErrors(person, context) {
            try await people.delete(person, by: context.change(fields))
            return Responses.removed(
                context, seeOther: AdminPath.people, toast: ShellToast(context.t("The account is deleted")))
        }
    }

    private func change(
        _ request: Request, _ context: SignedInContext, toast: String,
        _ work: (PersonID, Change) async throws -> AccountAdministrationService.Details
    ) async throws -> Response {
        let person = try id(context)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        return try await showingErrors(person, context) {
            let details = try await work(person, context.change(fields))
            return try Responses.changed(
                context, version: details.account.version, json: { AdministeredAccountJSON(details.account) },
                seeOther: AdminPath.person(person), toast: ShellToast(toast))
        }
    }

    /// Shows a browser an error on the person's page.
    private func showingErrors(
        _ person: PersonID, _ context: SignedInContext, perform: () async throws -> Response
    ) async throws -> Response {
        try await Responses.form(
            context, template: "admin-person",
            page: { error in
                PersonPage(
                    context, try await people.details(person, for: context.actor), resetLink: nil,
                    error: error.translated(to: context.language))
            },
            perform: perform)
    }

    private func id(_ context: SignedInContext) throws -> PersonID { try context.id("id", of: Person.self) }
}
