import CPostgres
import Kernel

/// The values of a statement in PostgreSQL's binary format, one after the other.
struct PostgresParameters {
    private enum TypeID {
        static let unknown: Oid = 0
        static let bytea: Oid = 17
        static let int8: Oid = 20
        static let text: Oid = 25
        static let float8: Oid = 701
    }

    private(set) var types: [Oid] = []
    private var bytes: [UInt8] = []
    private var starts: [Int?] = []
    private var lengths: [Int32] = []

    init(_ values: [SQLValue]) throws {
        types.reserveCapacity(values.count)
        starts.reserveCapacity(values.count)
        lengths.reserveCapacity(values.count)
        for value in values { try append(value) }
    }

    private mutating func append(_ value: SQLValue) throws {
        let start = bytes.count
        switch value {
        case .null:
            types.append(TypeID.unknown)
            starts.append(nil)
            lengths.append(0)
            return
        case .integer(let number):
            types.append(TypeID.int8)
            withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
        case .real(let number):
            guard number.isFinite else { throw AppError.notFinite }
            types.append(TypeID.float8)
            withUnsafeBytes(of: number.bitPattern.bigEndian) { bytes.append(contentsOf: $0) }
        case .text(let text):
            guard !text.utf8.contains(0) else { throw AppError.nullCharacter }
            types.append(TypeID.text)
            bytes.append(contentsOf: text.utf8)
        case .blob(let blob):
            types.append(TypeID.bytea)
            bytes.append(contentsOf: blob)
        }
        starts.append(start)
        lengths.append(Int32(clamping: bytes.count - start))
    }

    /// Calls `body` with the arguments of `PQexecPrepared`: values, their lengths, and 1 ("binary") for each.
    func withPointers<T>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> T
    ) -> T {
        let formats = [Int32](repeating: 1, count: types.count)
        // One extra byte, because an empty value at the end also needs an address.
        return (bytes + [0]).withUnsafeBytes { buffer in
            let base = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            let values: [UnsafePointer<CChar>?] = starts.map { start in start.flatMap { base?.advanced(by: $0) } }
            return body(values, lengths, formats)
        }
    }
}

/// Parses values in PostgreSQL's text format.
enum PostgresValue {
    static func read(_ result: OpaquePointer, row: Int32, column: Int32, type: Oid) -> SQLValue {
        guard PQgetisnull(result, row, column) == 0, let start = PQgetvalue(result, row, column) else { return .null }
        let length = Int(PQgetlength(result, row, column))
        let bytes = UnsafeRawBufferPointer(start: start, count: length)
        let text = String(decoding: bytes, as: UTF8.self)
        switch type {
        case 20, 21, 23, 26: return Int64(text).map { .integer($0) } ?? .text(text)
        case 700, 701: return Double(text).map { .real($0) } ?? .text(text)
        case 16: return .integer(text == "t" ? 1 : 0)
        // After `\x`, PostgreSQL writes hexadecimal digits.
        case 17: return .blob(Hexadecimal.decoded(bytes.dropFirst(2)) ?? [])
        // A sum of integers is numeric on PostgreSQL and an integer on SQLite.
        case 1700: return Int64(text).map { .integer($0) } ?? Double(text).map { .real($0) } ?? .text(text)
        default: return .text(text)
        }
    }
}

enum PostgresText {
    static func errorMessage(of connection: OpaquePointer) -> String {
        let text = PQerrorMessage(connection).map { String(cString: $0) } ?? ""
        return text.split(separator: "\n").joined(separator: "; ")
    }

    /// Returns the statement with each `?` outside of quotes and comments replaced by `$1`, `$2`, …
    static func numbered(_ text: String) -> String {
        var numbered: [UInt8] = []
        numbered.reserveCapacity(text.utf8.count + 16)
        var count = 0
        var quote: UInt8?
        var isComment = false
        var previous: UInt8 = 0
        for byte in text.utf8 {
            if isComment {
                if byte == UInt8(ascii: "\n") { isComment = false }
            } else if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
                quote = byte
            } else if byte == UInt8(ascii: "-"), previous == byte {
                isComment = true
            } else if byte == UInt8(ascii: "?") {
                count += 1
                numbered.append(UInt8(ascii: "$"))
                numbered.append(contentsOf: "\(count)".utf8)
                previous = byte
                continue
            }
            numbered.append(byte)
            previous = byte
        }
        return String(decoding: numbered, as: UTF8.self)
    }

    /// Calls `body` with keywords and values as the two null-terminated arrays that libpq requires.
    static func withArrays<T>(
        _ pairs: [(String, String)],
        _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<UnsafePointer<CChar>?>) -> T
    ) -> T {
        let keywords = pairs.map { Array($0.0.utf8CString) }
        let values = pairs.map { Array($0.1.utf8CString) }
        return withPointers(to: keywords) { keywords in withPointers(to: values) { body(keywords, $0) } }
    }

    private static func withPointers<T>(
        to strings: [[CChar]], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> T
    ) -> T {
        let joined = strings.flatMap { $0 }
        return joined.withUnsafeBufferPointer { buffer in
            var pointers: [UnsafePointer<CChar>?] = []
            var offset = 0
            for string in strings {
                pointers.append(buffer.baseAddress?.advanced(by: offset))
                offset += string.count
            }
            pointers.append(nil)
            return body(pointers)
        }
    }
}
