import Crypto
import Kernel

/// A value of a request's body, in whatever format it was sent.
enum FieldValue: Sendable, Equatable {
    case null
    case boolean(Bool)
    case whole(Int64)
    case number(Double)
    /// A number that neither 64 bits nor a double can represent.
    case unrepresentable
    case text(String)
    /// A value of a form: text that may be a number.
    case typed(String)
    /// Text with more combining marks in a row than any script needs; never converted to a `String`.
    case overmarked
    case list([FieldValue])
    case object([MemberName: FieldValue])
    case file(UploadedFile)
}

extension FieldValue {
    init(_ json: JSONValue) {
        switch json {
        case .null: self = .null
        case .boolean(let isTrue): self = .boolean(isTrue)
        case .number(let number):
            self = number.whole.map(Self.whole) ?? number.double.map(Self.number) ?? .unrepresentable
        case .text(let text): self = .text(text)
        case .overmarked: self = .overmarked
        case .unpairedText, .unpairedNames: self = .unrepresentable
        case .list(let values): self = .list(values.map(Self.init))
        case .object(let members): self = .object(members.mapValues(Self.init))
        }
    }

    /// A value of a form, from its bytes; `nil` if they aren't UTF-8.
    init?(typed bytes: some Collection<UInt8>) {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        self = StreamSafeText.isValid(bytes) ? .typed(text) : .overmarked
    }

    /// Hashes the value's meaning only: not its spelling, order or white space.
    func update(_ hash: inout SHA256) {
        switch self {
        case .null: Self.tag("n", &hash)
        case .boolean(let value): Self.tag(value ? "t" : "f", &hash)
        case .whole(let value): Self.tag("i\(value)", &hash)
        case .number(let value): Self.tag("d\(value)", &hash)
        case .unrepresentable: Self.tag("x", &hash)
        case .text(let text), .typed(let text): Self.tag("s\(text)", &hash)
        case .overmarked: Self.tag("m", &hash)
        case .file(let file): Self.bytes(file.bytes, &hash)
        case .list(let values):
            Self.tag("l\(values.count)", &hash)
            for value in values { value.update(&hash) }
        case .object(let members):
            Self.tag("o\(members.count)", &hash)
            for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                Self.tag("k\(name.text)", &hash)
                value.update(&hash)
            }
        }
    }

    private static func tag(_ text: String, _ hash: inout SHA256) { bytes(Array(text.utf8), &hash) }

    // The length precedes each piece, so that different bodies never hash the same bytes.
    private static func bytes(_ bytes: [UInt8], _ hash: inout SHA256) {
        withUnsafeBytes(of: UInt64(bytes.count).littleEndian) { hash.update(bufferPointer: $0) }
        hash.update(data: bytes)
    }
}

/// A file in a form. The client chooses name and type; they are not verified.
package struct UploadedFile: Sendable, Equatable {
    /// The file's name on the client's disk.
    package let filename: String?
    /// The media type that the client declares.
    package let mediaType: String?
    package let bytes: [UInt8]
}
