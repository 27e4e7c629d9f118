import Kernel

/// What a file says about itself, read before a single pixel is decoded.
struct PictureHeader: Equatable {
    var width: Int
    var height: Int
    /// Whether some pixels may be see-through.
    var hasAlpha = false
    /// The TIFF structure inside of the EXIF data; `nil` where the format's decoder turns the picture by itself.
    var exif: [UInt8]?
    /// The embedded ICC profile.
    var colourProfile: [UInt8]?
    /// For animations: the first frame as a picture of its own.
    var firstFrame: AnimationFrame?

    /// The first frame of an animation, and where on the canvas it belongs.
    struct AnimationFrame: Equatable {
        let file: [UInt8]
        let left: Int
        let top: Int
    }

    /// Reads the header of a file.
    /// - Throws: ``PictureRefusal/damaged`` when there is none, or the file ends too early;
    ///   ``PictureRefusal/tooManyPixels``.
    init(_ bytes: [UInt8], format: PictureFormat) throws(PictureRefusal) {
        let reader = ByteReader(bytes: bytes)
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
