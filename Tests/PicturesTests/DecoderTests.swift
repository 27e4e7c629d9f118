import CGD
import Kernel
import Testing

@testable import Pictures

@Suite("Decoding pictures")
struct DecoderTests {
    @Test(
        "Each accepted format is decoded with its colours and size",
        arguments: [TestPictures.Format.jpeg, .png, .webp, .heic])
    func formats(format: TestPictures.Format) throws {
        let picture = try PictureDecoder.decode(try TestPictures.quartersFile(format))
        #expect(picture.width == 60)
        #expect(picture.height == 40)
        for size in PictureSize.allCases {
            let pixels = try Pixels(jpeg: try #require(picture.files[size]))
            #expect(pixels.corners == ["red", "green", "blue", "white"], "\(size)")
        }
    }

    struct Shape: CustomTestStringConvertible {
        let width: Int
        let height: Int
        let sizes: [PictureSize: [Int]]
        var testDescription: String { "\(width)x\(height)" }
    }

    @Test(
        "The longest side becomes 160, 640 or 1600 pixels; nothing is enlarged",
        arguments: [
            Shape(width: 3200, height: 1600, sizes: [.small: [160, 80], .medium: [640, 320], .large: [1600, 800]]),
            Shape(width: 500, height: 1000, sizes: [.small: [80, 160], .medium: [320, 640], .large: [500, 1000]]),
            Shape(width: 60, height: 40, sizes: [.small: [60, 40], .medium: [60, 40], .large: [60, 40]]),
            Shape(width: 5000, height: 1, sizes: [.small: [160, 1], .medium: [640, 1], .large: [1600, 1]]),
            Shape(width: 1, height: 1, sizes: [.small: [1, 1], .medium: [1, 1], .large: [1, 1]]),
        ]
    )
    func sizes(shape: Shape) throws {
        let image = try TestPictures.plain(TestPictures.red, width: shape.width, height: shape.height)
        let picture = try PictureDecoder.decode(try TestPictures.file(image, .jpeg))
        #expect([picture.width, picture.height] == [shape.width, shape.height])
        for (size, expected) in shape.sizes {
            let pixels = try Pixels(jpeg: try #require(picture.files[size]))
            #expect([pixels.width, pixels.height] == expected, "\(size)")
        }
    }

    struct Turn: CustomTestStringConvertible {
        let orientation: Int
        let corners: [String]
        let isOnItsSide: Bool
        var testDescription: String { "orientation \(orientation)" }
    }

    static let turns = [
        Turn(orientation: 1, corners: ["red", "green", "blue", "white"], isOnItsSide: false),
        Turn(orientation: 2, corners: ["green", "red", "white", "blue"], isOnItsSide: false),
        Turn(orientation: 3, corners: ["white", "blue", "green", "red"], isOnItsSide: false),
        Turn(orientation: 4, corners: ["blue", "white", "red", "green"], isOnItsSide: false),
        Turn(orientation: 5, corners: ["red", "blue", "green", "white"], isOnItsSide: true),
        Turn(orientation: 6, corners: ["blue", "red", "white", "green"], isOnItsSide: true),
        Turn(orientation: 7, corners: ["white", "green", "blue", "red"], isOnItsSide: true),
        Turn(orientation: 8, corners: ["green", "white", "red", "blue"], isOnItsSide: true),
    ]

    @Test("A photo is rotated and mirrored by its EXIF orientation", arguments: turns)
    func orientation(turn: Turn) throws {
        let exif = Array("Exif\0\0".utf8) + TestPictures.exif(orientation: turn.orientation)
        let file = TestPictures.jpeg(try TestPictures.quartersFile(.jpeg), withSegment: 0xe1, exif)
        try expect(PictureDecoder.decode(file), turn)
    }

    @Test("A PNG is rotated by its EXIF orientation", arguments: turns)
    func orientationOfPNG(turn: Turn) throws {
        let plain = try TestPictures.quartersFile(.png)
        let exif = TestPictures.chunk("eXIf", TestPictures.exif(orientation: turn.orientation))
        // After the signature (8 bytes) and the header chunk (25 bytes).
        try expect(PictureDecoder.decode(Array(plain.prefix(33)) + exif + plain.dropFirst(33)), turn)
    }

    @Test("A HEIC is rotated once, although it has rotation boxes and an EXIF orientation", arguments: turns)
    func orientationOfHEIC(turn: Turn) throws {
        let file = try PhoneHEIC.quarters(orientation: turn.orientation)
        try expect(PictureDecoder.decode(file), turn)
    }

    private func expect(_ picture: RenderedPicture, _ turn: Turn) throws {
        #expect([picture.width, picture.height] == (turn.isOnItsSide ? [40, 60] : [60, 40]))
        for size in PictureSize.allCases {
            let pixels = try Pixels(jpeg: try #require(picture.files[size]))
            #expect(pixels.corners == turn.corners, "\(size)")
        }
    }

    @Test("An invalid orientation is ignored", arguments: [0, 9, 255])
    func senselessOrientation(value: Int) throws {
        let exif = Array("Exif\0\0".utf8) + TestPictures.exif(orientation: value)
        let file = TestPictures.jpeg(try TestPictures.quartersFile(.jpeg), withSegment: 0xe1, exif)
        let picture = try PictureDecoder.decode(file)
        #expect(try Pixels(jpeg: try #require(picture.files[.large])).corners == ["red", "green", "blue", "white"])
    }

    @Test("Stored pictures contain no EXIF data")
    func metadataIsGone() throws {
        let exif = Array("Exif\0\0".utf8) + TestPictures.exif(orientation: 6)
        var file = TestPictures.jpeg(try TestPictures.quartersFile(.jpeg), withSegment: 0xe1, exif)
        let xmp = Array("http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>exif:GPSLatitude=52,31N</x:xmpmeta>".utf8)
        file = TestPictures.jpeg(file, withSegment: 0xe1, xmp)
        #expect(contains(file, "Cam-A-1"))
        let picture = try PictureDecoder.decode(file)
        for (size, bytes) in picture.files {
            for trace in ["Exif", "Cam-A-1", "xmp", "GPS", "ICC_PROFILE"] {
                #expect(!contains(bytes, trace), "\(size) has \(trace)")
            }
        }
    }

    private func contains(_ bytes: [UInt8], _ text: String) -> Bool {
        let wanted = Array(text.utf8)
        return bytes.indices.dropLast(wanted.count - 1).contains { bytes[$0...].starts(with: wanted) }
    }

    @Test("Transparent pixels become white", arguments: [TestPictures.Format.png, .webp])
    func transparency(format: TestPictures.Format) throws {
        let clear = try TestPictures.plain(0x7f00_0000)
        let picture = try PictureDecoder.decode(try TestPictures.file(clear, format))
        #expect(try Pixels(jpeg: try #require(picture.files[.large])).colour(16, 16) == "white")
    }

    @Test("A PNG with a palette keeps its colours")
    func palette() throws {
        let image = try TestPictures.quarters()
        gdImageTrueColorToPalette(image, 0, 16)
        let picture = try PictureDecoder.decode(try TestPictures.file(image, .png))
        #expect(try Pixels(jpeg: try #require(picture.files[.large])).corners == ["red", "green", "blue", "white"])
    }
}
