import CExif

/// How a camera was held, by EXIF's numbers 1 to 8 (CIPA DC-008, tag 0x0112).
struct Orientation: Equatable {
    /// Whether the picture is mirrored left to right, before it is turned.
    let isMirrored: Bool
    /// Quarter turns clockwise that make it upright.
    let quarterTurns: Int

    static let upright = Orientation(isMirrored: false, quarterTurns: 0)

    private init(isMirrored: Bool, quarterTurns: Int) {
        self.isMirrored = isMirrored
        self.quarterTurns = quarterTurns
    }

    /// The meaning of EXIF's number; `nil` outside of 1 to 8.
    init?(exifValue: Int) {
        switch exifValue {
        case 1: self.init(isMirrored: false, quarterTurns: 0)
        case 2: self.init(isMirrored: true, quarterTurns: 0)
        case 3: self.init(isMirrored: false, quarterTurns: 2)
        case 4: self.init(isMirrored: true, quarterTurns: 2)
        case 5: self.init(isMirrored: true, quarterTurns: 3)
        case 6: self.init(isMirrored: false, quarterTurns: 1)
        case 7: self.init(isMirrored: true, quarterTurns: 1)
        case 8: self.init(isMirrored: false, quarterTurns: 3)
        default: return nil
        }
    }

    /// What EXIF data says; upright where it says nothing, or nonsense.
    init(exif tiff: [UInt8]?) {
        self = tiff.flatMap(Self.exifValue).flatMap(Orientation.init(exifValue:)) ?? .upright
    }

    private static func exifValue(_ tiff: [UInt8]) -> Int? {
        let block = Array("Exif\0\0".utf8) + tiff
        guard block.count <= Int(UInt16.max), let data = exif_data_new_from_data(block, UInt32(block.count)) else {
            return nil
        }
        defer { exif_data_unref(data) }
        // IFD 0, that of the picture itself, is the first of the fixed list.
        guard let entry = exif_content_get_entry(data.pointee.ifd.0, EXIF_TAG_ORIENTATION),
            entry.pointee.format == EXIF_FORMAT_SHORT, entry.pointee.size >= 2, let value = entry.pointee.data
        else { return nil }
        return Int(exif_get_short(value, exif_data_get_byte_order(data)))
    }
}
