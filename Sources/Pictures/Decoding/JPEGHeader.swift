import Foundation

/// Reads a JPEG file's segments (ITU-T T.81, annex B) up to its first scan.
enum JPEGHeader {
    private static let startOfScan: UInt8 = 0xda
    private static let endOfImage: UInt8 = 0xd9
    private static let exifSegment: UInt8 = 0xe1
    private static let profileSegment: UInt8 = 0xe2

    static func read(_ reader: PictureByteReader) -> PictureHeader? {
        var header: PictureHeader?
        var exif: [UInt8]?
        var profile = ProfileParts()
        var offset = 2
        while let (marker, next) = nextMarker(reader, from: offset) {
            offset = next
            if marker == startOfScan {
                header?.exif = exif
                header?.colourProfile = profile.joined
                return header
            }
            guard marker != endOfImage else { return nil }
            if isStandalone(marker) { continue }
            guard let length = reader.bigEndian(offset, bytes: 2), length >= 2 else { return nil }
            guard let content = reader.slice(offset + 2, length - 2) else { return nil }
            offset += length
            switch marker {
            case exifSegment where exif == nil && reader.starts(with: "Exif\0\0", at: content.startIndex):
                exif = Array(content.dropFirst(6))
            case profileSegment where reader.starts(with: "ICC_PROFILE\0", at: content.startIndex):
                profile.add(content.dropFirst(12))
            default:
                guard isStartOfFrame(marker), header == nil else { continue }
                guard let height = reader.bigEndian(content.startIndex + 1, bytes: 2),
                    let width = reader.bigEndian(content.startIndex + 3, bytes: 2)
                else { return nil }
                header = PictureHeader(width: width, height: height)
            }
        }
        return nil
    }

    private static func isStandalone(_ marker: UInt8) -> Bool { marker == 0x01 || (0xd0...0xd8).contains(marker) }

    private static func isStartOfFrame(_ marker: UInt8) -> Bool {
        (0xc0...0xcf).contains(marker) && ![0xc4, 0xc8, 0xcc].contains(marker)
    }

    /// Returns the next marker at or after `offset`. Skips other bytes between segments.
    private static func nextMarker(_ reader: PictureByteReader, from offset: Int) -> (marker: UInt8, next: Int)? {
        reader.bytes.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> (marker: UInt8, next: Int)? in
            guard let base = bytes.baseAddress else { return nil }
            var position = offset
            while position < bytes.count, let found = memchr(base + position, 0xff, bytes.count - position) {
                position = base.distance(to: UnsafeRawPointer(found)) + 1
                while position < bytes.count, bytes[position] == 0xff { position += 1 }
                guard position < bytes.count else { return nil }
                let marker = bytes[position]
                position += 1
                if marker != 0, !(0xd0...0xd7).contains(marker) { return (marker, position) }
            }
            return nil
        }
    }

    /// An ICC profile split into numbered segments (ICC.1, annex B.4).
    private struct ProfileParts {
        private var parts: [UInt8: ArraySlice<UInt8>] = [:]
        private var total: UInt8 = 0

        mutating func add(_ segment: ArraySlice<UInt8>) {
            guard segment.count > 2 else { return }
            total = segment[segment.startIndex + 1]
            parts[segment[segment.startIndex]] = segment.dropFirst(2)
        }

        var joined: [UInt8]? {
            guard total > 0, parts.count == Int(total) else { return nil }
            return parts.sorted { $0.key < $1.key }.flatMap(\.value)
        }
    }
}
