import Accounts
import Hummingbird
import Kernel
import Tracking
import WebCore

/// `/tracking/settings`: the settings of new items.
struct ItemSettingsController: Sendable {
    let itemDefaults: ItemDefaultsService

    func addRoutes(to tracking: RouterGroup<SignedInContext>) {
        tracking.get("settings", use: show)
        tracking.patch("settings", use: update)
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        if context.face == .json {
            let defaults = try await itemDefaults.defaults(for: context.actor)
            return try Responses.json(context, ItemDefaultsJSON(defaults), version: defaults.version)
        }
        let page = try await page(typed: nil, error: nil, context)
        return try Responses.page(context, template: "tracking-settings", page)
    }

    private func page(
        typed: ItemFormState?, error: AppError?, _ context: SignedInContext
    ) async throws -> ItemSettingsPage {
        let paging = try context.paging()
        let (defaults, items) = try await itemDefaults.defaultsWithItems(
            for: context.actor, after: paging.after, limit: paging.limit)
        var shown = typed ?? ItemFormState(defaults)
        if let error, error.isStaleVersion { shown.rebase(on: defaults) }
        return ItemSettingsPage(context, typed: shown, error: error, items: items, t: context.t)
    }

    @Sendable func update(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var typed: ItemFormState?
        return try await Responses.form(
            context, template: "tracking-settings",
            page: { error in try await page(typed: typed, error: error, context) },
            perform: {
                var fields = try await Fields.read(request, context)
                typed = ItemFormState(fields)
                let patch = fields.settingsPatch()
                try fields.check { if case .set(let settings) = patch { try settings.check() } }
                let defaults = try await itemDefaults.update(patch, by: context.change(fields))
                return try Responses.changed(
                    context, version: defaults.version, json: { ItemDefaultsJSON(defaults) },
                    seeOther: TrackingPath.itemSettings,
                    toast: ShellToast(context.t("Saved for new items"))
                )
            }
        )
    }
}

extension Fields {
    /// Reads the requested change of settings. Absent fields keep their values.
    mutating func settingsPatch() -> FieldChange<SettingsPatch> {
        let settings = SettingsPatch(
            locateMinutes: integer("settings.locateMinutes").map { Int($0) }.change,
            lostMetres: integer("settings.lostMetres").map { Int($0) }.change,
            alertMetres: integer("settings.alertMetres").map { Int($0) }.change,
            walkMetres: integer("settings.walkMetres").map { Int($0) }.change,
            keepDays: integer("settings.keepDays").map { Int($0) }.change,
            silentHours: integer("settings.silentHours").map { Int($0) }.change
        )
        return contains("settings") ? .set(settings) : .unchanged
    }
}
