import CGD

/// A picture that is drawn on, with smooth edges.
final class Canvas {
    struct Point {
        let x: Double
        let y: Double
    }

    let width: Int
    let height: Int
    private let image: gdImagePtr
    private var corners: [gdPoint] = []

    /// - Returns: `nil` without memory.
    init?(width: Int, height: Int, colour: Int32, isTransparent: Bool = false) {
        guard let image = gdImageCreateTrueColor(Int32(width), Int32(height)) else { return nil }
        self.image = image
        self.width = width
        self.height = height
        gdImageAlphaBlending(image, 0)
        gdImageSaveAlpha(image, isTransparent ? 1 : 0)
        gdImageFilledRectangle(image, 0, 0, Int32(width), Int32(height), colour)
        gdImageAlphaBlending(image, isTransparent ? 0 : 1)
    }

    deinit { gdImageDestroy(image) }

    func fill(_ points: [Point], _ colour: Int32, isSmooth: Bool = true) {
        guard points.count > 2 else { return }
        corners.removeAll(keepingCapacity: true)
        for point in points { corners.append(gdPoint(x: Int32(point.x.rounded()), y: Int32(point.y.rounded()))) }
        corners.withUnsafeMutableBufferPointer { buffer in
            gdImageFilledPolygon(image, buffer.baseAddress, Int32(buffer.count), colour)
            guard isSmooth else { return }
            gdImageSetAntiAliased(image, colour)
            gdImagePolygon(image, buffer.baseAddress, Int32(buffer.count), anti)
        }
    }

    func outline(_ points: [Point], _ colour: Int32) {
        corners.removeAll(keepingCapacity: true)
        for point in points { corners.append(gdPoint(x: Int32(point.x.rounded()), y: Int32(point.y.rounded()))) }
        gdImageSetAntiAliased(image, colour)
        corners.withUnsafeMutableBufferPointer { buffer in
            gdImagePolygon(image, buffer.baseAddress, Int32(buffer.count), anti)
        }
    }

    /// Draws a line with round ends and corners.
    func line(_ points: [Point], width: Double, _ colour: Int32, isSmooth: Bool = true) {
        let half = width / 2
        for (from, to) in zip(points, points.dropFirst()) {
            let (east, south) = (to.x - from.x, to.y - from.y)
            let length = (east * east + south * south).squareRoot()
            guard length > 0 else { continue }
            let (right, down) = (-south / length * half, east / length * half)
            fill(
                [
                    Point(x: from.x + right, y: from.y + down), Point(x: to.x + right, y: to.y + down),
                    Point(x: to.x - right, y: to.y - down), Point(x: from.x - right, y: from.y - down),
                ], colour, isSmooth: isSmooth)
        }
        guard width > 2 else { return }
        for point in points { disc(point, diameter: width, colour) }
    }

    func disc(_ centre: Point, diameter: Double, _ colour: Int32) {
        let (x, y, size) = (Int32(centre.x.rounded()), Int32(centre.y.rounded()), Int32(diameter.rounded()))
        gdImageFilledEllipse(image, x, y, size, size, colour)
    }

    /// Copies a smaller picture onto this one, with its transparency.
    func draw(_ other: Canvas, left: Int, top: Int) {
        gdImageCopy(image, other.image, Int32(left), Int32(top), 0, 0, Int32(other.width), Int32(other.height))
    }

    /// Returns the picture reduced to a fraction of its size.
    func reduced(by factor: Int) -> Canvas? {
        guard
            let small = Canvas(width: width / factor, height: height / factor, colour: Self.clear, isTransparent: true)
        else { return nil }
        gdImageCopyResampled(
            small.image, image, 0, 0, 0, 0, Int32(small.width), Int32(small.height), Int32(width), Int32(height))
        return small
    }

    /// Returns a PNG file.
    func png() -> [UInt8] {
        var count: Int32 = 0
        guard let data = gdImagePngPtrEx(image, &count, Self.pngLevel) else { return [] }
        defer { gdFree(data) }
        return Array(UnsafeRawBufferPointer(start: data, count: Int(count)))
    }

    /// Fully transparent white.
    static let clear: Int32 = 0x7fff_ffff
    private static let pngLevel: Int32 = 3
    // gdAntiAliased, whose macro isn't imported.
    private let anti: Int32 = -7
}
