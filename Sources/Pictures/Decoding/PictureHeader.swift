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
    /// The first frame as a picture of its own, if the file is an animation.
    var firstFrame: AnimationFrame?

    /// The first frame of an animation with its position on the canvas.
    struct AnimationFrame: Equatable {
        let file: [UInt8]
        let left: Int
        let top: Int
    }

    /// Reads the header of a file.
    /// - Throws: ``PictureError/damaged`` if the file has no header or is truncated;
    ///   ``PictureError/tooManyPixels``.
    init(_ bytes: [UInt8], format: PictureFormat) throws(PictureError) {
        let reader = PictureByteReader(bytes: bytes)
        let header: PictureHeader? =
            switch format {
            case .jpeg: JPEGHeader.read(reader)
            case .png: PNGHeader.read(reader)
            case .webp: WebPHeader.read(reader)
            case .heic: HEICHeader.read(bytes)
            }
        guard let header, header.width > 0, header.height > 0 else { throw .damaged }
        let pixels = header.width.multipliedReportingOverflow(by: header.height)
        guard !pixels.overflow, pixels.partialValue <= Limits.picturePixels else { throw .tooManyPixels }
        self = header
    }

    init(width: Int, height: Int, hasAlpha: Bool = false) {
        self.width = width
        self.height = height
        self.hasAlpha = hasAlpha
    }
}
