import CGD
import CZlib
import Testing

@testable import Pictures

/// Creates the pictures for the tests.
enum TestPictures {
    static let red: Int32 = 0xff0000
    static let green: Int32 = 0x00ff00
    static let blue: Int32 = 0x0000ff
    static let white: Int32 = 0xffffff

    /// Returns a picture whose quarters are red (top left), green (top right), blue (bottom left) and white.
    static func quarters(width: Int = 60, height: Int = 40) throws -> gdImagePtr {
        let image = try #require(gdImageCreateTrueColor(Int32(width), Int32(height)))
        let right = Int32(width) - 1
        let bottom = Int32(height) - 1
        gdImageFilledRectangle(image, 0, 0, right, bottom, white)
        gdImageFilledRectangle(image, 0, 0, right / 2, bottom / 2, red)
        gdImageFilledRectangle(image, right / 2 + 1, 0, right, bottom / 2, green)
        gdImageFilledRectangle(image, 0, bottom / 2 + 1, right / 2, bottom, blue)
        return image
    }

    /// Returns an image of one colour, given as alpha (0 is opaque, 127 transparent), red, green and blue.
    static func plain(_ colour: Int32, width: Int = 32, height: Int = 32) throws -> gdImagePtr {
        let image = try #require(gdImageCreateTrueColor(Int32(width), Int32(height)))
        gdImageAlphaBlending(image, 0)
        gdImageSaveAlpha(image, 1)
        gdImageFilledRectangle(image, 0, 0, Int32(width) - 1, Int32(height) - 1, colour)
        return image
    }

    enum Format: CaseIterable { case jpeg, png, webp, heic, gif }

