import Kernel
import WebCore

/// The page for an absent or deleted resource; the back button leads here after a deletion.
struct NotFoundPage: Sendable {
    let shell: Shell
    let wayURL: String
    let wayLabel: String

    init(_ context: SignedInContext, t: Translator) {
        let isSource = context.path.hasPrefix(TrackingPath.sources + "/")
        wayURL = isSource ? TrackingPath.sources : TrackingPath.items
        wayLabel = isSource ? t("Phones and apps") : t("Items")
        shell = Shell(
            context, title: t("Nothing here"), menu: .tracking(t), tab: "items", isLargeTitle: false,
            back: ShellBack(url: wayURL, label: wayLabel)
        )
    }
}
