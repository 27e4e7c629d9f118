import Kernel
import Testing

@testable import Pictures

@Suite("Rejected pictures")
struct RefusalTests {
    struct Case: CustomTestStringConvertible {
        let name: String
        let expected: PictureError
        let make: @Sendable () throws -> [UInt8]
        var testDescription: String { name }

        init(_ name: String, _ expected: PictureError, _ make: @escaping @Sendable () throws -> [UInt8]) {
            self.name = name
            self.expected = expected
            self.make = make
        }
    }

    static let strangers = [
        Case("nothing", .notAPicture) { [] },
        Case("text called .jpg", .notAPicture) { Array("I am a photo, honestly.\n".utf8) },
        Case("SVG", .notAPicture) { Array("<svg xmlns=\"http://www.w3.org/2000/svg\"/>".utf8) },
        Case("SVG behind a declaration", .notAPicture) { Array("<?xml version=\"1.0\"?><svg/>".utf8) },
        Case("GIF", .notAPicture) { try TestPictures.quartersFile(.gif) },
        Case("BMP", .notAPicture) { Array("BM".utf8) + [UInt8](repeating: 0, count: 100) },
        Case("MP4 video", .notAPicture) { TestPictures.bigEndian(24) + Array("ftypisom\0\0\0\0isommp42".utf8) },
        Case("AVIF", .notAPicture) { TestPictures.bigEndian(24) + Array("ftypavif\0\0\0\0mif1avif".utf8) },
        Case("AVIF that calls itself mif1", .notAPicture) {
            TestPictures.bigEndian(24) + Array("ftypmif1\0\0\0\0mif1avif".utf8)
        },
        Case("over 10 MiB", .tooLarge) { [0xff, 0xd8, 0xff] + [UInt8](repeating: 0, count: Limits.pictureBytes) },
    ]

    static let broken = [
        Case("JPEG, cut in its data", .damaged) { try cut(.jpeg, at: 0.6) },
        Case("JPEG, cut in its header", .damaged) { try cut(.jpeg, at: 0.02) },
        Case("JPEG, cut, with an end put behind", .damaged) { try cut(.jpeg, at: 0.6) + [0xff, 0xd9] },
        Case("JPEG of markers only", .damaged) { [0xff, 0xd8, 0xff, 0xd9] },
        Case("PNG, cut", .damaged) { try cut(.png, at: 0.6) },
        Case("PNG without its end", .damaged) { Array(try TestPictures.quartersFile(.png).dropLast(12)) },
        Case("PNG with a flipped bit in its data", .damaged) { try flipped(.png, at: 0.5) },
        Case("WebP, cut", .damaged) { try cut(.webp, at: 0.6) },
        Case("HEIC, cut", .damaged) { try cut(.heic, at: 0.6) },
        Case("HEIC of a brand only", .damaged) { TestPictures.bigEndian(24) + Array("ftypheic\0\0\0\0mif1heic".utf8) },
        Case("PNG of no width", .damaged) { try TestPictures.blackPNG(width: 0, height: 10) },
    ]

    private static func cut(_ format: TestPictures.Format, at share: Double) throws -> [UInt8] {
        let file = try TestPictures.quartersFile(format, width: 300, height: 200)
        return Array(file.prefix(Int(Double(file.count) * share)))
    }

    private static func flipped(_ format: TestPictures.Format, at share: Double) throws -> [UInt8] {
        var file = try TestPictures.quartersFile(format, width: 300, height: 200)
        file[Int(Double(file.count) * share)] ^= 1
        return file
    }

    @Test(
        "T-1-4-1: Unknown formats and damaged files are rejected, each with its reason",
        arguments: strangers + broken)
    func refused(example: Case) throws {
        let file = try example.make()
        #expect(throws: example.expected) { try PictureDecoder.decode(file) }
    }

    @Test("A PNG of 400 megapixels in a file below 1 MB is rejected by its header")
    func bomb() throws {
        let file = try TestPictures.blackPNG(width: 20_000, height: 20_000)
        #expect(file.count < 1_000_000)
        #expect(throws: PictureError.tooManyPixels) { try PictureHeader(file, format: .png) }
        #expect(throws: PictureError.tooManyPixels) { try PictureDecoder.decode(file) }
    }

    struct Size: CustomTestStringConvertible {
        let width: Int
        let height: Int
        let refusal: PictureError?
        var testDescription: String { "\(width)x\(height)" }
    }

    @Test(
        "The limit of a format that is decoded as a whole is 65 megapixels, whatever the shape",
        arguments: [
            Size(width: 8_160, height: 6_144, refusal: nil), Size(width: 9_280, height: 6_944, refusal: nil),
            Size(width: 13_000, height: 5_000, refusal: nil),
            Size(width: 13_001, height: 5_000, refusal: .tooManyPixelsForFormat),
            Size(width: 65_000_001, height: 1, refusal: .tooManyPixelsForFormat),
            Size(width: 250_000_001, height: 1, refusal: .tooManyPixels),
            Size(width: 0x7fff_ffff, height: 0x7fff_ffff, refusal: .tooManyPixels),
        ]
    )
    func pixelLimit(size: Size) throws {
        let header = TestPictures.bigEndian(size.width) + TestPictures.bigEndian(size.height) + [1, 0, 0, 0, 0]
        let file: [UInt8] =
            [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
            + TestPictures.chunk("IHDR", header) + TestPictures.chunk("IEND", [])
        if let refusal = size.refusal {
            #expect(throws: refusal) { try PictureHeader(file, format: .png) }
        } else {
            let read = try PictureHeader(file, format: .png)
            #expect([read.width, read.height] == [size.width, size.height])
        }
    }

    @Test(
        "T-1-4-1: Each error message belongs to the field; too many bytes give 413, others 422",
        arguments: PictureError.allCases)
    func messages(refusal: PictureError) {
        let error = refusal.appError
        #expect(error.code == (refusal == .tooLarge ? .tooLarge : .invalid))
        #expect(error.fields["picture"] == refusal.message)
        #expect(refusal.message.contains("Choose"))
        if refusal == .tooLarge { #expect(refusal.message.contains(" \(Limits.pictureMegabytes) MB")) }
        if refusal == .tooManyPixelsForFormat {
            #expect(refusal.message.contains(" \(Limits.wholePicturePixels / 1_000_000) mega"))
            #expect(refusal.message.contains("JPEG"))
        }
        if refusal == .tooManyPixels { #expect(refusal.message.contains(" \(Limits.picturePixels / 1_000_000) mega")) }
    }

    @Test(
        "A truncated or changed file gives an error or a picture, never a crash",
        arguments: [TestPictures.Format.jpeg, .png, .webp, .heic])
    func mutilated(format: TestPictures.Format) throws {
        let file = try TestPictures.quartersFile(format, width: 24, height: 16)
        // A JPEG that lacks only its end is complete.
        for end in 0..<(format == .jpeg ? file.count - 10 : file.count) {
            #expect(throws: PictureError.self, "\(end) bytes") { try PictureDecoder.decode(Array(file.prefix(end))) }
        }
        for index in stride(from: 0, to: file.count, by: 3) {
            var changed = file
            changed[index] ^= 0xff
            _ = try? PictureDecoder.decode(changed)
        }
    }
}