    /// Encodes an image. Doesn't support HEIC, which libgd writes poorly.
    static func file(_ image: gdImagePtr, _ format: Format) throws -> [UInt8] {
        defer { gdImageDestroy(image) }
        var count: Int32 = 0
        let data: UnsafeMutableRawPointer? =
            switch format {
            case .jpeg: gdImageJpegPtr(image, &count, 95)
            case .png: gdImagePngPtr(image, &count)
            case .webp: gdImageWebpPtrEx(image, &count, 95)
            case .heic: nil
            case .gif: gdImageGifPtr(image, &count)
            }
        let bytes = try #require(data)
        defer { gdFree(bytes) }
        return Array(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
    }

    static func quartersFile(_ format: Format, width: Int = 60, height: Int = 40) throws -> [UInt8] {
        if format == .heic { return try PhoneHEIC.quarters(width: width, height: height) }
        return try file(try quarters(width: width, height: height), format)
    }

    /// Returns a black PNG file with one bit per pixel: a small file with a large decoded size.
    static func blackPNG(width: Int, height: Int) throws -> [UInt8] {
        let raw = [UInt8](repeating: 0, count: ((width + 7) / 8 + 1) * height)
        var count = compressBound(uLong(raw.count))
        var deflated = [UInt8](repeating: 0, count: Int(count))
        #expect(compress2(&deflated, &count, raw, uLong(raw.count), 9) == Z_OK)
        let header = bigEndian(width) + bigEndian(height) + [1, 0, 0, 0, 0]
        return [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
            + chunk("IHDR", header) + chunk("IDAT", Array(deflated.prefix(Int(count)))) + chunk("IEND", [])
    }

    static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + content
        return bigEndian(content.count) + body + bigEndian(Int(crc32(0, body, uInt(body.count))))
    }

    /// Inserts a segment after the start marker of a JPEG file.
    static func jpeg(_ file: [UInt8], withSegment marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        let length = content.count + 2
        return Array(file.prefix(2)) + [0xff, marker, UInt8(length >> 8), UInt8(length & 0xff)] + content
            + file.dropFirst(2)
    }

    /// Returns EXIF data with a colour space, and the index of the interoperability IFD if it isn't empty.
    static func exif(colourSpace: Int, interoperability: String) -> [UInt8] {
        var tiff: [UInt8] = Array("MM".utf8) + [0, 42] + bigEndian(8)
        let exifOffset = 8 + 2 + 12 + 4
        let interoperabilityOffset = exifOffset + 2 + 2 * 12 + 4
        tiff += [0, 1, 0x87, 0x69, 0, 4] + bigEndian(1) + bigEndian(exifOffset) + bigEndian(0)
        tiff += [0, 2, 0xa0, 0x01, 0, 3] + bigEndian(1) + [UInt8(colourSpace >> 8), UInt8(colourSpace & 0xff), 0, 0]
        tiff += [0xa0, 0x05, 0, 4] + bigEndian(1) + bigEndian(interoperabilityOffset) + bigEndian(0)
        let index = Array(interoperability.utf8) + [UInt8](repeating: 0, count: 4 - interoperability.utf8.count)
        return tiff + [0, 1, 0, 1, 0, 2] + bigEndian(4) + index + bigEndian(0)
    }

    /// Returns EXIF data: a TIFF structure with orientation, camera maker and GPS position.
    static func exif(orientation: Int) -> [UInt8] {
        var tiff: [UInt8] = Array("MM".utf8) + [0, 42] + bigEndian(8)
        let gpsOffset = 8 + 2 + 3 * 12 + 4 + 8
        tiff += [0, 3]
        tiff += [0x01, 0x0f, 0, 2] + bigEndian(8) + bigEndian(gpsOffset - 8)
        tiff += [0x01, 0x12, 0, 3] + bigEndian(1) + [0, UInt8(orientation), 0, 0]
        tiff += [0x88, 0x25, 0, 4] + bigEndian(1) + bigEndian(gpsOffset)
        tiff += bigEndian(0) + Array("Cam-A-1\0".utf8)
        // The GPS latitude: reference, degrees, minutes and seconds.
        tiff += [0, 2]
        tiff += [0, 1, 0, 2] + bigEndian(2) + Array("N\0\0\0".utf8)
        tiff += [0, 2, 0, 5] + bigEndian(3) + bigEndian(gpsOffset + 2 + 2 * 12 + 4)
        tiff += bigEndian(0)
        for part in [52, 31, 7] { tiff += bigEndian(part) + bigEndian(1) }
        return tiff
    }

    static func bigEndian(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
}

/// The decoded pixels of a JPEG file.
final class Pixels {
    private let image: gdImagePtr

    init(jpeg: [UInt8]) throws {
        var jpeg = jpeg
        image = try #require(gdImageCreateFromJpegPtr(Int32(jpeg.count), &jpeg))
    }

    deinit { gdImageDestroy(image) }

    var width: Int { Int(image.pointee.sx) }
    var height: Int { Int(image.pointee.sy) }

    /// Returns the name of the nearest test colour.
    func colour(_ x: Int, _ y: Int) -> String {
        let names: [(String, Int32)] = [
            ("red", TestPictures.red), ("green", TestPictures.green), ("blue", TestPictures.blue),
            ("white", TestPictures.white), ("black", 0),
        ]
        let pixel = components(x, y)
        let nearest = names.min { distance(pixel, split($0.1)) < distance(pixel, split($1.1)) }
        return nearest?.0 ?? ""
    }

    /// The red, green and blue values, 0 to 255.
    func components(_ x: Int, _ y: Int) -> [Int] { split(gdImageGetTrueColorPixel(image, Int32(x), Int32(y))) }

    /// The colours of the corners: top left, top right, bottom left, bottom right.
    var corners: [String] {
        let inset = 5
        return [
            colour(inset, inset), colour(width - 1 - inset, inset),
            colour(inset, height - 1 - inset), colour(width - 1 - inset, height - 1 - inset),
        ]
    }

    private func split(_ pixel: Int32) -> [Int] { [16, 8, 0].map { Int(pixel >> $0) & 0xff } }

    private func distance(_ left: [Int], _ right: [Int]) -> Int {
        zip(left, right).map { ($0 - $1) * ($0 - $1) }.reduce(0, +)
    }
}
