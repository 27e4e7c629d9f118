import Accounts
import Hummingbird
import Kernel
import Tracking
import WebCore

/// The defaults of new items.
extension TrackingPages {
    @Sendable func showSettings(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let defaults = try await service.itemDefaults(for: context.actor)
        if context.face == .json {
            return try Responses.json(context, ItemDefaultsJSON(defaults), version: defaults.version)
        }
        let page = try await settingsPage(typed: ItemFormState(defaults), error: nil, context)
        return try Responses.page(context, template: "tracking-settings", page)
    }

    private func settingsPage(
        typed: ItemFormState, error: AppError?, _ context: SignedInContext
    ) async throws -> ItemSettingsPage {
        let paging = try context.paging()
        let items = try await service.items(for: context.actor, after: paging.after, limit: paging.limit)
        return ItemSettingsPage(context, typed: typed, error: error, items: items, t: context.words)
    }

    @Sendable func changeSettings(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var typed: ItemFormState?
        return try await Responses.form(
            context, template: "tracking-settings",
            page: { error in
                let defaults = try await service.itemDefaults(for: context.actor)
                var shown = typed ?? ItemFormState(defaults)
                if error.isStaleVersion { shown.rebase(on: defaults) }
                return try await settingsPage(typed: shown, error: error, context)
            },
            perform: {
                var fields = try await Fields.read(request, context)
                typed = ItemFormState(fields)
                let patch = fields.settingsPatch()
                try fields.check { if case .set(let settings) = patch { try settings.check() } }
                let defaults = try await service.updateItemDefaults(patch, by: context.change(fields))
                return try Responses.changed(
                    context, version: defaults.version, json: { ItemDefaultsJSON(defaults) },
                    seeOther: TrackingPath.itemSettings,
                    toast: ShellToast(ItemSettingsStrings.of(context.language).saved)
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
            keepDays: integer("settings.keepDays").map { Int($0) }.change
        )
        return contains("settings") ? .set(settings) : .keep
    }
}
