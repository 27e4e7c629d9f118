/// The formats of pictures that a map file may contain.
package enum TileFormat: String, Sendable, CaseIterable {
    case png, jpeg, webp

    package var mediaType: String { "image/\(rawValue)" }

    /// Returns the format by the first bytes; `nil` for all others. The browser gets no other content.
    package init?(of bytes: [UInt8]) {
        let pngSignature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
        if bytes.starts(with: pngSignature) {
            self = .png
        } else if bytes.starts(with: [0xff, 0xd8, 0xff]) {
            self = .jpeg
        } else if bytes.count >= 12, bytes.starts(with: Array("RIFF".utf8)),
            bytes[8..<12].elementsEqual("WEBP".utf8)
        {
            self = .webp
        } else {
            return nil
        }
    }
}

/// One tile of a map file.
package struct MapTile: Sendable, Equatable {
    package let bytes: [UInt8]
    package let format: TileFormat
}
