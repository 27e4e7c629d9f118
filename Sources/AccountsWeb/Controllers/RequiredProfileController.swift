import Accounts
import Hummingbird
import Kernel
import WebCore

/// `/account/apps/{app}`: the fields that an app requires.
struct RequiredProfileController: Sendable {
    let accounts: AccountReader
    let profiles: ProfileService

    func addRoutes(to account: RouterGroup<SignedInContext>) {
        account
            .get("apps/{app}", use: show)
            .post("apps/{app}", use: create)
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let app = try app(context)
        let account = try await accounts.account(context.actor)
        let missing = app.missing(in: account)
        let destination = Destination(context.query("return"), otherwise: app.root)
        guard !missing.isEmpty else { return Responses.seeOther(context, to: destination.path) }
        let page = RequiredProfilePage(
            context, app: app, missing: missing, typed: .nothing, destination: destination, error: nil)
        return try Responses.page(context, template: "accounts-entrance", page)
    }

    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let app = try app(context)
        var fields = try await Fields.read(request, context)
        let dateOfBirth = fields.string("dateOfBirth").value
        let phone = fields.string("phone").value
        let typed = ProfileFormState(fields)
        let destination = Destination(fields.typed("return"), otherwise: app.root)
        return try await Responses.form(
            context, template: "accounts-entrance",
            page: { error in
                let missing = app.missing(in: try await accounts.account(context.actor))
                return RequiredProfilePage(
                    context, app: app, missing: missing, typed: typed, destination: destination, error: error)
            },
            perform: { [fields] in
                try await context.translating {
                    try fields.check()
                    let account = try await profiles.complete(
                        for: app, dateOfBirth: dateOfBirth, phone: phone, by: context.change(fields))
                    return try Responses.changed(
                        context, version: account.version, json: { AccountJSON(account) }, seeOther: destination.path)
                }
            }
        )
    }

    private func app(_ context: SignedInContext) throws -> AppName {
        guard let app = AppName(rawValue: try context.text("app")) else { throw AppError.notFound }
        return app
    }
}

extension AppName {
    var root: String { self == .tracking ? "/tracking/items" : "/\(rawValue)" }
}
