import Hummingbird
import Kernel
import Tracking
import WebCore

/// Distances and interval of all things at a glance; each has its own.
struct ItemSettingsPage: Sendable {
    let shell: Shell
    let note: String
    let emptyNote: String
    let isEmpty: Bool
    let rows: [ItemSettingsRow]
    /// The next part of a long list.
    let nextURL: String?
    let moreLabel: String

    init(_ context: SignedInContext, items: [ItemOverview], next: String?) {
        let isGerman = context.language == .german
        let title = isGerman ? "Abstände und Intervall" : "Distances and interval"
        note = isGerman ? "Jedes Ding hat seine eigenen." : "Each thing has its own."
        emptyNote = isGerman ? "Füge zuerst ein Ding hinzu." : "Add a thing first."
        moreLabel = isGerman ? "Mehr anzeigen" : "Show more"
        isEmpty = items.isEmpty
        rows = items.map { ItemSettingsRow($0.item, isGerman: isGerman) }
        nextURL = next.map { "\(TrackingPath.itemSettings)?after=\(PathSegment.encoded($0))" }
        let t = context.words
        shell = Shell(
            context, title: title, menu: .tracking(t), tab: "settings", isLargeTitle: false,
            back: ShellBack(url: "/account", label: t.common.settings)
        )
    }
}

/// One thing's.
struct ItemSettingsRow: Sendable {
    let name: String
    let values: String
    let url: String

    init(_ item: Item, isGerman: Bool) {
        let settings = item.settings
        name = item.name
        values =
            isGerman
            ? """
            Verloren ab \(settings.lostMetres) m · Warnung ab \(settings.alertMetres) m · zu Fuß bis \
            \(settings.walkMetres) m · alle \(settings.locateMinutes) min
            """
            : """
            Lost from \(settings.lostMetres) m · warning from \(settings.alertMetres) m · on foot up to \
            \(settings.walkMetres) m · every \(settings.locateMinutes) min
            """
        url = "\(TrackingPath.item(item.id))/edit"
    }
}

extension TrackingPages {
    @Sendable func showSettings(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let paging = try context.paging()
        let page = try await service.items(for: context.actor, after: paging.after, limit: paging.limit)
        return try Answer.page(
            context, template: "tracking-settings",
            ItemSettingsPage(context, items: page.items, next: page.next))
    }
}
