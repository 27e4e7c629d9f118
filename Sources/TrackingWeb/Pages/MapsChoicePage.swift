import Tracking
import WebCore

/// The page that asks once for the maps app to navigate with; for browsers without scripts.
struct MapsChoicePage: Sendable {
    let shell: Shell
    let t: TrackingStrings
    let navigationURL: String

    init(_ context: SignedInContext, _ item: Item, t: TrackingStrings) {
        let url = TrackingPath.item(item.id)
        shell = Shell(
            context, title: t.details.chooseMaps, menu: .tracking(t), isLargeTitle: false, isNarrow: true,
            hasTabs: false, back: ShellBack(url: url, label: t.common.cancel, isCancel: true)
        )
        self.t = t
        navigationURL = url + "/navigation"
    }
}
