import Accounts
import Hummingbird
import Kernel
import Pictures
import Tracking
import WebCore

extension TrackingPages {
    // MARK: List

    @Sendable func listItems(_ request: Request, _ context: SignedInContext) async throws -> Response {
        guard context.face == .json else { return try await showList(context) }
        let paging = try context.paging()
        let page = try await service.items(for: context.actor, after: paging.after, limit: paging.limit)
        return try Responses.json(context, ListJSON(items: page.items.map(ItemJSON.init), next: page.next))
    }

    /// Returns the offer to pair a tracker, after a new item was saved.
    func pairSheet(_ context: SignedInContext, _ t: TrackingStrings) async throws -> PairSheet? {
        guard context.face == .page, let id = context.query("added").flatMap({ ID<Item>($0) }) else { return nil }
        do {
            let overview = try await service.item(id, for: context.actor)
            return overview.tracker == nil ? PairSheet(overview.item, t: t) : nil
        } catch let error as AppError where error.code == .notFound {
            return nil
        }
    }

    // MARK: Add

    @Sendable func newItem(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try Responses.page(
            context, template: "tracking-item-new",
            NewItemPage(context, typed: ItemFormState(), error: nil, t: context.words)
        )
    }

    @Sendable func addItem(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var typed = ItemFormState()
        var upload: UploadedFile?
        return try await Responses.form(
            context, template: "tracking-item-new",
            page: { error in
                let refusal = try await keep(upload, with: &typed, after: error, context)
                return NewItemPage(context, typed: typed, error: refusal, t: context.words)
            },
            perform: {
                var fields = try await Fields.read(request, context)
                typed = ItemFormState(fields)
                let name = fields.require("name")
                let picture = fields.id("pictureId", of: Picture.self)
                upload = fields.file("picture")
                fields.noteName(name, context.words.form)
                try fields.check()
                let change = try context.change(fields)
                let overview = try await keeping(upload, by: change) { uploaded in
                    let input = ItemInput(name: name, pictureID: uploaded ?? picture.value)
                    return try await service.add(input, by: change)
                }
                let url = TrackingPath.item(overview.item.id)
                return try Responses.created(
                    context, location: url, version: overview.item.version, json: { ItemJSON(overview) },
                    seeOther: TrackingPath.items + "?added=\(overview.item.id)"
                )
            }
        )
    }

    /// Stores a picture of a rejected form, because browsers don't restore a file field. The picture is then in the
    /// library, as it is with scripts when a photo is chosen, and the form refers to it.
    /// - Returns: the error, plus the picture's error if there is one.
    private func keep(
        _ upload: UploadedFile?, with typed: inout ItemFormState, after error: AppError, _ context: SignedInContext
    ) async throws -> AppError {
        guard let upload, !upload.bytes.isEmpty, error.code == .invalid || error.code == .conflict,
            error.fields["picture"] == nil
        else { return error }
        do {
            typed.values.pictureId = try await pictures.add(upload.bytes, owner: context.actor.person).id.description
            typed.hasUpload = false
            return error
        } catch let refusal as AppError {
            // On a temporary failure the form asks for the picture again.
            guard refusal.code == .invalid else { return error }
            let fields = error.fields.merging(refusal.fields) { first, _ in first }
            return AppError(error.code, error.message, fields: fields)
        }
    }

    /// Stores a picture submitted with the form, as happens without scripts, and runs `work` with it. Deletes the
    /// picture again if the item doesn't show it afterwards, because the change was rejected or was a repeat.
    private func keeping(
        _ upload: UploadedFile?, by change: Change, _ work: (ID<Picture>?) async throws -> ItemOverview
    ) async throws -> ItemOverview {
        guard let upload, !upload.bytes.isEmpty else { return try await work(nil) }
        let picture = try await pictures.add(upload.bytes, owner: change.actor.person).id
        do {
            let overview = try await work(picture)
            if overview.item.pictureID != picture { try await service.discard(picture, of: change.actor) }
            return overview
        } catch {
            try await service.discard(picture, of: change.actor)
            throw error
        }
    }

    // MARK: Details

