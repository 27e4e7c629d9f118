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
    static func decode(_ bytes: [UInt8]) throws(PictureError) -> RenderedPicture {
        guard bytes.count <= Limits.pictureBytes else { throw .tooLarge }
        guard let format = PictureFormat(bytes) else { throw .notAPicture }
        let header = try PictureHeader(bytes, format: format)
        guard let image = try image(header.firstFrame?.file ?? bytes, format, header) else { throw .damaged }
        guard let picture = render(image, header) else { throw .damaged }
        return picture
    }

    private static func image(
        _ file: [UInt8], _ format: PictureFormat, _ header: PictureHeader
    ) throws(PictureError) -> GDImage? {
        switch format {
        case .jpeg: try JPEGFile.decode(file, header)
        case .heic: HEICFile.decode(file)
        case .png, .webp: GDImage.decode(file, format: format)
        }
    }

    /// Reduces the size first, so that rotation and colour conversion cost the same for every picture.
    private static func render(_ decoded: GDImage, _ header: PictureHeader) -> RenderedPicture? {
        let orientation = Orientation(exif: header.exif)
        guard let opaque = header.hasAlpha ? flatten(decoded, header) : decoded,
            let large = opaque.scaledDown(longestSide: PictureSize.large.longestSide)?.turned(orientation)
        else { return nil }
        if let colours = header.colours { ColourConversion.toSRGB(large, from: colours) }
        guard let medium = large.scaledDown(longestSide: PictureSize.medium.longestSide),
            let small = medium.scaledDown(longestSide: PictureSize.small.longestSide),
            let largeFile = large.jpeg(), let mediumFile = medium.jpeg(), let smallFile = small.jpeg()
        else { return nil }
        let isOnItsSide = !orientation.quarterTurns.isMultiple(of: 2)
        return RenderedPicture(
            width: isOnItsSide ? header.height : header.width,
            height: isOnItsSide ? header.width : header.height,
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
