import CGD
import CLCMS2
import CZlib
import Testing

@testable import Pictures

@Suite("Details of the picture formats")
struct FormatDetailTests {
    @Test("Colours of a wide-gamut profile are converted to sRGB", arguments: [TestPictures.Format.jpeg, .png])
    func wideGamut(format: TestPictures.Format) throws {
        // Display P3's (180, 90, 60) is about (192, 87, 53) in sRGB.
        let image = try TestPictures.plain(0x00b4_5a3c)
        let plain = try TestPictures.file(image, format)
        let profile = try displayP3()
        let file: [UInt8]
        if format == .jpeg {
            file = TestPictures.jpeg(plain, withSegment: 0xe2, Array("ICC_PROFILE\0".utf8) + [1, 1] + profile)
        } else {
            file =
                Array(plain.prefix(33)) + TestPictures.chunk("iCCP", Array("P3".utf8) + [0, 0] + deflated(profile))
                + plain.dropFirst(33)
        }
        let before = try colour(plain)
        let after = try colour(file)
        #expect(zip(before, [180, 90, 60]).allSatisfy { abs($0 - $1) <= 4 }, "\(before)")
        #expect(zip(after, [193, 86, 53]).allSatisfy { abs($0 - $1) <= 5 }, "\(after)")
    }

    @Test("A profile in several segments is joined by the segments' numbers")
    func splitProfile() throws {
        let profile = try displayP3()
        let half = profile.count / 2
        var file = try TestPictures.quartersFile(.jpeg)
        // Each segment is inserted at the front, so the second part comes first in the file.
        file = TestPictures.jpeg(file, withSegment: 0xe2, Array("ICC_PROFILE\0".utf8) + [1, 2] + profile.prefix(half))
        file = TestPictures.jpeg(
            file, withSegment: 0xe2, Array("ICC_PROFILE\0".utf8) + [2, 2] + profile.dropFirst(half))
        #expect(try PictureHeader(file, format: .jpeg).colourProfile == profile)
    }

