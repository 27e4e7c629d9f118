import Accounts
import Hummingbird
import Kernel
import WebCore

/// `/account/identities`: the providers that sign in to the account.
struct IdentitiesController: Sendable {
    let identities: IdentityService
    let providers: ProviderCatalog
    let methods: SignInMethodReader
    let confirmations: ConfirmationPartBuilder
    let attempts: ProviderAttemptResponder

    func addRoutes(to account: RouterGroup<SignedInContext>) {
        account
            .get("identities", use: index)
            .post("identities", use: create)
            .get("identities/{provider}", use: new)
            .delete("identities/{provider}", use: destroy)
    }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let methods = try await methods.methods(of: context.actor)
        let providers = providers.summaries
        return try Responses.of(
            context, template: "accounts-identities", fragment: "accounts-identities-list",
            page: { IdentitiesPage(context, methods: methods, providers: providers, error: nil) },
            json: {
                let items = providers.map { provider in
                    IdentityJSON(provider, methods.identities.first { $0.provider == provider.name })
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
        let provider = try providers.summary(of: name)
        return try await Responses.form(
            context, template: "accounts-link",
            page: { error in try await page(provider, context, error: error) },
            perform: {
                try await attempts.begin(
                    .link(context.actor, password: password), at: name, back: "/account/identities", context)
            }
        )
    }

    /// Shows the page that asks for a proof before a provider is linked.
    @Sendable func new(_ request: Request, _ context: SignedInContext) async throws -> Response {
        guard let name = ProviderName(rawValue: try context.text("provider")) else { throw AppError.notFound }
        let page = try await page(try providers.summary(of: name), context, error: nil)
        return try Responses.page(context, template: "accounts-link", page)
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        guard let name = ProviderName(rawValue: try context.text("provider")) else { throw AppError.notFound }
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        return try await Responses.form(
            context, template: "accounts-identities",
            page: { error in
                IdentitiesPage(
                    context, methods: try await methods.methods(of: context.actor), providers: providers.summaries,
                    error: error)
            },
            perform: {
                try await context.translating {
                    try await identities.unlink(name, by: context.change(fields))
                    let provider = try providers.summary(of: name)
                    let toast = ShellToast(context.t("{name} is removed", ["name": provider.label]))
                    return Responses.removed(context, seeOther: "/account/identities", toast: toast)
                }
            }
        )
    }

    private func page(
        _ provider: ProviderSummary, _ context: SignedInContext, error: AppError?
    ) async throws -> LinkPage {
        let part = confirmations.partInPlaceOfPassword(
            context, for: .linkIdentity, methods: try await methods.methods(of: context.actor, for: .linkIdentity),
            destination: "/account/identities/\(provider.name.rawValue)")
        return LinkPage(context, provider, confirmation: part, error: error)
    }
}
