import Kernel
import WebCore

extension Destination {
    /// Returns a link to `path` that passes the destination on.
    func carried(to path: String) -> String {
        asked.isEmpty ? path : "\(path)?return=\(PercentEncoding.encoded(asked))"
    }
}
