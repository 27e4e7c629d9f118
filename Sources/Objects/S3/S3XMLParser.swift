import Kernel

/// Parses the XML of a bucket's responses: elements and text (XML 1.0), a few megabytes at most. It ignores attributes
/// and name prefixes, and rejects a document type declaration, which could define entities.
struct S3XMLParser {
    /// The text of an element without child elements.
    struct Leaf: Equatable {
        /// The element names from the root on: `ListBucketResult/Contents/Key`.
        let path: String
        let text: String
    }

    struct Flaw: Error {}

    private var rest: ArraySlice<UInt8>
    private var open: [String] = []
    private var text: [UInt8] = []
    private var isLeaf = false
    private var leaves: [Leaf] = []

    /// Returns the leaves in document order.
    static func leaves(_ bytes: [UInt8]) throws(Flaw) -> [Leaf] {
        var reader = S3XMLParser(rest: bytes[...])
        return try reader.read()
    }

    private init(rest: ArraySlice<UInt8>) { self.rest = rest }

    private mutating func read() throws(Flaw) -> [Leaf] {
        var hasRoot = false
        while let byte = rest.first {
            guard byte == UInt8(ascii: "<") else {
                try takeText()
                continue
            }
            if consume("<?") {
                try skip(to: "?>")
            } else if consume("<!--") {
                try skip(to: "-->")
            } else if consume("<![CDATA[") {
                text += try skip(to: "]]>")
            } else if consume("</") {
                try close(name(of: try skip(to: ">")))
            } else if consume("<!") {
                throw Flaw()
            } else {
                rest = rest.dropFirst()
                guard !open.isEmpty || !hasRoot else { throw Flaw() }
                hasRoot = true
                try begin()
            }
        }
        guard hasRoot, open.isEmpty else { throw Flaw() }
        return leaves
    }

    private mutating func begin() throws(Flaw) {
        var tag: [UInt8] = []
        var quote: UInt8?
        while let byte = rest.popFirst() {
            if let mark = quote {
                if byte == mark { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                let isEmpty = tag.last == UInt8(ascii: "/")
                let name = try name(of: isEmpty ? tag.dropLast() : tag[...])
                guard open.count < Limits.bucketResponseDepth else { throw Flaw() }
                open.append(name)
                isLeaf = true
                text = []
                if isEmpty { try close(name) }
                return
            }
            tag.append(byte)
        }
        throw Flaw()
    }

    private mutating func close(_ name: String) throws(Flaw) {
        guard open.last == name else { throw Flaw() }
        if isLeaf {
            guard let text = String(validating: text, as: UTF8.self) else { throw Flaw() }
            leaves.append(Leaf(path: open.joined(separator: "/"), text: text))
        }
        open.removeLast()
        isLeaf = false
        text = []
    }

    private mutating func takeText() throws(Flaw) {
        while let byte = rest.first, byte != UInt8(ascii: "<") {
            rest = rest.dropFirst()
            text += byte == UInt8(ascii: "&") ? try entity(skip(to: ";")) : [byte]
        }
    }

    private func entity(_ name: ArraySlice<UInt8>) throws(Flaw) -> [UInt8] {
        let name = String(decoding: name, as: UTF8.self)
        switch name {
        case "lt": return Array("<".utf8)
        case "gt": return Array(">".utf8)
        case "amp": return Array("&".utf8)
        case "quot": return Array("\"".utf8)
        case "apos": return Array("'".utf8)
        default:
            guard name.hasPrefix("#") else { throw Flaw() }
            let digits = name.dropFirst()
            let number = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            guard let number, let scalar = Unicode.Scalar(number) else { throw Flaw() }
            return Array(String(scalar).utf8)
        }
    }

    /// A tag's local name, without its prefix and attributes.
    private func name(of tag: ArraySlice<UInt8>) throws(Flaw) -> String {
        let word = tag.prefix { ![0x20, 0x09, 0x0a, 0x0d].contains($0) }
        let local = word.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).last ?? []
        guard !local.isEmpty, let name = String(validating: local, as: UTF8.self) else { throw Flaw() }
        return name
    }

    private mutating func consume(_ mark: StaticString) -> Bool {
        guard mark.withUTF8Buffer({ rest.starts(with: $0) }) else { return false }
        rest = rest.dropFirst(mark.utf8CodeUnitCount)
        return true
    }

    /// - Returns: The bytes before `mark`.
    @discardableResult
    private mutating func skip(to mark: StaticString) throws(Flaw) -> ArraySlice<UInt8> {
        guard let count = rest.withUnsafeBufferPointer({ $0.firstIndex(of: mark) }) else { throw Flaw() }
        defer { rest = rest.dropFirst(count + mark.utf8CodeUnitCount) }
        return rest.prefix(count)
    }
}
