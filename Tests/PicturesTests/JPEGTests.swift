import CGD
import Foundation
import Kernel
import Testing

@testable import Pictures

@Suite("JPEG files of phones and cameras")
struct JPEGTests {
    /// Returns a file with data in each row, with one scan or as a progressive file.
    static func file(width: Int = 320, height: Int = 960, isProgressive: Bool = false) throws -> [UInt8] {
        let image = try TestPictures.quarters(width: width, height: height)
        // Noise, so that each row has data.
        for row in 0..<Int32(height) {
            for column in stride(from: row % 7, to: Int32(width), by: 11) {
                gdImageSetPixel(image, column, row, (row &* 31 &+ column &* 17) & 0xffffff)
            }
        }
        gdImageInterlace(image, isProgressive ? 1 : 0)
        return try TestPictures.file(image, .jpeg)
    }

    struct Warned: CustomTestStringConvertible {
        let name: String
        let change: @Sendable ([UInt8]) -> [UInt8]
        var testDescription: String { name }

        init(_ name: String, _ change: @escaping @Sendable ([UInt8]) -> [UInt8]) {
            self.name = name
            self.change = change
        }
    }

    static let warned = [
        Warned("no end marker") { Array($0.dropLast(2)) },
        Warned("half an end marker") { Array($0.dropLast()) },
        Warned("a maker's trailer without an end marker") { Array($0.dropLast(2)) + Array("\u{0}SEFH trailer".utf8) },
        Warned("a trailer after the end") { $0 + [UInt8](repeating: 0, count: 5_000) },
        Warned("another picture after the end") { $0 + $0 },
        Warned("zeroes before the end marker") { Array($0.dropLast(2)) + [0, 0, 0, 0, 0xff, 0xd9] },
        Warned("the last rows are missing") { Array($0.prefix($0.count * 98 / 100)) },
        Warned("the last rows are missing, with an end") { Array($0.prefix($0.count * 98 / 100)) + [0xff, 0xd9] },
        Warned("zeroes in place of the last rows") {
            Array($0.prefix($0.count * 98 / 100)) + [UInt8](repeating: 0, count: $0.count / 50)
        },
        // After the segment of JFIF.
        Warned("bytes before a segment") { Array($0.prefix(20)) + [0, 1, 2] + Array($0.dropFirst(20)) },
    ]

    @Test("Files that libjpeg only warns about are accepted", arguments: warned, [false, true])
    func accepted(warned: Warned, isProgressive: Bool) throws {
        let picture = try PictureDecoder.decode(warned.change(try Self.file(isProgressive: isProgressive)))
        #expect(picture.width == 320 && picture.height == 960)
        let pixels = try Pixels(jpeg: try #require(picture.files[.large]))
        #expect(pixels.colour(40, 40) == "red")
        #expect(pixels.colour(40, 700) == "blue")
    }

    @Test("A picture of which more than a sixteenth is missing is damaged", arguments: [0.3, 0.6, 0.9])
    func cut(share: Double) throws {
        let file = try Self.file()
        let cut = Array(file.prefix(Int(Double(file.count) * share)))
        #expect(throws: PictureError.damaged) { try PictureDecoder.decode(cut) }
        #expect(throws: PictureError.damaged) { try PictureDecoder.decode(cut + [0xff, 0xd9]) }
    }

    @Test(
        "Photos of 50 and 200 megapixels are reduced while they are decoded",
        arguments: [
            (8_160, 6_144), (16_382, 3_628), (16_320, 12_240),
        ])
    func large(width: Int, height: Int) throws {
        let file = try Self.plainFile(width: width, height: height)
        let picture = try PictureDecoder.decode(file)
        #expect(picture.width == width && picture.height == height)
        let pixels = try Pixels(jpeg: try #require(picture.files[.large]))
        #expect(max(pixels.width, pixels.height) == 1_600)
        #expect(abs(pixels.height - 1_600 * height / width) <= 1)
        #expect(pixels.colour(pixels.width / 2, pixels.height / 2) == "green")
    }

    /// Returns a progressive file with more scans than programs write. It refines the lowest frequency again and again,
    /// which changes no pixel.
    static func file(scans: Int) throws -> [UInt8] {
        let file = try Self.file(isProgressive: true)
        let starts = file.indices.dropLast(14).filter { file[$0] == 0xff && file[$0 + 1] == 0xda }
        // A scan of three components, of their first coefficient, for its last bit.
        let start = try #require(
            starts.first { file[$0 + 4] == 3 && Array(file[$0 + 11...$0 + 13]) == [0, 0, 0x10] })
        let end = try #require(
            file.indices.dropLast().first { index in
                index > start + 13 && file[index] == 0xff && file[index + 1] != 0
                    && !(0xd0...0xd7).contains(file[index + 1])
            })
        let repeated = Array(repeating: file[start..<end], count: scans - starts.count).flatMap(\.self)
        return Array(file[..<end]) + repeated + Array(file[end...])
    }

