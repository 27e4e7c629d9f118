import Kernel
import Tracking
import WebCore

/// The page that asks once for the maps app to navigate with; for browsers without scripts.
struct MapsChoicePage: Sendable {
    let shell: Shell
    let navigationURL: String

    init(_ context: SignedInContext, to target: NavigationTarget, t: Translator) {
        let url = target.pageURL
        shell = Shell(
            context, title: t("Navigate with"), menu: .tracking(t), isLargeTitle: false, isNarrow: true,
            hasTabs: false, back: ShellBack(url: url, label: t("Cancel"), isCancel: true)
        )
        navigationURL = url + "/navigation"
    }
}
