import Kernel

/// The headers of one part of a multipart body, read as bytes: a Swift `Character` can contain a quotation mark
/// together with a combining mark.
enum MultipartHeaders {
    private static let quote = UInt8(ascii: "\"")
    private static let semicolon = UInt8(ascii: ";")

    static func part(_ text: String) throws(MultipartParser.Failure) -> MultipartParser.Part {
        guard StreamSafeText.isValid(text.utf8) else { throw .malformed }
        var disposition: [String: String]?
        var mediaType: String?
        for line in lines(of: Array(text.utf8)) {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw .malformed }
            let value = string(line[(colon + 1)...]).trimmingSpaces()
            switch string(line[..<colon]).lowercased() {
            case "content-disposition": disposition = parameters(of: value)
            case "content-type": mediaType = value
            default: break
            }
        }
        guard let disposition, disposition[""] == "form-data", let name = disposition["name"], !name.isEmpty else {
            throw .malformed
        }
        return MultipartParser.Part(name: name, filename: disposition["filename"], mediaType: mediaType, bytes: [])
    }

    /// The parts of `form-data; name="a"; filename="b"`; the first word has the empty name. Quoted text is read as
    /// browsers write it: only the quotation mark is escaped, as `%22` or `\"`.
    static func parameters(of value: String) -> [String: String] {
        guard value.utf8.contains(semicolon) else { return ["": value.trimmingSpaces().lowercased()] }
        var result: [String: String] = [:]
        var rest = Array(value.utf8)[...]
        let kind = rest.prefix { $0 != semicolon }
        result[""] = string(kind).trimmingSpaces().lowercased()
        rest = rest.dropFirst(kind.count)
        while rest.first == semicolon {
            rest = rest.dropFirst()
            let name = rest.prefix { $0 != UInt8(ascii: "=") && $0 != semicolon }
            rest = rest.dropFirst(name.count)
            guard rest.first == UInt8(ascii: "=") else { continue }
            rest = rest.dropFirst()
            let text: String
            if rest.first == quote {
                text = takeQuoted(&rest)
                rest = rest.drop { $0 != semicolon }
            } else {
                let plain = rest.prefix { $0 != semicolon }
                rest = rest.dropFirst(plain.count)
                text = string(plain).trimmingSpaces()
            }
            let key = string(name).trimmingSpaces().lowercased()
            if result[key] == nil { result[key] = text }
        }
        return result
    }

    private static func takeQuoted(_ rest: inout ArraySlice<UInt8>) -> String {
        rest = rest.dropFirst()
        var text: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == quote { break }
            if byte == UInt8(ascii: "\\"), rest.first == quote {
                rest = rest.dropFirst()
                text.append(quote)
            } else if byte == UInt8(ascii: "%"), rest.starts(with: "22".utf8) {
                rest = rest.dropFirst(2)
                text.append(quote)
            } else {
                text.append(byte)
            }
        }
        return string(text[...])
    }

    private static func lines(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var start = 0
        for index in bytes.indices.dropLast() where bytes[index] == 0x0d && bytes[index + 1] == 0x0a {
            if index > start { lines.append(bytes[start..<index]) }
            start = index + 2
        }
        if start < bytes.count { lines.append(bytes[start...]) }
        return lines
    }

    private static func string(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}
