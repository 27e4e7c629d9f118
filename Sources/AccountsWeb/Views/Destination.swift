import WebCore

/// The path to continue with after sign-in: the requested one if it is a path on this site, otherwise the default.
struct Destination: Sendable {
    let path: String
    /// The requested path, for the forms; empty for the default.
    let asked: String

    /// - Parameter otherwise: the default path.
    init(_ asked: String?, otherwise: String = "/tracking/items") {
        let checked = LocalPath(asked ?? "")?.text
        path = checked ?? otherwise
        self.asked = checked ?? ""
    }
}
