import Crypto
import Kernel

/// A body's value, whatever it was written in.
enum FieldValue: Sendable, Equatable {
    case null
    case boolean(Bool)
    case whole(Int64)
    case number(Double)
    /// A number that neither 64 bits nor a double can hold.
    case unrepresentable
    case text(String)
    /// What was typed into a form: text that may be meant as a number.
    case typed(String)
    /// Text with more combining marks in a row than any script needs; never made into a `String`.
    case overmarked
    case list([FieldValue])
    case object([MemberName: FieldValue])
    case file(UploadedFile)
}

extension FieldValue {
    /// A value typed into a form, from its bytes; `nil` if they aren't UTF-8.
    init?(typed bytes: some Collection<UInt8>) {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        self = StreamSafeText.isValid(bytes) ? .typed(text) : .overmarked
    }

    /// Feeds the value into a hash in a form that depends on its meaning only: not on spelling, order or white space.
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

    // Each piece is told with its length, so that two bodies can't run together into the same bytes.
    private static func bytes(_ bytes: [UInt8], _ hash: inout SHA256) {
        withUnsafeBytes(of: UInt64(bytes.count).littleEndian) { hash.update(bufferPointer: $0) }
        hash.update(data: bytes)
    }
}

/// A file as a form sends it. Name and type are the client's claims.
package struct UploadedFile: Sendable, Equatable {
    /// The name on the client's disk.
    package let filename: String?
    /// What the client takes it for.
    package let mediaType: String?
    /// The contents.
    package let bytes: [UInt8]
}
