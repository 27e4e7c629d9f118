import Accounts
import Hummingbird
import Kernel
import WebCore

/// `/account/import`: the import of an export from another server.
struct AccountImportController: Sendable {
    let imports: AccountImportService
    let sendsMail: Bool

    func addRoutes(to account: RouterGroup<SignedInContext>) {
        account
            .get("import", use: show)
            .post("import", use: create)
            .post("import/run", use: run)
            .delete("import", use: destroy)
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let current = try await imports.current(for: context.actor)
        return try Responses.of(
            context, template: "accounts-import", fragment: "accounts-import-status", version: current?.version,
            page: { ImportPage(context, current, sendsMail: sendsMail) },
            json: { AccountImportJSON(current, context.t) })
    }

    /// Stores and checks an archive.
    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await Responses.form(
            context, template: "accounts-import",
            page: { error in try await page(context, error) },
            perform: {
                try await context.translating {
                    let stored = try await imports.receive(by: context.actor) { upload in
                        _ = try await Fields.readStoring("archive", request, context, limit: Limits.importBodyBytes) {
                            bytes in try await upload.append(bytes)
                        }
                    }
                    return try Responses.created(
                        context, location: "/account/import", version: stored.version,
                        json: { AccountImportJSON(stored, context.t) }, seeOther: "/account/import")
                }
            })
    }

    @Sendable func run(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var fields = try await Fields.read(request, context, emptyAllowed: true)
        let id = fields.id("id", of: AccountImport.self).value
        let includesProfile = fields.boolean("profile").value ?? false
        return try await Responses.form(
            context, template: "accounts-import",
            page: { error in try await page(context, error) },
            perform: { [fields] in
                try await context.translating {
                    try fields.check()
                    let started = try await imports.start(
                        id, includesProfile: includesProfile, by: context.change(fields))
                    return try Responses.accepted(
                        context, version: started.version, json: { AccountImportJSON(started, context.t) },
                        seeOther: "/account/import", toast: ShellToast(context.t("The import has started")))
                }
            })
    }

    private func page(_ context: SignedInContext, _ error: AppError) async throws -> ImportPage {
        ImportPage(
            context, try await imports.current(for: context.actor), sendsMail: sendsMail,
            error: error)
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        try await context.translating { try await imports.delete(by: context.change(fields)) }
        return Responses.removed(context, seeOther: "/account/import")
    }
}
