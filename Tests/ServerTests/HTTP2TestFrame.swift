/// A frame of HTTP/2 (RFC 9113, 4.1).
struct HTTP2TestFrame: Sendable {
    enum Kind: UInt8 {
        case data, headers, priority, reset, settings, pushPromise, ping, goAway, windowUpdate, continuation
    }

    enum Flag {
        static let endStream: UInt8 = 0x1
        static let ack: UInt8 = 0x1
        static let endHeaders: UInt8 = 0x4
    }

    static let headerBytes = 9

    let kind: Kind?
    let flags: UInt8
    let stream: UInt32
    let payload: [UInt8]
    /// The status in a response's HEADERS.
    var status: String?

    init(_ kind: Kind, flags: UInt8 = 0, stream: UInt32 = 0, _ payload: [UInt8] = []) {
        self.kind = kind
        self.flags = flags
        self.stream = stream
        self.payload = payload
    }

    /// Removes the first frame from `bytes`, if it is complete.
    init?(removedFrom bytes: inout [UInt8]) {
        guard bytes.count >= Self.headerBytes else { return nil }
        let length = bytes[..<3].reduce(0) { $0 << 8 | Int($1) }
        guard bytes.count >= Self.headerBytes + length else { return nil }
        kind = Kind(rawValue: bytes[3])
        flags = bytes[4]
        stream = Self.number(bytes[5..<9])
        payload = Array(bytes[Self.headerBytes..<(Self.headerBytes + length)])
        bytes.removeFirst(Self.headerBytes + length)
    }

    var endsStream: Bool { (kind == .data || kind == .headers) && flags & Flag.endStream != 0 }

    /// The error code of RST_STREAM or GOAWAY.
    var errorCode: UInt32? {
        switch kind {
        case .reset: Self.number(payload[0..<4])
        case .goAway: Self.number(payload[4..<8])
        default: nil
        }
    }

    var bytes: [UInt8] {
        let length = UInt32(payload.count)
        let kind = kind?.rawValue ?? .max
        return [UInt8(length >> 16 & 0xff), UInt8(length >> 8 & 0xff), UInt8(length & 0xff), kind, flags]
            + Self.bytes(stream) + payload
    }

    static func bytes(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(number >> (24 - 8 * UInt32($0)) & 0xff) } }

    static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 { bytes.reduce(0) { $0 << 8 | UInt32($1) } }

    /// A SETTINGS frame of these parameters.
    static func settings(_ values: [(UInt16, UInt32)]) -> Self {
        Self(.settings, values.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] + bytes($1) })
    }

    /// Header fields without compression (RFC 7541, 6.2.2).
    static func headerBlock(_ fields: [(String, String)]) -> [UInt8] {
        fields.flatMap { name, value in [0] + literal(name) + literal(value) }
    }

    private static func literal(_ text: String) -> [UInt8] {
        var rest = text.utf8.count
        guard rest >= 127 else { return [UInt8(rest)] + Array(text.utf8) }
        var length: [UInt8] = [127]
        rest -= 127
        while rest >= 128 {
            length.append(UInt8(rest % 128) | 128)
            rest /= 128
        }
        return length + [UInt8(rest)] + Array(text.utf8)
    }
}
