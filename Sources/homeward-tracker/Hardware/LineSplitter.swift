/// Splits a stream of bytes into lines. A line above the limit ends the stream, because the rest can't be split
/// reliably.
struct LineSplitter: Sendable {
    struct LineTooLong: Error, Equatable {}

    private let limit: Int
    private var rest: [UInt8] = []

    init(limit: Int) { self.limit = limit }

    /// Returns the lines completed by these bytes, without line ends.
    mutating func append(_ bytes: some Sequence<UInt8>) throws(LineTooLong) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                if rest.last == UInt8(ascii: "\r") { rest.removeLast() }
                if !rest.isEmpty { lines.append(rest) }
                rest = []
            } else {
                guard rest.count < limit else { throw LineTooLong() }
                rest.append(byte)
            }
        }
        return lines
    }
}