    @Sendable func showItem(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Item.self)
        let overview = try await service.item(id, for: context.actor)
        if context.face == .json {
            return try Responses.json(context, ItemJSON(overview), version: overview.item.version)
        }
        return try await details(overview, context)
    }

    /// Returns the details as a page or a fragment.
    func details(_ overview: ItemOverview, _ context: SignedInContext) async throws -> Response {
        let t = context.words
        let range = ItemDetailsPage.positionsAtFirst...Limits.pageSizeMaximum
        let asked = context.query("shown").flatMap { Int($0) } ?? range.lowerBound
        let count = min(max(asked, range.lowerBound), range.upperBound)
        let page = try await service.fixes(of: overview.item.id, for: context.actor, after: nil, limit: count)
        let history = HistoryPart(fixes: page.items, count: count, hasMore: page.next != nil)
        let canRing = overview.tracker?.kind == .homeward
        let ring = canRing ? try await service.recentRing(of: overview.item.id, for: context.actor) : nil
        let alertOffer = try await service.alertOffer(for: context.actor)
        return try Responses.page(
            context, template: "tracking-item-details", fragment: "tracking-item-status",
            version: overview.item.version,
            ItemDetailsPage(
                context, overview, history: history, ring: ring, alertOffer: alertOffer, pushKey: pushKey, t: t,
                formatter: context.formatter(t)
            )
        )
    }

    // MARK: Edit

    @Sendable func editItem(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let overview = try await service.item(context.id("id", of: Item.self), for: context.actor)
        let page = try await editPage(overview, typed: ItemFormState(overview.item), error: nil, context)
        return try Responses.page(context, template: "tracking-item-edit", page)
    }

    private func editPage(
        _ overview: ItemOverview, typed: ItemFormState, error: AppError?, _ context: SignedInContext
    ) async throws -> EditItemPage {
        let isShared = try await service.pictureIsShared(overview.item.id, for: context.actor)
        return EditItemPage(
            context, overview, isPictureShared: isShared, typed: typed, error: error, t: context.words
        )
    }

    @Sendable func updateItem(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Item.self)
        var typed: ItemFormState?
        var upload: UploadedFile?
        return try await Responses.form(
            context, template: "tracking-item-edit",
            page: { error in
                let overview = try await service.item(id, for: context.actor)
                var shown = typed ?? ItemFormState(overview.item)
                if error.isStaleVersion { shown.rebase(on: overview.item) }
                let refusal = try await keep(upload, with: &shown, after: error, context)
                return try await editPage(overview, typed: shown, error: refusal, context)
            },
            perform: {
                var fields = try await Fields.read(request, context)
                typed = ItemFormState(fields)
                upload = fields.file("picture")
                let patch = fields.itemPatch(context.words.form)
                try fields.check { if case .set(let settings) = patch.settings { try settings.check() } }
                let version = try context.ifMatch() ?? (fields.isForm ? Int64(fields.typed("version")) : nil)
                let change = try context.change(fields)
                let overview = try await update(id, patch, upload: upload, version: version, by: change)
                return try Responses.changed(
                    context, version: overview.item.version, json: { ItemJSON(overview) },
                    seeOther: TrackingPath.item(id), toast: ShellToast(context.words.form.saved)
                )
            }
        )
    }

    private func update(
        _ id: ID<Item>, _ patch: ItemPatch, upload: UploadedFile?, version: Int64?, by change: Change
    ) async throws -> ItemOverview {
        // Checks the ownership first, so that a request for another account's item decodes no picture.
        if upload != nil { _ = try await service.item(id, for: change.actor) }
        return try await keeping(upload, by: change) { uploaded in
            let picture = uploaded.map { FieldChange.set($0) } ?? patch.pictureID
            let whole = ItemPatch(name: patch.name, pictureID: picture, settings: patch.settings)
            return try await service.update(id, whole, ifVersion: version, by: change)
        }
    }

    // MARK: Delete

    @Sendable func askToDeleteItem(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let overview = try await service.item(context.id("id", of: Item.self), for: context.actor)
        let isShared = try await service.pictureIsShared(overview.item.id, for: context.actor)
        return try Responses.page(
            context, template: "tracking-item-delete",
            DeleteItemPage(context, overview, isPictureShared: isShared, t: context.words)
        )
    }

    @Sendable func deleteItem(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Item.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        try await service.delete(id, by: context.change(fields))
        return Responses.removed(
            context, seeOther: TrackingPath.items, toast: ShellToast(context.words.list.deleted)
        )
    }
}

extension Fields {
    /// Records an invalid name as an error before anything else of the form is stored.
    mutating func noteName(_ name: String, _ strings: FormStrings) {
        do {
            _ = try DisplayName(name)
        } catch {
            note("name", strings.message(for: error))
        }
    }

    /// Reads the requested change of an item.
    mutating func itemPatch(_ strings: FormStrings) -> ItemPatch {
        let name = string("name")
        if let text = name.value { noteName(text, strings) }
        if name.isNull { note("name", strings.nameEmpty) }
        return ItemPatch(
            name: name.change, pictureID: id("pictureId", of: Picture.self).change, settings: settingsPatch()
        )
    }
}
