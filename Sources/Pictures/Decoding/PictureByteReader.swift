/// Reads numbers from untrusted bytes. Returns `nil` outside the bounds and never traps.
struct PictureByteReader {
    let bytes: [UInt8]

    var count: Int { bytes.count }

    subscript(_ offset: Int) -> UInt8? { bytes.indices.contains(offset) ? bytes[offset] : nil }

    func slice(_ offset: Int, _ length: Int) -> ArraySlice<UInt8>? {
        guard offset >= 0, length >= 0, offset <= count, length <= count - offset else { return nil }
        return bytes[offset..<(offset + length)]
    }

    func text(_ offset: Int, _ length: Int) -> String? {
        slice(offset, length).map { String(decoding: $0, as: UTF8.self) }
    }

    func bigEndian(_ offset: Int, bytes length: Int) -> Int? {
        slice(offset, length)?.reduce(0) { $0 << 8 | Int($1) }
    }

    func littleEndian(_ offset: Int, bytes length: Int) -> Int? {
        slice(offset, length)?.reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    func starts(with text: StaticString, at offset: Int) -> Bool {
        text.withUTF8Buffer { wanted in slice(offset, wanted.count)?.elementsEqual(wanted) ?? false }
    }
}
