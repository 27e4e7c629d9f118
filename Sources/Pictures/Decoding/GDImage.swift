import CGD

/// A true-colour image in libgd's memory.
final class GDImage {
    private let pointer: gdImagePtr

    private static let jpegQuality: Int32 = 85

    /// Takes over what libgd made; an image with a palette becomes a true-colour one.
    init?(owning pointer: gdImagePtr?) {
        guard let pointer else { return nil }
        self.pointer = pointer
        guard pointer.pointee.trueColor != 0 || gdImagePaletteToTrueColor(pointer) != 0 else { return nil }
    }

    /// Makes a white image.
    convenience init?(width: Int, height: Int) {
        self.init(owning: gdImageCreateTrueColor(Int32(width), Int32(height)))
        gdImageFilledRectangle(pointer, 0, 0, Int32(width) - 1, Int32(height) - 1, 0xffffff)
    }

    deinit { gdImageDestroy(pointer) }

    var width: Int { Int(pointer.pointee.sx) }
    var height: Int { Int(pointer.pointee.sy) }

    /// Decodes a file.
    static func decode(_ bytes: [UInt8], format: PictureFormat) -> GDImage? {
        guard format != .heic else { return HEICFile.decode(bytes) }
        guard let count = Int32(exactly: bytes.count) else { return nil }
        return bytes.withUnsafeBytes { file in
            // libgd's declarations lack a const; none of these writes.
            let data = UnsafeMutableRawPointer(mutating: file.baseAddress)
            let pointer: gdImagePtr? =
                switch format {
                case .jpeg: gdImageCreateFromJpegPtrEx(count, data, 0)
                case .png: gdImageCreateFromPngPtr(count, data)
                case .webp: gdImageCreateFromWebpPtr(count, data)
                case .heic: nil
                }
            return GDImage(owning: pointer)
        }
    }

    /// The image on a white canvas, so that nothing is see-through any more.
    func flattened(width: Int, height: Int, left: Int, top: Int) -> GDImage? {
        guard let canvas = GDImage(width: width, height: height) else { return nil }
        gdImageAlphaBlending(canvas.pointer, 1)
        gdImageCopy(canvas.pointer, pointer, Int32(left), Int32(top), 0, 0, pointer.pointee.sx, pointer.pointee.sy)
        return canvas
    }

    /// The image with its longest side shortened to `side` pixels; the image itself where it is short enough.
    func shrunk(longestSide side: Int) -> GDImage? {
        let longest = max(width, height)
        guard longest > side else { return self }
        let newWidth = max(1, (width * side + longest / 2) / longest)
        let newHeight = max(1, (height * side + longest / 2) / longest)
        // Averages over all pixels that fall together; libgd's default would pick a few of them.
        gdImageSetInterpolationMethod(pointer, GD_TRIANGLE)
        return GDImage(owning: gdImageScale(pointer, UInt32(newWidth), UInt32(newHeight)))
    }

    /// The image made upright.
    func turned(_ orientation: Orientation) -> GDImage? {
        if orientation.isMirrored { gdImageFlipHorizontal(pointer) }
        guard orientation.quarterTurns > 0 else { return self }
        // libgd turns the other way round.
        let degrees = Float(360 - 90 * orientation.quarterTurns)
        return GDImage(owning: gdImageRotateInterpolated(pointer, degrees, 0))
    }

    /// The image as a JPEG file without any metadata.
    func jpeg() -> [UInt8]? {
        var count: Int32 = 0
        guard let data = gdImageJpegPtr(pointer, &count, Self.jpegQuality) else { return nil }
        defer { gdFree(data) }
        return Array(UnsafeRawBufferPointer(start: data, count: Int(count)))
    }

    /// Hands out the pixels row by row, each a 32-bit number of alpha (0 is opaque), red, green, blue.
    func forEachRow(_ body: (UnsafeMutablePointer<Int32>, Int) -> Void) {
        guard let rows = pointer.pointee.tpixels else { return }
        for index in 0..<height {
            guard let row = rows[index] else { continue }
            body(row, width)
        }
    }
}
