import Accounts
import Hummingbird
import Kernel
import Pictures
import Tracking
import WebCore

/// `/tracking/items/new` and `/tracking/items/{id}`: adding, showing, changing and deleting items.
struct ItemsController: Sendable {
    let items: ItemService
    let itemDeletions: ItemDeletionService
    let itemDetails: ItemDetailsService
    let uploads: ItemPictureUpload
    let details: ItemDetailsResponder

    func addRoutes(to items: RouterGroup<SignedInContext>) {
        items.post(use: create)
        items.get("new", use: new)
        items.get("{id}", use: show)
        items.patch("{id}", use: update)
        items.delete("{id}", use: destroy)
        items.get("{id}/edit", use: edit)
        items.get("{id}/delete", use: confirmDestroy)
    }

    // MARK: Adding

    @Sendable func new(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try Responses.page(
            context, template: "tracking-item-new",
            NewItemPage(context, typed: ItemFormState(), error: nil, t: context.t)
        )
    }

    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var typed = ItemFormState()
        var upload: UploadedFile?
        return try await Responses.form(
            context, template: "tracking-item-new",
            page: { error in
                let refusal = try await uploads.storeRejected(upload, with: &typed, after: error, context)
                return NewItemPage(context, typed: typed, error: refusal, t: context.t)
            },
            perform: {
                var fields = try await Fields.read(request, context)
                typed = ItemFormState(fields)
                let name = fields.require("name")
                let picture = fields.id("pictureId", of: Picture.self)
                upload = fields.file("picture")
                fields.noteName(name, context.t)
                try fields.check()
                let change = try context.change(fields)
                let overview = try await uploads.withStoredPicture(upload, by: change) { uploaded in
                    let input = ItemInput(name: name, pictureID: uploaded ?? picture.value)
                    return try await items.create(input, by: change)
                }
                let url = TrackingPath.item(overview.item.id)
                return try Responses.created(
                    context, location: url, version: overview.item.version, json: { ItemJSON(overview) },
                    seeOther: TrackingPath.items + "?added=\(overview.item.id)"
                )
            }
        )
    }

    // MARK: Showing

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Item.self)
        guard context.face == .json else { return try details.page(await details.read(id, context), context) }
        let overview = try await items.item(id, for: context.actor)
        return try Responses.json(context, ItemJSON(overview), version: overview.item.version)
    }

    // MARK: Changing

    @Sendable func edit(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let (overview, isPictureShared) = try await itemDetails.itemWithPictureUse(
            context.id("id", of: Item.self), for: context.actor, requires: .own)
        return try Responses.page(
            context, template: "tracking-item-edit",
            EditItemPage(
                context, overview, isPictureShared: isPictureShared, typed: ItemFormState(overview.item), error: nil,
                t: context.t
            )
        )
    }

    @Sendable func update(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Item.self)
        var typed: ItemFormState?
        var upload: UploadedFile?
        return try await Responses.form(
            context, template: "tracking-item-edit",
            page: { error in
                let (overview, isPictureShared) = try await itemDetails.itemWithPictureUse(
                    id, for: context.actor, requires: .own)
                var shown = typed ?? ItemFormState(overview.item)
                if error.isStaleVersion { shown.rebase(on: overview.item) }
                let refusal = try await uploads.storeRejected(upload, with: &shown, after: error, context)
                return EditItemPage(
                    context, overview, isPictureShared: isPictureShared, typed: shown, error: refusal,
                    t: context.t
                )
            },
            perform: {
                var fields = try await Fields.read(request, context)
                typed = ItemFormState(fields)
                upload = fields.file("picture")
                let patch = fields.itemPatch(context.t)
                try fields.check { if case .set(let settings) = patch.settings { try settings.check() } }
                let version = try context.ifMatch() ?? (fields.isForm ? Int64(fields.typed("version")) : nil)
                let change = try context.change(fields)
                let overview = try await update(id, patch, upload: upload, version: version, by: change)
                return try Responses.changed(
                    context, version: overview.item.version, json: { ItemJSON(overview) },
                    seeOther: TrackingPath.item(id), toast: ShellToast(context.t("Saved"))
                )
            }
        )
    }

    private func update(
        _ id: ID<Item>, _ patch: ItemPatch, upload: UploadedFile?, version: Int64?, by change: Change
    ) async throws -> ItemOverview {
        // Checks the ownership first, so that a request for another account's item decodes no picture.
        if upload != nil { _ = try await items.item(id, for: change.actor, requires: .own) }
        return try await uploads.withStoredPicture(upload, by: change) { uploaded in
            let picture = uploaded.map { FieldChange.set($0) } ?? patch.pictureID
            let whole = ItemPatch(name: patch.name, pictureID: picture, settings: patch.settings)
            return try await items.update(id, whole, ifVersion: version, by: change)
        }
    }

    // MARK: Deleting

    @Sendable func confirmDestroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let (overview, isPictureShared) = try await itemDetails.itemWithPictureUse(
            context.id("id", of: Item.self), for: context.actor, requires: .own)
        return try Responses.page(
            context, template: "tracking-item-delete",
            DeleteItemPage(context, overview, isPictureShared: isPictureShared, t: context.t)
        )
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Item.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        try await itemDeletions.delete(id, by: context.change(fields))
        return Responses.removed(
            context, seeOther: TrackingPath.items, toast: ShellToast(context.t("Item deleted"))
        )
    }
}

extension Fields {
    /// Records an invalid name as an error before anything else of the form is stored.
    mutating func noteName(_ name: String, _ t: Translator) {
        do {
            _ = try DisplayName(name)
        } catch {
            addError("name", error.text(t))
        }
    }

    /// Reads the requested change of an item.
    mutating func itemPatch(_ t: Translator) -> ItemPatch {
        let name = string("name")
        if let text = name.value { noteName(text, t) }
        if name.isNull { addError("name", t("Enter a name.")) }
        return ItemPatch(
            name: name.change, pictureID: id("pictureId", of: Picture.self).change, settings: settingsPatch()
        )
    }
}
