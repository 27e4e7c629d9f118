import Kernel
import Tracking
import WebCore

/// The page of distances and intervals: the defaults of new items, and the settings of all items.
struct ItemSettingsPage: Sendable {
    let shell: Shell
    let formAction: String
    let typedVersion: String
    let baseValues: [BaseValue]
    let settingFields: [InputField]
    let formError: String?
    let isEmpty: Bool
    let rows: [ItemSettingsRow]
    /// The URL of the next part of a long list.
    let nextURL: String?

    init(
        _ context: SignedInContext, typed: ItemFormState, error: AppError?, items: ListPage<ItemOverview>,
        t: Translator
    ) {
        formAction = TrackingPath.itemSettings + "?_method=patch"
        typedVersion = typed.version
        let base = typed.base ?? typed.values
        baseValues = ItemValues.fields.filter { $0.name.hasPrefix("settings.") }.map { name, path in
            BaseValue(baseName: "base." + name, baseText: base[keyPath: path])
        }
        let messages = ItemMessages(error, typed: typed, context.language, t: t)
        settingFields = InputField.settings(typed, messages: messages, t: t)
        formError = messages.form
        isEmpty = items.items.isEmpty
        rows = items.items.map { ItemSettingsRow($0.item, t: t) }
        nextURL = items.next.map { "\(TrackingPath.itemSettings)?after=\(PercentEncoding.encoded($0))" }
        shell = Shell(
            context, title: t("Distances and interval"), menu: .openedFrom(context), tab: "settings",
            back: ShellBack(url: TrackingPath.settings, label: t("Settings", context: "narrow button")),
            action: ShellAction(label: t("Save"), formID: "defaults-form", isStrong: true)
        )
    }
}

/// The settings of one item.
struct ItemSettingsRow: Sendable {
    let name: String
    let values: String
    let url: String

    init(_ item: Item, t: Translator) {
        let settings = item.settings
        name = item.name
        func number(_ value: Int) -> String { t.language.grouped(String(value)) }
        values = t(
            """
            Lost from {lost}\u{a0}m · alert from {alert}\u{a0}m · on foot up to {walk}\u{a0}m · every \
            {minutes}\u{a0}min
            """,
            [
                "lost": number(settings.lostMetres), "alert": number(settings.alertMetres),
                "walk": number(settings.walkMetres), "minutes": number(settings.locateMinutes),
            ])
        url = "\(TrackingPath.item(item.id))/edit"
    }
}
