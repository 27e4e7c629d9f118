import Crypto
import Kernel
import Ledger

/// A row about a package that the ledger seals. A transfer has the digest of the row's fields as its subject, and a
/// signed batch of the ledger's chain holds the transfer (docs/decisions/0074).
struct SealedRecord: Sendable {
    /// A column that the digest covers.
    struct Field: Sendable {
        let column: String
        /// The value as text; `nil` for `NULL`.
        let value: String?

        init(_ column: String, _ value: String?) {
            self.column = column
            self.value = value
        }
    }

    /// A text that another column of the row has the SHA-256 of. A text that was deleted isn't listed.
    struct Content: Sendable {
        let column: String
        let bytes: [UInt8]
        /// In hexadecimal digits.
        let digest: String
    }

    let table: String
    let package: ID<Package>
    /// What distinguishes the row from others of its table and package.
    let key: String
    let fields: [Field]
    var contents: [Content] = []

    /// The row's name in findings.
    var name: String { "\(package)/\(key)" }

    /// The SHA-256 of all fields in hexadecimal digits.
    var digest: String { SHA256Text.digest(of: image) }

    /// The fields as unambiguous bytes: a length of 8 bytes precedes each text.
    var image: [UInt8] {
        var bytes = Array("\(table) \(name)\n".utf8)
        for field in fields {
            let length = field.value.map { UInt64($0.utf8.count) } ?? .max
            withUnsafeBytes(of: length.bigEndian) { bytes.append(contentsOf: $0) }
            if let value = field.value { bytes.append(contentsOf: value.utf8) }
        }
        return bytes
    }

    /// The id of the transfer that seals the row.
    var transferID: ID<Transfer> {
        let hash = SHA256.hash(data: Array("evidence \(table) \(name)".utf8))
        let series = hash.prefix(8).reduce(into: UInt64(0)) { $0 = $0 << 8 | UInt64($1) }
        return ID(at: package.instant, series: Int64(bitPattern: series))
    }
}

/// SHA-256 as hexadecimal digits.
enum SHA256Text {
    static func digest(of bytes: [UInt8]) -> String { Hexadecimal.encoded(SHA256.hash(data: bytes)) }
    static func digest(of text: String) -> String { digest(of: Array(text.utf8)) }
    static func isDigest(_ digest: [UInt8], of bytes: [UInt8]) -> Bool { SHA256.hash(data: bytes) == digest }
}
