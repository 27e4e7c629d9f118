import CExif

/// The EXIF data of a picture (CIPA DC-008).
final class ExifData {
    /// Uncalibrated colours by the optional rules for Adobe RGB (CIPA DC-008, 4.6.6; DCF 2.0).
    private static let adobeInteroperability = "R03"
    /// A value for Adobe RGB outside of the standard, which some cameras write.
    private static let adobeColourSpace = 2
    private static let interoperabilityIndex = ExifTag(rawValue: 1)

    private let data: UnsafeMutablePointer<CExif.ExifData>

    /// - Parameter tiff: the TIFF structure. `nil` for data that isn't one, or is too large.
    init?(_ tiff: [UInt8]) {
        let block = Array("Exif\0\0".utf8) + tiff
        guard block.count <= Int(UInt16.max), let data = exif_data_new_from_data(block, UInt32(block.count)) else {
            return nil
        }
        self.data = data
    }

    deinit { exif_data_unref(data) }

    /// The orientation's number, from the IFD that describes the picture itself.
    var orientation: Int? { short(EXIF_TAG_ORIENTATION, in: data.pointee.ifd.0) }

    /// Whether the colours are Adobe RGB, which has no profile in many files of cameras.
    var isAdobeRGB: Bool {
        if short(EXIF_TAG_COLOR_SPACE, in: data.pointee.ifd.2) == Self.adobeColourSpace { return true }
        guard let entry = exif_content_get_entry(data.pointee.ifd.4, Self.interoperabilityIndex),
            let value = entry.pointee.data
        else { return false }
        let text = UnsafeRawBufferPointer(start: value, count: Int(entry.pointee.size)).prefix { $0 != 0 }
        return text.elementsEqual(Self.adobeInteroperability.utf8)
    }

    private func short(_ tag: ExifTag, in content: UnsafeMutablePointer<ExifContent>?) -> Int? {
        guard let entry = exif_content_get_entry(content, tag), entry.pointee.format == EXIF_FORMAT_SHORT,
            entry.pointee.size >= 2, let value = entry.pointee.data
        else { return nil }
        return Int(exif_get_short(value, exif_data_get_byte_order(data)))
    }
}
