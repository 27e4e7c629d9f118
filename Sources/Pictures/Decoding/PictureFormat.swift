/// The accepted picture formats, detected by their first bytes. File names and declared media types are ignored.
enum PictureFormat: Equatable {
    case jpeg, png, webp, heic

    // ISO/IEC 23008-12, annex B: still pictures coded with HEVC. `mif1` doesn't determine the codec.
    private static let hevcBrands: Set<String> = ["heic", "heix", "heim", "heis"]
    private static let generalBrands: Set<String> = ["mif1", "msf1", "hevc", "hevx"]
    private static let brandBytes = 4
    private static let maximumBrands = 64

    init?(_ bytes: [UInt8]) {
        let reader = PictureByteReader(bytes: bytes)
        if bytes.starts(with: [0xff, 0xd8, 0xff]) {
            self = .jpeg
        } else if bytes.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) {
            self = .png
        } else if reader.starts(with: "RIFF", at: 0), reader.starts(with: "WEBP", at: 8) {
            self = .webp
        } else if reader.starts(with: "ftyp", at: 4), Self.isHEIC(reader) {
            self = .heic
        } else {
            return nil
        }
    }

    private static func isHEIC(_ reader: PictureByteReader) -> Bool {
        guard let boxBytes = reader.bigEndian(0, bytes: 4), let major = reader.text(8, brandBytes) else { return false }
        if hevcBrands.contains(major) { return true }
        guard generalBrands.contains(major) else { return false }
        let end = min(boxBytes, 16 + brandBytes * maximumBrands)
        return stride(from: 16, to: end, by: brandBytes).contains { offset in
            reader.text(offset, brandBytes).map(hevcBrands.contains) ?? false
        }
    }
}
