import CZlib

/// Reads a PNG file's chunks (W3C PNG, third edition, 5.3) up to its end chunk.
enum PNGHeader {
    private static let signatureBytes = 8
    private static let profileBytes = 4 * 1024 * 1024

    static func read(_ reader: PictureByteReader) -> PictureHeader? {
        guard reader.starts(with: "IHDR", at: signatureBytes + 4),
            let width = reader.bigEndian(signatureBytes + 8, bytes: 4),
            let height = reader.bigEndian(signatureBytes + 12, bytes: 4),
            let colourType = reader[signatureBytes + 17]
        else { return nil }
        var header = PictureHeader(width: width, height: height, hasAlpha: colourType & 4 != 0)
        var colours = PNGColours()
        var offset = signatureBytes
        while let length = reader.bigEndian(offset, bytes: 4), let name = reader.text(offset + 4, 4) {
            // A checksum follows the content.
            guard let content = reader.slice(offset + 8, length), reader.slice(offset + 8, length + 4) != nil else {
                return nil
            }
            switch name {
            case "IEND":
                colours.apply(to: &header)
                return header
            case "tRNS": header.hasAlpha = true
            case "eXIf" where header.exif == nil: header.exif = Array(content)
            case "iCCP" where header.colourProfile == nil: header.colourProfile = profile(content)
            default: colours.read(name, Array(content))
            }
            offset += 12 + length
        }
        return nil
    }

    /// Returns the profile in an `iCCP` chunk: a name, a zero byte, the method (zero), then the deflated profile.
    private static func profile(_ content: ArraySlice<UInt8>) -> [UInt8]? {
        guard let nameEnd = content.firstIndex(of: 0), content.endIndex - nameEnd > 2 else { return nil }
        let deflated = content[(nameEnd + 2)...]
        var count = uLongf(profileBytes)
        let inflated = [UInt8](unsafeUninitializedCapacity: profileBytes) { buffer, filled in
            let status = deflated.withUnsafeBufferPointer { source in
                uncompress(buffer.baseAddress, &count, source.baseAddress, uLong(source.count))
            }
            filled = status == Z_OK ? Int(count) : 0
        }
        return inflated.isEmpty ? nil : inflated
    }
}
