/// Reads a WebP container (RFC 9649, 2): canvas size, transparency, EXIF data, colour profile and the first frame of
/// an animation.
enum WebPHeader {
    private static let containerBytes = 12
    private static let frameHeaderBytes = 16

    private struct Chunk {
        let name: String
        let offset: Int
        let length: Int
        var content: Range<Int> { offset + 8..<offset + 8 + length }
    }

    static func read(_ reader: PictureByteReader) -> PictureHeader? {
        guard let size = reader.littleEndian(4, bytes: 4), size + 8 <= reader.count,
            let chunks = chunks(reader, in: containerBytes..<(size + 8)), let first = chunks.first
        else { return nil }
        guard first.name == "VP8X" else { return bitstream(reader, first) }
        guard let flags = reader[first.content.lowerBound],
            let width = reader.littleEndian(first.content.lowerBound + 4, bytes: 3),
            let height = reader.littleEndian(first.content.lowerBound + 7, bytes: 3)
        else { return nil }
        var header = PictureHeader(width: width + 1, height: height + 1, hasAlpha: flags & 0x10 != 0)
        for chunk in chunks {
            switch chunk.name {
            case "EXIF" where header.exif == nil: header.exif = tiff(Array(reader.bytes[chunk.content]))
            case "ICCP" where header.colourProfile == nil: header.colourProfile = Array(reader.bytes[chunk.content])
            case "ANMF" where header.firstFrame == nil:
                guard let frame = frame(reader, chunk) else { return nil }
                header.firstFrame = frame
                header.hasAlpha = true
            default: break
            }
        }
        return header
    }

    private static func chunks(_ reader: PictureByteReader, in range: Range<Int>) -> [Chunk]? {
        var chunks: [Chunk] = []
        var offset = range.lowerBound
        while offset + 8 <= range.upperBound {
            guard let name = reader.text(offset, 4), let length = reader.littleEndian(offset + 4, bytes: 4),
                offset + 8 + length <= range.upperBound
            else { return nil }
            chunks.append(Chunk(name: name, offset: offset, length: length))
            offset += 8 + length + length % 2
        }
        return chunks
    }

    /// Returns the size of a lossy (RFC 6386, 9.1) or lossless (RFC 9649, 3.4) bitstream.
    private static func bitstream(_ reader: PictureByteReader, _ chunk: Chunk) -> PictureHeader? {
        let start = chunk.content.lowerBound
        switch chunk.name {
        case "VP8 ":
            guard let width = reader.littleEndian(start + 6, bytes: 2),
                let height = reader.littleEndian(start + 8, bytes: 2)
            else { return nil }
            return PictureHeader(width: width & 0x3fff, height: height & 0x3fff)
        case "VP8L":
            guard reader[start] == 0x2f, let bits = reader.littleEndian(start + 1, bytes: 4) else { return nil }
            return PictureHeader(
                width: bits & 0x3fff + 1, height: bits >> 14 & 0x3fff + 1, hasAlpha: bits >> 28 & 1 == 1)
        default:
            return nil
        }
    }

    /// Removes the JPEG prefix that some writers put before the TIFF structure.
    private static func tiff(_ exif: [UInt8]) -> [UInt8] {
        exif.starts(with: "Exif\0\0".utf8) ? Array(exif.dropFirst(6)) : exif
    }

    private static func frame(_ reader: PictureByteReader, _ chunk: Chunk) -> PictureHeader.AnimationFrame? {
        let start = chunk.content.lowerBound
        guard chunk.length >= frameHeaderBytes,
            let left = reader.littleEndian(start, bytes: 3), let top = reader.littleEndian(start + 3, bytes: 3),
            let size = reader.slice(start + 6, 6),
            let parts = chunks(reader, in: (start + frameHeaderBytes)..<chunk.content.upperBound)
        else { return nil }
        var body: [UInt8] = []
        for part in parts where ["ALPH", "VP8 ", "VP8L"].contains(part.name) {
            if part.name == "ALPH" {
                body += extendedChunk(size: size)
            }
            body += reader.bytes[part.offset..<part.content.upperBound]
            if part.length % 2 == 1 { body.append(0) }
        }
        let file = Array("RIFF".utf8) + littleEndian(body.count + 4) + Array("WEBP".utf8) + body
        return PictureHeader.AnimationFrame(file: file, left: left * 2, top: top * 2)
    }

    /// Returns a `VP8X` chunk with the alpha flag.
    private static func extendedChunk(size: ArraySlice<UInt8>) -> [UInt8] {
        Array("VP8X".utf8) + littleEndian(10) + [0x10, 0, 0, 0] + size
    }

    private static func littleEndian(_ value: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}
