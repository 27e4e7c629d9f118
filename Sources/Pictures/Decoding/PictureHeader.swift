import Kernel

/// The metadata of a picture file, read before any pixel is decoded.
struct PictureHeader: Equatable {
    var width: Int
    var height: Int
    /// Whether the picture may have transparent pixels.
    var hasAlpha = false
    /// The TIFF structure in the EXIF data; `nil` if the format's decoder applies the rotation.
    var exif: [UInt8]?
    var colourProfile: [UInt8]?
    /// The colours without a profile, unless they are sRGB.
    var colourSpace: ColourSpace?
    /// The first frame as a picture of its own, if the file is an animation.
    var firstFrame: AnimationFrame?

    /// The first frame of an animation with its position on the canvas.
    struct AnimationFrame: Equatable {
        let file: [UInt8]
        let left: Int
        let top: Int
    }

    /// `nil` for sRGB.
    var colours: ColourSource? { colourProfile.map(ColourSource.profile) ?? colourSpace.map(ColourSource.space) }

    /// Reads the header of a file.
    /// - Throws: ``PictureError/damaged`` if the file has no header; ``PictureError/tooManyPixels`` or
    ///   ``PictureError/tooManyPixelsForFormat``.
    init(_ bytes: [UInt8], format: PictureFormat) throws(PictureError) {
        let reader = PictureByteReader(bytes: bytes)
        var header: PictureHeader? =
            switch format {
            case .jpeg: JPEGHeader.read(reader)
            case .png: PNGHeader.read(reader)
            case .webp: WebPHeader.read(reader)
            case .heic: HEICHeader.read(bytes)
            }
        if header?.colours == nil, let exif = header?.exif, ExifData(exif)?.isAdobeRGB ?? false {
            header?.colourSpace = .adobeRGB
        }
        guard let header, header.width > 0, header.height > 0 else { throw .damaged }
        let pixels = header.width.multipliedReportingOverflow(by: header.height)
        guard !pixels.overflow, pixels.partialValue <= Limits.picturePixels else { throw .tooManyPixels }
        // Only JPEG is reduced while it is decoded.
        guard format == .jpeg || pixels.partialValue <= Limits.wholePicturePixels else {
            throw .tooManyPixelsForFormat
        }
        self = header
    }

    init(width: Int, height: Int, hasAlpha: Bool = false) {
        self.width = width
        self.height = height
        self.hasAlpha = hasAlpha
    }
}
