/// The headers of one part of a multipart body.
enum MultipartHeaders {
    static func part(_ text: String) throws(MultipartParser.Failure) -> MultipartParser.Part {
        var disposition: [String: String]?
        var mediaType: String?
        for line in text.split(separator: "\r\n") {
            guard let colon = line.firstIndex(of: ":") else { throw .malformed }
            let value = line[line.index(after: colon)...].trimmingSpaces()
            switch line[..<colon].lowercased() {
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

    /// `form-data; name="a"; filename="b"` → its parts; the first word stands under the empty name.
    /// Quoted text is taken as browsers write it: only the quote itself is escaped, as `%22` or `\"`.
    static func parameters(of value: String) -> [String: String] {
        guard value.utf8.contains(UInt8(ascii: ";")) else { return ["": value.trimmingSpaces().lowercased()] }
        var result: [String: String] = [:]
        var rest = Substring(value)
        let kind = rest.prefix { $0 != ";" }
        result[""] = kind.trimmingSpaces().lowercased()
        rest = rest.dropFirst(kind.count)
        while rest.first == ";" {
            rest = rest.dropFirst()
            let name = rest.prefix { $0 != "=" && $0 != ";" }
            rest = rest.dropFirst(name.count)
            guard rest.first == "=" else { continue }
            rest = rest.dropFirst()
            let text: String
            if rest.first == "\"" {
                text = takeQuoted(&rest)
                rest = rest.drop { $0 != ";" }
            } else {
                let plain = rest.prefix { $0 != ";" }
                rest = rest.dropFirst(plain.count)
                text = plain.trimmingSpaces()
            }
            let key = name.trimmingSpaces().lowercased()
            if result[key] == nil { result[key] = text }
        }
        return result
    }

    private static func takeQuoted(_ rest: inout Substring) -> String {
        rest = rest.dropFirst()
        var text = ""
        while let character = rest.first {
            rest = rest.dropFirst()
            if character == "\"" { break }
            if character == "\\", rest.first == "\"" {
                rest = rest.dropFirst()
                text.append("\"")
            } else {
                text.append(character)
            }
        }
        return text.replacing("%22", with: "\"")
    }
}
