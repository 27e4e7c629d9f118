import Kernel

/// A decoded picture as it is stored: upright, in sRGB, without metadata, in three sizes.
package struct RenderedPicture: Equatable, Sendable {
    /// The width of the upright original in pixels.
    package let width: Int
    /// The height of the upright original in pixels.
    package let height: Int
    package let files: [PictureSize: [UInt8]]

    /// The bytes of all sizes.
    var byteCount: Int { files.values.reduce(0) { $0 + $1.count } }
}

/// Decodes an untrusted file. The C libraries that it calls have a history of memory errors, so outside of tests it
/// runs only in the sandboxed process of ``PictureWorker``.
enum PictureDecoder {
    /// libjpeg's warnings about harmless quirks of some cameras. Any other warning means missing pixels.
    private static let harmless = [
        "extraneous bytes before marker", "Invalid SOS parameters", "Unknown Adobe color transform",
    ]

    static func decode(_ bytes: [UInt8]) throws(PictureError) -> RenderedPicture {
        guard bytes.count <= Limits.pictureBytes else { throw .tooLarge }
        guard let format = PictureFormat(bytes) else { throw .notAPicture }
        let header = try PictureHeader(bytes, format: format)
        guard let image = image(header.firstFrame?.file ?? bytes, format) else { throw .damaged }
        guard let picture = render(image, header) else { throw .damaged }
        return picture
    }

    private static func image(_ file: [UInt8], _ format: PictureFormat) -> GDImage? {
        let (image, remarks) = GDMessages.during { GDImage.decode(file, format: format) }
        guard format == .jpeg else { return image }
        // libjpeg replaces missing data with grey and only warns.
        return remarks.allSatisfy { remark in harmless.contains { remark.contains($0) } } ? image : nil
    }

    /// Reduces the size first, so that rotation and colour conversion cost the same for every picture.
    private static func render(_ decoded: GDImage, _ header: PictureHeader) -> RenderedPicture? {
        let orientation = Orientation(exif: header.exif)
        guard let opaque = header.hasAlpha ? flatten(decoded, header) : decoded,
            let large = opaque.scaledDown(longestSide: PictureSize.large.longestSide)?.turned(orientation)
        else { return nil }
        if let profile = header.colourProfile { ColourConversion.toSRGB(large, from: profile) }
        guard let medium = large.scaledDown(longestSide: PictureSize.medium.longestSide),
            let small = medium.scaledDown(longestSide: PictureSize.small.longestSide),
            let largeFile = large.jpeg(), let mediumFile = medium.jpeg(), let smallFile = small.jpeg()
        else { return nil }
        let isOnItsSide = !orientation.quarterTurns.isMultiple(of: 2)
        return RenderedPicture(
            width: isOnItsSide ? opaque.height : opaque.width,
            height: isOnItsSide ? opaque.width : opaque.height,
            files: [.large: largeFile, .medium: mediumFile, .small: smallFile]
        )
    }

    private static func flatten(_ image: GDImage, _ header: PictureHeader) -> GDImage? {
        guard let frame = header.firstFrame else {
            return image.flattened(width: image.width, height: image.height, left: 0, top: 0)
        }
        return image.flattened(width: header.width, height: header.height, left: frame.left, top: frame.top)
    }
}
