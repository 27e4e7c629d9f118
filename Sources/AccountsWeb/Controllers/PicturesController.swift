import Accounts
import Hummingbird
import Kernel
import Pictures
import WebCore

/// `/pictures`: a person's own library of photos.
struct PicturesController: Sendable {
    let library: PictureLibrary
    let removals: PictureService

    func addRoutes(to routes: RouteGroup<SignedInContext>, everyDevice: RouteGroup<SignedInContext>) {
        routes.serving(.scope(.accountRead)).get("pictures", use: index)
        routes.serving(.anyWrite).post("pictures", use: create)
        everyDevice.serving(.any).get("pictures/{id}", use: show)
        routes.delete("pictures/{id}", use: destroy)
    }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let paging = try context.paging()
        let isBuiltIn = context.query("builtin") == "true"
        let found = try await page(of: context, paging, isBuiltIn: isBuiltIn)
        let shown = Array(found.prefix(paging.limit))
        let isMore = found.count > paging.limit || found.count == Limits.pageSizeMaximum
        let next = isMore ? shown.last?.id.description : nil
        return try Responses.of(
            context, template: "accounts-pictures", fragment: "accounts-pictures-list",
            page: { PicturesPage(context, pictures: shown, next: next, isBuiltIn: isBuiltIn, error: nil) },
            json: { ListJSON(items: shown.map(PictureJSON.init), next: next) }
        )
    }

    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var fields = try await Fields.read(request, context, multipartOnly: true)
        let upload = fields.file("picture")
        return try await Responses.form(
            context, template: "accounts-pictures",
            page: { error in
                let found = try await library.pictures(
                    of: context.actor.person, after: nil, limit: Limits.pageSizeDefault
                )
                return PicturesPage(context, pictures: found, next: nil, error: error)
            },
            perform: { [fields] in
                try fields.check()
                guard let upload, !upload.bytes.isEmpty else {
                    throw AppError.invalid("picture", context.t("Choose a photo."))
                }
                let change = try context.change(fields)
                let picture = try await context.translating {
                    try await library.add(
                        upload.bytes, owner: context.actor.person, idempotency: change.idempotency
                    )
                }
                return try Responses.created(
                    context, location: "/pictures/\(picture.id)", json: { PictureJSON(picture) }, seeOther: "/pictures",
                    toast: ShellToast(context.t("Photo added"))
                )
            }
        )
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Picture.self)
        guard let size = PictureSize(rawValue: context.query("size") ?? PictureSize.medium.rawValue) else {
            throw AppError.invalid("size", context.t("Choose small, medium or large."))
        }
        let viewer = context.actor.person
        _ = try await library.picture(id, for: viewer)
        // A picture never changes under its id.
        return try await Responses.cacheable(context, tag: "\(id)-\(size.rawValue)") {
            try await library.data(id, size: size, for: viewer)
        }
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Picture.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        try await context.translating { try await removals.remove(id, by: context.change(fields)) }
        try await library.sweep()
        return Responses.removed(context, seeOther: "/pictures", toast: ShellToast(context.t("Photo deleted")))
    }

    private func page(
        of context: SignedInContext, _ paging: Paging, isBuiltIn: Bool
    ) async throws -> [Picture] {
        let after: ID<Picture>? = try paging.after.map { text in
            guard let id = ID<Picture>(text) else {
                throw AppError.invalid("after", "This page mark is not one of ours.")
            }
            return id
        }
        let limit = min(paging.limit + 1, Limits.pageSizeMaximum)
        if isBuiltIn { return library.builtinPictures(after: after, limit: limit) }
        return try await library.pictures(of: context.actor.person, after: after, limit: limit)
    }
}
