import Accounts
import Hummingbird
import Kernel
import Quotas
import WebCore

/// How much the server itself stores.
package protocol ServerStorageReader: Sendable {
    /// The size of the database in bytes; `nil` if it couldn't be read.
    var databaseBytes: Int64? { get }
    /// The free bytes of the data folder's disk; `nil` if they couldn't be read.
    var freeDiskBytes: Int64? { get }
}

/// `/admin/storage`: how much each account stores, and its quota.
struct StorageController: Sendable {
    let storage: StorageAdministrationService
    let server: any ServerStorageReader
    let sendsMail: Bool

    func addRoutes(to routes: RouterGroup<SignedInContext>) {
        routes
            .get(use: index)
            .get("{id}", use: show)
            .put("{id}", use: update)
    }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let paging = try context.paging()
        let overview = try await storage.list(for: context.actor, after: paging.after, limit: paging.limit)
        return try Responses.of(
            context, template: "admin-storage", fragment: "admin-storage-rows",
            page: { StoragePage(context, overview, server, after: paging.after) },
            json: { StorageOverviewJSON(overview, server) }
        )
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let details = try await storage.details(of: try id(context), for: context.actor)
        return try Responses.of(
            context, template: "admin-quota",
            page: { QuotaPage(context, details, sendsMail: sendsMail) },
            json: { AccountStorageJSON(details) }
        )
    }

    @Sendable func update(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let person = try id(context)
        var fields = try await Fields.read(request, context)
        let pictures = fields.integer("pictureLimit", in: 0...Int64(Limits.pictureQuotaMaximum)).value
        let fixes = fields.integer("fixLimit", in: 0...Int64(Limits.fixQuotaMaximum)).value
        let typed = QuotaFormState(pictureLimit: fields.typed("pictureLimit"), fixLimit: fields.typed("fixLimit"))
        return try await Responses.form(
            context, template: "admin-quota",
            page: { error in
                QuotaPage(
                    context, try await storage.details(of: person, for: context.actor), sendsMail: sendsMail,
                    typed: typed,
                    error: error.translated(to: context.language))
            },
            perform: { [fields] in
                try fields.check()
                let chosen = QuotaOverride(pictures: pictures.map { Int($0) }, fixes: fixes.map { Int($0) })
                let details = try await storage.setQuota(chosen, of: person, by: context.change(fields))
                return try Responses.changed(
                    context, json: { AccountStorageJSON(details) }, seeOther: AdminPath.quota(person),
                    toast: ShellToast(context.t("Saved")))
            }
        )
    }

    private func id(_ context: SignedInContext) throws -> PersonID { try context.id("id", of: Person.self) }
}

/// What was typed into the form of a quota.
struct QuotaFormState: Sendable {
    let pictureLimit: String
    let fixLimit: String
}

/// The accounts that store most, and the server's figures.
struct StorageOverviewJSON: Encodable {
    struct Entry: Encodable {
        let id: PersonID
        let name: String
        @Nullable var email: String?
        let pictures: Int
        let pictureBytes: Int64
        let fixes: Int
        let nearLimit: Bool
    }

    struct Total: Encodable {
        let pictures: Int
        let pictureBytes: Int64
        let fixes: Int
    }

    let items: [Entry]
    @Nullable var next: String?
    @Nullable var total: Total?
    @Nullable var databaseBytes: Int64?
    @Nullable var freeDiskBytes: Int64?

    init(_ overview: StorageAdministrationService.Overview, _ server: any ServerStorageReader) {
        items = overview.page.items.map { summary in
            Entry(
                id: summary.account.id, name: summary.account.name, email: summary.account.email,
                pictures: summary.usage.pictures, pictureBytes: summary.usage.pictureBytes,
                fixes: summary.usage.fixes, nearLimit: summary.isNearLimit)
        }
        next = overview.page.next
        total = overview.total.map {
            Total(pictures: $0.pictures, pictureBytes: $0.pictureBytes, fixes: $0.fixes)
        }
        databaseBytes = server.databaseBytes
        freeDiskBytes = server.freeDiskBytes
    }
}

/// How much an account stores and may store. A limit of the account itself is `null` where the default applies.
struct AccountStorageJSON: Encodable {
    let id: PersonID
    let name: String
    let pictures: Int
    let pictureBytes: Int64
    let fixes: Int
    @Nullable var pictureLimit: Int?
    @Nullable var fixLimit: Int?
    let defaultPictureLimit: Int
    let defaultFixLimit: Int

    init(_ details: StorageAdministrationService.Details) {
        id = details.account.id
        name = details.account.name
        pictures = details.usage.pictures
        pictureBytes = details.usage.pictureBytes
        fixes = details.usage.fixes
        pictureLimit = details.chosen.pictures
        fixLimit = details.chosen.fixes
        defaultPictureLimit = details.standard.pictures
        defaultFixLimit = details.standard.fixes
    }
}
