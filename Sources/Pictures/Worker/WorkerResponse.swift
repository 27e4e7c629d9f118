import Kernel

/// The worker's response on standard output: the four bytes of ``signature``, then one byte that is 0 or a
/// ``PictureError``. After a 0 follow width and height, then the length and the JPEG file of the sizes small,
/// medium and large. Numbers are 4 bytes, big-endian.
///
/// The parent treats the response as untrusted, because an exploited decoder may have written it.
enum WorkerResponse: Equatable {
    case rendered(RenderedPicture)
    case refused(PictureError)

    static let signature: [UInt8] = Array("HWP1".utf8)
    private static let jpegStart: [UInt8] = [0xff, 0xd8, 0xff]

    var bytes: [UInt8] {
        switch self {
        case .refused(let refusal):
            return Self.signature + [refusal.rawValue]
        case .rendered(let picture):
            var bytes = Self.signature + [0] + Self.number(picture.width) + Self.number(picture.height)
            for size in PictureSize.allCases {
                let file = picture.files[size] ?? []
                bytes += Self.number(file.count)
                bytes += file
            }
            return bytes
        }
    }

    /// Parses a response; `nil` unless it is complete and plausible.
    init?(_ bytes: [UInt8]) {
        let reader = PictureByteReader(bytes: bytes)
        guard bytes.starts(with: Self.signature), let code = reader[4] else { return nil }
        guard code == 0 else {
            guard let refusal = PictureError(rawValue: code), bytes.count == 5 else { return nil }
            self = .refused(refusal)
            return
        }
        guard let width = reader.bigEndian(5, bytes: 4), let height = reader.bigEndian(9, bytes: 4),
            width > 0, height > 0, width * height <= Limits.picturePixels
        else { return nil }
        var files: [PictureSize: [UInt8]] = [:]
        var offset = 13
        for size in PictureSize.allCases {
            guard let count = reader.bigEndian(offset, bytes: 4), let file = reader.slice(offset + 4, count),
                file.starts(with: Self.jpegStart)
            else { return nil }
            files[size] = Array(file)
            offset += 4 + count
        }
        guard offset == bytes.count else { return nil }
        self = .rendered(RenderedPicture(width: width, height: height, files: files))
    }

    private static func number(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
