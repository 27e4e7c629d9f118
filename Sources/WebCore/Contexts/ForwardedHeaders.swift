import Kernel

/// The headers in which reverse proxies name the clients of a request: `X-Forwarded-For`, or `Forwarded` (RFC 7239)
/// where there is no `X-Forwarded-For`.
///
/// Each proxy appends the address that it sees, so the last entries are the trusted ones. The headers are therefore
/// read from their end, and what a client wrote at their beginning can't change the meaning of the rest.
struct ForwardedHeaders {
    private let text: String?
    private let isStandard: Bool

    /// - Parameters:
    ///   - xForwardedFor: the lines of `X-Forwarded-For`, joined by commas.
    ///   - forwarded: those of `Forwarded`.
    init(xForwardedFor: String?, forwarded: String? = nil) {
        text = xForwardedFor ?? forwarded
        isStandard = xForwardedFor == nil
    }

    var isEmpty: Bool { text == nil }

    /// The addresses, the last one first; `nil` for an entry that names none, such as `unknown` or `_hidden`.
    var hopsFromLast: some Sequence<String?> {
        let isStandard = isStandard
        return ElementsFromLast(Array((text ?? "").utf8), separator: UInt8(ascii: ","))
            .lazy.filter { !$0.isEmpty }
            .map { element in
                guard let node = isStandard ? Self.node(in: element) : Array(element) else { return nil }
                return Self.address(of: node)
            }
    }

    /// The value of the only `for` of an entry of `Forwarded`.
    private static func node(in element: [UInt8]) -> [UInt8]? {
        let values = ElementsFromLast(element, separator: UInt8(ascii: ";")).compactMap { pair -> [UInt8]? in
            guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            let name = String(decoding: pair[..<equals], as: UTF8.self).trimmingSpaces().lowercased()
            return name == "for" ? ElementsFromLast.trimmed(pair[(equals + 1)...]) : nil
        }
        return values.count == 1 ? values.first : nil
    }

    /// Returns the address of a node (RFC 7239, 6), without quotes, brackets, port and zone. An IPv6 address may lack
    /// its brackets, as in `X-Forwarded-For`.
    private static func address(of node: [UInt8]) -> String? {
        guard let text = unquoted(node) else { return nil }
        if let address = IPAddress(text) { return address.description }
        guard let colon = text.lastIndex(of: ":"), isPort(text[text.index(after: colon)...]) else { return nil }
        let host = text[..<colon]
        // Without brackets, the last group of an IPv6 address would count as a port.
        guard host.hasPrefix("[") || !host.contains(":") else { return nil }
        return IPAddress(host)?.description
    }

    /// A port, or an obfuscated one (RFC 7239, 6.2).
    private static func isPort(_ text: Substring) -> Bool {
        if text.hasPrefix("_") { return text.count > 1 }
        return (1...5).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// The text of a token or a quoted string (RFC 9110, 5.6.4).
    private static func unquoted(_ bytes: [UInt8]) -> String? {
        let quote = UInt8(ascii: "\""), backslash = UInt8(ascii: "\\")
        guard bytes.first == quote else { return String(decoding: bytes, as: UTF8.self) }
        guard bytes.count >= 2, bytes.last == quote else { return nil }
        var text: [UInt8] = []
        var isEscaped = false
        for byte in bytes.dropFirst().dropLast() {
            guard isEscaped || byte != backslash else {
                isEscaped = true
                continue
            }
            guard isEscaped || byte != quote else { return nil }
            text.append(byte)
            isEscaped = false
        }
        return isEscaped ? nil : String(decoding: text, as: UTF8.self)
    }
}

/// The elements of a header's list, the last one first and without the blanks around them. A separator in a quoted
/// string is no separator.
private struct ElementsFromLast: Sequence, IteratorProtocol {
    private let bytes: [UInt8]
    private let separator: UInt8
    /// The end of the next element; `nil` after the last one.
    private var end: Int?

    init(_ bytes: [UInt8], separator: UInt8) {
        self.bytes = bytes
        self.separator = separator
        end = bytes.count
    }

    mutating func next() -> [UInt8]? {
        guard let end else { return nil }
        var start = end
        var isQuoted = false
        while start > 0 {
            let byte = bytes[start - 1]
            if byte == UInt8(ascii: "\""), !isEscaped(start - 1) { isQuoted.toggle() }
            if byte == separator, !isQuoted { break }
            start -= 1
        }
        self.end = start > 0 ? start - 1 : nil
        return Self.trimmed(bytes[start..<end])
    }

    /// Whether an odd number of backslashes precedes the byte.
    private func isEscaped(_ index: Int) -> Bool {
        bytes[..<index].reversed().prefix { $0 == UInt8(ascii: "\\") }.count % 2 == 1
    }

    static func trimmed(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        return Array(bytes.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
    }
}
