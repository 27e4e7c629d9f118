import CGD
import CJPEG
import CLCMS2
import Kernel

/// Decodes JPEG with libjpeg, because libgd can neither reduce a picture while it decodes, nor use a picture that
/// libjpeg only warns about.
enum JPEGFile {
    private static let fullEighths = 8

    /// Decodes a file of ours; `nil` if it isn't valid.
    static func decode(_ bytes: [UInt8]) -> GDImage? {
        guard let header = try? PictureHeader(bytes, format: .jpeg) else { return nil }
        return try? decode(bytes, header)
    }

    /// Decodes a file to at least the largest stored size, or to its own size if that is smaller. A picture of 200
    /// megapixels wouldn't fit into the memory of the process.
    static func decode(_ bytes: [UInt8], _ header: PictureHeader) throws(PictureError) -> GDImage {
        let longest = max(header.width, header.height)
        let eighths = (1..<fullEighths).first { longest * $0 >= PictureSize.large.longestSide * fullEighths }
        let rows = JPEGRows(profile: header.colourProfile)
        var complete: UInt32 = 0
        let status = homeward_jpeg_decode(
            bytes, UInt(bytes.count), UInt32(eighths ?? fullEighths), Int32(Limits.pictureScans),
            { context, width, height, isCMYK, isInverted in
                guard let rows = JPEGRows.of(context) else { return 0 }
                return rows.start(Int(width), Int(height), isCMYK: isCMYK != 0, isInverted: isInverted != 0) ? 1 : 0
            },
            { context, pixels, row in
                if let pixels { JPEGRows.of(context)?.add(pixels, at: Int(row)) }
            }, Unmanaged.passUnretained(rows).toOpaque(), &complete)
        if status == HOMEWARD_JPEG_NO_MEMORY { throw .tooMuchMemory }
        guard status == HOMEWARD_JPEG_DECODED, let image = rows.image,
            (image.height - Int(complete)) * Limits.pictureMissingShare <= image.height
        else { throw .damaged }
        return image
    }
}

/// The image that libjpeg fills row by row.
private final class JPEGRows {
    private(set) var image: GDImage?
    private let profile: [UInt8]?
    private var inks: InkConversion?

    init(profile: [UInt8]?) { self.profile = profile }

    static func of(_ context: UnsafeMutableRawPointer?) -> JPEGRows? {
        context.map { Unmanaged<JPEGRows>.fromOpaque($0).takeUnretainedValue() }
    }

    func start(_ width: Int, _ height: Int, isCMYK: Bool, isInverted: Bool) -> Bool {
        if isCMYK { inks = InkConversion(profile: profile, isInverted: isInverted) }
        image = GDImage(width: width, height: height)
        return image != nil
    }

    func add(_ pixels: UnsafeMutablePointer<UInt8>, at index: Int) {
        image?.withRow(index) { row, width in
            if let inks {
                inks.convert(pixels, to: row, width: width)
            } else {
                Self.copy(pixels, to: row, width: width)
            }
        }
    }

    private static func copy(_ pixels: UnsafeMutablePointer<UInt8>, to row: UnsafeMutablePointer<Int32>, width: Int) {
        let source = UnsafeRawPointer(pixels)
        var column = 0
        // A `while` loop: iterating a range is slow in unoptimized builds.
        while column < width {
            let pixel = source.loadUnaligned(fromByteOffset: column &* 4, as: UInt32.self)
            // The fourth byte isn't an alpha value.
            row[column] = Int32(bitPattern: UInt32(littleEndian: pixel) & 0x00ff_ffff)
            column += 1
        }
    }
}

/// Converts the four inks of a picture for printing to sRGB: by its profile, or else by multiplication.
private final class InkConversion {
    private let transform: cmsHTRANSFORM?
    private let isInverted: Bool

    /// - Parameter isInverted: whether 255 means no ink, as in files with Adobe's marker.
    init(profile: [UInt8]?, isInverted: Bool) {
        self.isInverted = isInverted
        transform = profile.flatMap { ColourConversion.transform(ofInks: $0, isInverted: isInverted) }
    }

    deinit { if let transform { cmsDeleteTransform(transform) } }

    func convert(_ inks: UnsafeMutablePointer<UInt8>, to row: UnsafeMutablePointer<Int32>, width: Int) {
        if let transform {
            cmsDoTransform(transform, inks, row, cmsUInt32Number(width))
            return
        }
        var column = 0
        while column < width {
            let paper = light(inks[column &* 4 &+ 3])
            let red = light(inks[column &* 4]) * paper / 255
            let green = light(inks[column &* 4 &+ 1]) * paper / 255
            let blue = light(inks[column &* 4 &+ 2]) * paper / 255
            row[column] = red << 16 | green << 8 | blue
            column += 1
        }
    }

    /// The light that is left by an ink.
    private func light(_ ink: UInt8) -> Int32 { isInverted ? Int32(ink) : 255 - Int32(ink) }
}