    @Test("A progressive JPEG with many scans is refused, however small they are")
    func manyScans() throws {
        let usual = try PictureDecoder.decode(try Self.file(isProgressive: true))
        #expect(try PictureDecoder.decode(try Self.file(scans: Limits.pictureScans)) == usual)
        for scans in [Limits.pictureScans + 1, 200] {
            let file = try Self.file(scans: scans)
            #expect(throws: PictureError.damaged) { try PictureDecoder.decode(file) }
        }
    }

    @Test("A JPEG above 250 megapixels is refused by its header")
    func tooLarge() throws {
        var file = try TestPictures.quartersFile(.jpeg)
        let frame = try #require((0..<file.count - 1).first { file[$0] == 0xff && file[$0 + 1] == 0xc0 })
        file.replaceSubrange(frame + 5..<frame + 9, with: [0x3e, 0x80, 0x3e, 0x80])
        #expect(throws: PictureError.tooManyPixels) { try PictureDecoder.decode(file) }
    }

    /// Returns a green file of any size. All rows of blocks but the first have the same coded data, whose bits are
    /// repeated here, because the image itself would be very large.
    static func plainFile(width: Int, height: Int) throws -> [UInt8] {
        let rows = try (2...3).map { count in
            try TestPictures.file(try TestPictures.plain(TestPictures.green, width: width, height: count * 16), .jpeg)
        }
        let rowBytes = rows[1].count - rows[0].count
        let start = rows[1].count - 2 * rowBytes
        let repeated = rows[1][start..<start + rowBytes]
        var file = rows[1][..<start] + Array(repeating: repeated, count: (height + 15) / 16 - 3).flatMap(\.self)
        file += rows[1][start...]
        let frame = try #require((0..<start).first { file[$0] == 0xff && file[$0 + 1] == 0xc0 })
        file.replaceSubrange(frame + 5..<frame + 7, with: [UInt8(height >> 8), UInt8(height & 0xff)])
        return Array(file)
    }

    /// A red square in the inks of printers, with Adobe's marker, as other programs write it.
    private static let inks = """
        /9j/7gAOQWRvYmUAZAAAAAAA/9sAQwAIBgYHBgUIBwcHCQkICgwUDQwLCwwZEhMPFB0aHx4dGhwcICQuJyAiLCMcHCg3KSwwMTQ0 \
        NB8nOT04MjwuMzQy/8AAFAgAEAAQBEMRAE0RAFkRAEsRAP/EABYAAQEBAAAAAAAAAAAAAAAAAAAHCP/EABQQAQAAAAAAAAAAAAAA \
        AAAAAAD/2gAOBEMATQBZAEsAAD8Av7P7P6/gAAAP/9k=
        """

    @Test("A JPEG for printing gets the colours of its inks")
    func printing() throws {
        let file = try #require(Data(base64Encoded: Self.inks, options: .ignoreUnknownCharacters))
        let picture = try PictureDecoder.decode(Array(file))
        let found = try Pixels(jpeg: try #require(picture.files[.large])).components(8, 8)
        #expect(zip(found, [255, 0, 0]).allSatisfy { abs($0 - $1) <= 6 }, "\(found)")
    }

    struct Colours: CustomTestStringConvertible {
        let name: String
        let exif: [UInt8]
        let expected: [Int]
        var testDescription: String { name }
    }

    @Test(
        "Adobe RGB is named by EXIF data",
        arguments: [
            Colours(
                name: "uncalibrated, R03", exif: TestPictures.exif(colourSpace: 0xffff, interoperability: "R03"),
                expected: [205, 90, 56]),
            Colours(
                name: "2", exif: TestPictures.exif(colourSpace: 2, interoperability: ""), expected: [205, 90, 56]),
            Colours(
                name: "sRGB, R98", exif: TestPictures.exif(colourSpace: 1, interoperability: "R98"),
                expected: [180, 90, 60]),
            Colours(
                name: "uncalibrated", exif: TestPictures.exif(colourSpace: 0xffff, interoperability: "R98"),
                expected: [180, 90, 60]),
        ])
    func adobeRGB(colours: Colours) throws {
        let plain = try TestPictures.file(try TestPictures.plain(0x00b4_5a3c), .jpeg)
        let file = TestPictures.jpeg(plain, withSegment: 0xe1, Array("Exif\0\0".utf8) + colours.exif)
        let picture = try PictureDecoder.decode(file)
        let found = try Pixels(jpeg: try #require(picture.files[.large])).components(16, 16)
        #expect(zip(found, colours.expected).allSatisfy { abs($0 - $1) <= 6 }, "\(found)")
    }
}
