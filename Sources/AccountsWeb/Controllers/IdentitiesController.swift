import Accounts
import Hummingbird
import Kernel
import WebCore

/// `/account/identities`: the providers that sign in to the account.
struct IdentitiesController: Sendable {
    let providers: ProviderSignIn
    let confirmations: ConfirmationPartBuilder
    let responder: ProviderAttemptResponder

    func addRoutes(to account: RouterGroup<SignedInContext>) {
        account
            .get("identities", use: index)
            .post("identities", use: create)
            .get("identities/{provider}", use: new)
            .delete("identities/{provider}", use: destroy)
            .post("confirmation", use: confirm)
    }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let ways = try await providers.ways(of: context.actor)
        let faces = providers.faces
        return try Responses.of(
            context, template: "accounts-identities", fragment: "accounts-identities-list",
            page: { IdentitiesPage(context, ways: ways, faces: faces, error: nil) },
            json: {
                let items = faces.map { face in
                    IdentityJSON(face, ways.identities.first { $0.provider == face.name })
                }
                return ListJSON(items: items, next: nil)
            }
        )
    }

    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var fields = try await Fields.read(request, context)
        let name = fields.requireChoice("provider", of: ProviderName.self)
        let password = fields.string("password").value
        try fields.check()
        guard let name else { throw AppError.notFound }
        let face = try providers.face(name)
        return try await Responses.form(
            context, template: "accounts-link",
            page: { error in try await page(face, context, error: error) },
            perform: {
                try await redirect(
                    for: name, .link(context.actor, password: password), back: "/account/identities", context)
            }
        )
    }

    /// Shows the page that asks for a proof before a provider is linked.
    @Sendable func new(_ request: Request, _ context: SignedInContext) async throws -> Response {
        guard let name = ProviderName(rawValue: try context.text("provider")) else { throw AppError.notFound }
        let page = try await page(try providers.face(name), context, error: nil)
        return try Responses.page(context, template: "accounts-link", page)
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        guard let name = ProviderName(rawValue: try context.text("provider")) else { throw AppError.notFound }
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        let faces = providers.faces
        return try await Responses.form(
            context, template: "accounts-identities",
            page: { error in
                IdentitiesPage(
                    context, ways: try await providers.ways(of: context.actor), faces: faces, error: error)
            },
            perform: {
                try await context.translating {
                    try await providers.unlink(name, by: context.change(fields))
                    let label = try providers.face(name)
                    let toast = ShellToast(context.providerStrings.nowUnlinked.naming(label))
                    return Responses.removed(context, seeOther: "/account/identities", toast: toast)
                }
            }
        )
    }

    @Sendable func confirm(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var fields = try await Fields.read(request, context)
        let name = fields.requireChoice("provider", of: ProviderName.self)
        let destination = Destination(fields.typed("return"), otherwise: "/account")
        var act = fields.choice("act", of: SensitiveAct.self).value
        if act == nil {
            act = SensitiveAct(page: destination.path)
            if act == nil { fields.note("act", AccountMessage.required.rawValue) }
        }
        try fields.check()
        guard let name, let act else { throw AppError.notFound }
        return try await redirect(for: name, .confirm(context.actor, for: act), back: destination.path, context)
    }

    private func page(
        _ face: ProviderSummary, _ context: SignedInContext, error: AppError?
    ) async throws -> LinkPage {
        let part = try await confirmations.part(
            context, for: .linkIdentity, destination: "/account/identities/\(face.name.rawValue)")
        return LinkPage(context, face, confirmation: part, error: error)
    }

    private func redirect(
        for name: ProviderName, _ purpose: ProviderSignIn.Purpose, back: String, _ context: SignedInContext
    ) async throws -> Response {
        let face = try providers.face(name)
        do {
            return try await responder.begin(to: name, for: purpose, destination: back, context) { url in
                if context.face == .json {
                    return try Responses.json(context, RedirectJSON(url: url), status: .created)
                }
                // Scripts follow the redirect. The CSP allows a plain form to be answered only by a page of this site.
                if context.header(.hxBoosted) != nil || context.face == .fragment {
                    return Responses.seeOther(context, to: url)
                }
                return try Responses.page(
                    context, template: "accounts-departure", ProviderRedirectPage(context, face, url: url, back: back))
            }
        } catch is ProviderFailure {
            let text = context.providerStrings.unavailable.naming(face)
            if context.face == .json { throw AppError(.unavailable, text) }
            return Responses.seeOther(context, to: back, toast: ShellToast(text, isProblem: true))
        }
    }
}