    @Test("An invalid profile is ignored")
    func brokenProfile() throws {
        let plain = try TestPictures.quartersFile(.jpeg)
        let file = TestPictures.jpeg(
            plain, withSegment: 0xe2, Array("ICC_PROFILE\0".utf8) + [1, 1] + [UInt8](repeating: 7, count: 300))
        #expect(
            try Pixels(jpeg: try #require(try PictureDecoder.decode(file).files[.large])).corners == [
                "red", "green", "blue", "white",
            ])
    }

    struct Named: CustomTestStringConvertible {
        let name: String
        let chunks: [UInt8]
        let expected: [Int]
        var testDescription: String { name }

        init(_ name: String, _ chunks: [UInt8], _ expected: [Int]) {
            self.name = name
            self.chunks = chunks
            self.expected = expected
        }

        static func chromaticities(_ values: [Int]) -> [UInt8] {
            TestPictures.chunk("cHRM", values.flatMap(TestPictures.bigEndian))
        }
    }

    private static let p3 = [31_270, 32_900, 68_000, 32_000, 26_500, 69_000, 15_000, 6_000]
    private static let sRGB = [31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000]

    static let named = [
        Named("P3 by code points", TestPictures.chunk("cICP", [12, 13, 0, 1]), [193, 86, 53]),
        Named("BT.2020 by code points", TestPictures.chunk("cICP", [9, 14, 0, 1]), [217, 68, 50]),
        Named("sRGB by code points", TestPictures.chunk("cICP", [1, 13, 0, 1]), [180, 90, 60]),
        Named("unknown code points", TestPictures.chunk("cICP", [77, 13, 0, 1]), [180, 90, 60]),
        Named("P3 by chromaticities", Named.chromaticities(p3), [193, 86, 53]),
        Named("sRGB by chromaticities", Named.chromaticities(sRGB), [180, 90, 60]),
        Named("gamma", TestPictures.chunk("gAMA", TestPictures.bigEndian(55_556)), [193, 109, 77]),
        Named("gamma of sRGB", TestPictures.chunk("gAMA", TestPictures.bigEndian(45_455)), [180, 90, 60]),
        Named("sRGB before chromaticities", TestPictures.chunk("sRGB", [0]) + Named.chromaticities(p3), [180, 90, 60]),
        Named(
            "code points before all", Named.chromaticities(p3) + TestPictures.chunk("cICP", [1, 13, 0, 1]),
            [180, 90, 60]),
        Named("invalid", Named.chromaticities([0, 0, 0, 0, 0, 0, 0, 0]), [180, 90, 60]),
    ]

    @Test("A PNG declares its colours in several ways, in an order of precedence", arguments: named)
    func coloursOfPNG(named: Named) throws {
        let plain = try TestPictures.file(try TestPictures.plain(0x00b4_5a3c), .png)
        let found = try colour(Array(plain.prefix(33)) + named.chunks + plain.dropFirst(33))
        #expect(zip(found, named.expected).allSatisfy { abs($0 - $1) <= 6 }, "\(found)")
    }

    @Test(
        "A HEIC names its colours by code points",
        arguments: [(12, ColourSpace.displayP3), (1, nil)] as [(UInt32, ColourSpace?)])
    func coloursOfHEIC(primaries: UInt32, expected: ColourSpace?) throws {
        let file = try PhoneHEIC.quarters(primaries: primaries)
        #expect(try PictureHeader(file, format: .heic).colourSpace == expected)
        let pixels = try Pixels(jpeg: try #require(try PictureDecoder.decode(file).files[.large]))
        #expect(pixels.corners == ["red", "green", "blue", "white"])
    }

    @Test("Colours of high dynamic range become white from the brightness of paper on")
    func highDynamicRange() throws {
        let plain = try TestPictures.file(try TestPictures.plain(0x0080_8080), .png)
        func grey(_ transfer: UInt8, _ file: [UInt8]) throws -> Int {
            let chunk = TestPictures.chunk("cICP", [9, transfer, 0, 1])
            return try colour(Array(file.prefix(33)) + chunk + file.dropFirst(33))[0]
        }
        // The functions of ITU-R BT.2100 at half of the signal.
        #expect(abs(try grey(16, plain) - 178) <= 6)
        #expect(abs(try grey(18, plain) - 150) <= 6)
        let bright = try TestPictures.file(try TestPictures.plain(0x00d0_d0d0), .png)
        #expect(try [16, 18].map { try grey($0, bright) }.allSatisfy { $0 > 250 })
    }

    private func colour(_ file: [UInt8]) throws -> [Int] {
        try Pixels(jpeg: try #require(try PictureDecoder.decode(file).files[.large])).components(16, 16)
    }

    private func displayP3() throws -> [UInt8] {
        var white = cmsCIExyY(x: 0.3127, y: 0.3290, Y: 1)
        var primaries = cmsCIExyYTRIPLE(
            Red: cmsCIExyY(x: 0.680, y: 0.320, Y: 1),
            Green: cmsCIExyY(x: 0.265, y: 0.690, Y: 1),
            Blue: cmsCIExyY(x: 0.150, y: 0.060, Y: 1)
        )
        let parameters: [cmsFloat64Number] = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]
        let curve = try #require(cmsBuildParametricToneCurve(nil, 4, parameters))
        defer { cmsFreeToneCurve(curve) }
        var curves: [OpaquePointer?] = [curve, curve, curve]
        let profile = try #require(cmsCreateRGBProfile(&white, &primaries, &curves))
        defer { cmsCloseProfile(profile) }
        var count: cmsUInt32Number = 0
        #expect(cmsSaveProfileToMem(profile, nil, &count) != 0)
        var bytes = [UInt8](repeating: 0, count: Int(count))
        #expect(cmsSaveProfileToMem(profile, &bytes, &count) != 0)
        return bytes
    }

    private func deflated(_ bytes: [UInt8]) -> [UInt8] {
        var count = compressBound(uLong(bytes.count))
        var deflated = [UInt8](repeating: 0, count: Int(count))
        compress2(&deflated, &count, bytes, uLong(bytes.count), 9)
        return Array(deflated.prefix(Int(count)))
    }

    @Test("The first frame of an animated WebP is stored at its position on the canvas")
    func animation() throws {
        let red = try frame(try TestPictures.plain(TestPictures.red, width: 16, height: 16), left: 8, top: 4)
        let blue = try frame(try TestPictures.plain(TestPictures.blue, width: 40, height: 24), left: 0, top: 0)
        let canvas: [UInt8] = [0x02, 0, 0, 0, 39, 0, 0, 23, 0, 0]
        let body = chunk("VP8X", canvas) + chunk("ANIM", [0, 0, 0, 0, 0, 0]) + red + blue
        let file = Array("RIFF".utf8) + littleEndian(body.count + 4, 4) + Array("WEBP".utf8) + body
        let picture = try PictureDecoder.decode(file)
        #expect([picture.width, picture.height] == [40, 24])
        let pixels = try Pixels(jpeg: try #require(picture.files[.large]))
        #expect(pixels.colour(16, 12) == "red")
        #expect(pixels.colour(2, 2) == "white")
        #expect(pixels.colour(36, 12) == "white")
    }

    @Test("A WebP is rotated by its EXIF orientation, with or without JPEG's prefix", arguments: [false, true])
    func orientationOfWebP(hasPrefix: Bool) throws {
        let bitstream = try TestPictures.quartersFile(.webp).dropFirst(12)
        let exif = (hasPrefix ? Array("Exif\0\0".utf8) : []) + TestPictures.exif(orientation: 6)
        let canvas: [UInt8] = [0x08, 0, 0, 0, 59, 0, 0, 39, 0, 0]
        let body = chunk("VP8X", canvas) + bitstream + chunk("EXIF", exif)
        let file = Array("RIFF".utf8) + littleEndian(body.count + 4, 4) + Array("WEBP".utf8) + body
        let picture = try PictureDecoder.decode(file)
        #expect([picture.width, picture.height] == [40, 60])
        let pixels = try Pixels(jpeg: try #require(picture.files[.large]))
        #expect(pixels.corners == ["blue", "red", "white", "green"])
    }

    /// Returns an ANMF chunk with the bitstream of a still WebP file.
    private func frame(_ image: gdImagePtr, left: Int, top: Int) throws -> [UInt8] {
        let width = Int(image.pointee.sx)
        let height = Int(image.pointee.sy)
        gdImageSaveAlpha(image, 0)
        let bitstream = try TestPictures.file(image, .webp).dropFirst(12)
        let header =
            littleEndian(left / 2, 3) + littleEndian(top / 2, 3) + littleEndian(width - 1, 3)
            + littleEndian(height - 1, 3)
            + littleEndian(100, 3) + [0]
        return chunk("ANMF", header + bitstream)
    }

    private func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        Array(name.utf8) + littleEndian(content.count, 4) + content + (content.count % 2 == 1 ? [0] : [])
    }

    private func littleEndian(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    @Test("Extra bytes before a JPEG's end marker or after it don't damage the picture")
    func harmlessHabits() throws {
        let plain = try TestPictures.quartersFile(.jpeg)
        let stuffed = Array(plain.dropLast(2)) + [0, 0, 0, 0] + plain.suffix(2)
        let followed = plain + Array("trailer".utf8)
        for file in [stuffed, followed] {
            #expect(try PictureDecoder.decode(file).width == 60)
        }
    }
}
