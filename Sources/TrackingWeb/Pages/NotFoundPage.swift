import WebCore

/// The page for an absent or deleted resource; the back button leads here after a deletion.
struct NotFoundPage: Sendable {
    let shell: Shell
    let t: TrackingStrings
    let wayURL: String
    let wayLabel: String

    init(_ context: SignedInContext, t: TrackingStrings) {
        let isSource = context.path.hasPrefix(TrackingPath.sources + "/")
        wayURL = isSource ? TrackingPath.sources : TrackingPath.items
        wayLabel = isSource ? t.sources.title : t.list.title
        shell = Shell(
            context, title: t.gone.title, menu: .tracking(t), tab: "items", isLargeTitle: false,
            back: ShellBack(url: wayURL, label: wayLabel)
        )
        self.t = t
    }
}
