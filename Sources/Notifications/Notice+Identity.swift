import Crypto
package import Kernel

extension ID where Entity == Notice {
    /// The same id each time for the same thing told of the same moment, so that telling it again changes nothing.
    /// - Parameters:
    ///   - about: what tells the notice apart from every other one of that moment: its kind, the thing, and the person
    ///     where several are told.
    ///   - at: a moment that is the same each time.
    package init(about: [String], at: Instant) {
        let digest = SHA256.hash(data: Array(about.joined(separator: "\n").utf8))
        let series = digest.prefix(8).reduce(into: UInt64(0)) { $0 = $0 << 8 | UInt64($1) }
        self.init(at: at, series: Int64(bitPattern: series))
    }
}
