import CGD

/// A true-colour image owned by libgd.
final class GDImage {
    private let pointer: gdImagePtr

    private static let jpegQuality: Int32 = 85

    /// Takes ownership of a libgd image and converts a palette image to true colour.
    init?(owning pointer: gdImagePtr?) {
        guard let pointer else { return nil }
        self.pointer = pointer
        guard pointer.pointee.trueColor != 0 || gdImagePaletteToTrueColor(pointer) != 0 else { return nil }
    }

    /// Creates a white image.
    convenience init?(width: Int, height: Int) {
        self.init(owning: gdImageCreateTrueColor(Int32(width), Int32(height)))
        gdImageFilledRectangle(pointer, 0, 0, Int32(width) - 1, Int32(height) - 1, 0xffffff)
    }

    deinit { gdImageDestroy(pointer) }

    var width: Int { Int(pointer.pointee.sx) }
    var height: Int { Int(pointer.pointee.sy) }

    /// Decodes a file of a format that libgd reads well.
    static func decode(_ bytes: [UInt8], format: PictureFormat) -> GDImage? {
        guard let count = Int32(exactly: bytes.count) else { return nil }
        // libgd would write its messages to the standard error.
        gdSetErrorMethod { _, _, _ in }
        return bytes.withUnsafeBytes { file in
            // libgd's declarations lack a const; these functions don't write.
            let data = UnsafeMutableRawPointer(mutating: file.baseAddress)
            let pointer: gdImagePtr? =
                switch format {
                case .png: gdImageCreateFromPngPtr(count, data)
                case .webp: gdImageCreateFromWebpPtr(count, data)
                case .jpeg, .heic: nil
                }
            return GDImage(owning: pointer)
        }
    }

    /// Returns the image on a white canvas, without transparency.
    func flattened(width: Int, height: Int, left: Int, top: Int) -> GDImage? {
        guard let canvas = GDImage(width: width, height: height) else { return nil }
        gdImageAlphaBlending(canvas.pointer, 1)
        gdImageCopy(canvas.pointer, pointer, Int32(left), Int32(top), 0, 0, pointer.pointee.sx, pointer.pointee.sy)
        return canvas
    }

    /// Returns the image reduced to a longest side of `side` pixels, or the image itself if it is small enough.
    func scaledDown(longestSide side: Int) -> GDImage? {
        let longest = max(width, height)
        guard longest > side else { return self }
        let newWidth = max(1, (width * side + longest / 2) / longest)
        let newHeight = max(1, (height * side + longest / 2) / longest)
        // Averages all source pixels; libgd's default method samples a few of them.
        gdImageSetInterpolationMethod(pointer, GD_TRIANGLE)
        return GDImage(owning: gdImageScale(pointer, UInt32(newWidth), UInt32(newHeight)))
    }

    /// Returns the upright image.
    func turned(_ orientation: Orientation) -> GDImage? {
        if orientation.isMirrored { gdImageFlipHorizontal(pointer) }
        guard orientation.quarterTurns > 0 else { return self }
        // libgd rotates counter-clockwise.
        let degrees = Float(360 - 90 * orientation.quarterTurns)
        return GDImage(owning: gdImageRotateInterpolated(pointer, degrees, 0))
    }

    /// Returns a JPEG file without metadata.
    func jpeg() -> [UInt8]? {
        var count: Int32 = 0
        guard let data = gdImageJpegPtr(pointer, &count, Self.jpegQuality) else { return nil }
        defer { gdFree(data) }
        return Array(UnsafeRawBufferPointer(start: data, count: Int(count)))
    }

    /// Calls `body` with one row of pixels.
    func withRow(_ index: Int, _ body: (UnsafeMutablePointer<Int32>, Int) -> Void) {
        guard (0..<height).contains(index), let row = pointer.pointee.tpixels?[index] else { return }
        body(row, width)
    }

    /// Calls `body` with each row of pixels. A pixel is a 32-bit number of alpha (0 is opaque), red, green and blue.
    func forEachRow(_ body: (UnsafeMutablePointer<Int32>, Int) -> Void) {
        guard let rows = pointer.pointee.tpixels else { return }
        for index in 0..<height {
            guard let row = rows[index] else { continue }
            body(row, width)
        }
    }
}
