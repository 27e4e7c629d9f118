import Crypto
package import Kernel

extension ID where Entity == Notice {
    /// Derives the id from its content and time, so that posting the same notification again changes nothing.
    /// - Parameters:
    ///   - about: what distinguishes the notification from others of that time: its kind, the object, and the person
    ///     if there are several recipients.
    ///   - at: a time that is the same for each repetition.
    package init(about: [String], at: Instant) {
        let digest = SHA256.hash(data: Array(about.joined(separator: "\n").utf8))
        let series = digest.prefix(8).reduce(into: UInt64(0)) { $0 = $0 << 8 | UInt64($1) }
        self.init(at: at, series: Int64(bitPattern: series))
    }
}
