import WebCore

extension Destination {
    /// A link to `path` that doesn't forget the destination.
    func carried(to path: String) -> String {
        asked.isEmpty ? path : "\(path)?return=\(PathSegment.encoded(asked))"
    }
}
