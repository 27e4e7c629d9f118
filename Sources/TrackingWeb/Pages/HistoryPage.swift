import Kernel
import Tracking
import WebCore

/// The page with all positions of an item, in parts.
struct HistoryPage: Sendable {
    let shell: Shell
    let rows: [PositionRow]
    let hasRows: Bool
    let olderRowsURL: String?
    let exports: [ExportLink]

    init(
        _ context: SignedInContext, _ item: Item, fixes: [Fix], names: PlaceNames, next: String?, t: Translator,
        formatter: TrackingFormatter
    ) {
        let url = TrackingPath.item(item.id)
        shell = Shell(
            context, title: t("History"), menu: .tracking(t), tab: "items", isLargeTitle: false,
            back: ShellBack(url: url, label: item.name)
        )
        rows = PositionRow.all(fixes, names: names, t: t, formatter: formatter)
        hasRows = !fixes.isEmpty
        olderRowsURL = next.map { "\(url)/fixes?after=\(PercentEncoding.encoded($0))" }
        exports = ExportLink.all(of: item)
    }
}
