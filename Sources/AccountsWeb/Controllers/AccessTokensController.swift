import Accounts
import Hummingbird
import Kernel
import WebCore

/// `/account/access-tokens`: credentials with which scripts use a part of a person's data.
struct AccessTokensController: Sendable {
    static let path = "/account/access-tokens"
    static let newPath = "/account/access-tokens/new"

    let tokens: AccessTokenService
    let proofs: ProofService

    func addRoutes(to account: RouterGroup<SignedInContext>) {
        account
            .get("access-tokens", use: index)
            .get("access-tokens/new", use: new)
            .post("access-tokens", use: create)
            .delete("access-tokens/{id}", use: destroy)
    }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let listed = try await tokens.list(of: context.actor)
        return try Responses.of(
            context, template: "accounts-access-tokens", fragment: "accounts-access-tokens-list",
            page: { AccessTokensPage(context, tokens: listed) },
            json: { ListJSON(items: listed.map(AccessTokenJSON.init), next: nil) }
        )
    }

    @Sendable func new(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try Responses.page(
            context, template: "accounts-access-token-new", try await newPage(context, AccessTokenFormState()))
    }

    /// Shows the secret once. The server stores only its hash.
    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var fields = try await Fields.read(request, context)
        let password = fields.string("password").value
        let wanted = AccessTokenRequest(
            name: fields.string("name").value,
            scopes: fields.strings("scopes", atMost: AccessScope.allCases.count).value ?? [],
            days: fields.integer("expiresInDays").value.map(Int.init(clamping:)))
        let typed = AccessTokenFormState(
            name: fields.typed("name"), scopes: wanted.scopes, days: wanted.days ?? Limits.usualAccessTokenDays)
        return try await Responses.form(
            context, template: "accounts-access-token-new",
            page: { error in try await newPage(context, typed, error: error.translated(to: context.language)) },
            perform: { [fields] in
                try fields.check()
                let new = try await context.translating {
                    try await tokens.create(wanted, password: password, by: context.actor)
                }
                guard context.face != .json else {
                    var response = try Responses.json(context, NewAccessTokenJSON(new), status: .created)
                    response.headers[.location] = "\(Self.path)/\(new.token.id)"
                    return response
                }
                return try Responses.page(
                    context, template: "accounts-access-token-secret", status: .created,
                    AccessTokenSecretPage(context, new))
            }
        )
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: AccessToken.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        try await tokens.revoke(id, by: context.change(fields))
        return Responses.removed(
            context, seeOther: Self.path, toast: ShellToast(context.t("Access token revoked")))
    }

    private func newPage(
        _ context: SignedInContext, _ typed: AccessTokenFormState, error: AppError? = nil
    ) async throws -> NewAccessTokenPage {
        NewAccessTokenPage(
            context, typed, proof: try await proofs.state(of: context.actor, for: .createAccessToken), error: error)
    }
}
