import Glibc

/// Inlines the icons that templates name: replaces each `<use href="…/vendor/icons.svg#NAME"/>` with the drawing.
///
/// Names keep the templates readable; inlined drawings are faster. A phone loads an external sprite as a separate
/// document, with style and layout for each icon, before it shows the page's first text.
struct Icons: Sendable {
    static let sprite = "vendor/icons.svg"

    private static let opening = Array("<use href=\"".utf8)
    private static let reference = Array("/\(sprite)#".utf8)
    private static let closing = Array("\"/>".utf8)

    /// The drawings by name: an `svg` element around the content of the sprite's `symbol`. `.icon` in the styles sets
    /// the line width.
    private let drawings: [String: [UInt8]]

    /// Reads a sprite with each symbol on its own line, as the set-up script writes it.
    init(sprite: [UInt8]) {
        var drawings: [String: [UInt8]] = [:]
        for line in String(decoding: sprite, as: UTF8.self).split(separator: "\n") {
            guard let symbol = line.wholeMatch(of: /<symbol id="([^"]+)" viewBox="([^"]+)"[^>]*>(.*)<\/symbol>/) else {
                continue
            }
            let (_, name, box, drawing) = symbol.output
            drawings[String(name)] = Array("<svg viewBox=\"\(box)\" data-icon=\"\(name)\">\(drawing)</svg>".utf8)
        }
        self.drawings = drawings
    }

    /// Returns the page with its icons inlined. A name that the sprite doesn't have stays unchanged.
    func drawn(in page: String) -> String {
        var page = page
        return page.withUTF8 { bytes in
            var drawn: [UInt8] = []
            drawn.reserveCapacity(bytes.count + bytes.count / 2)
            var copied = 0
            var next = 0
            while let use = Self.find(Self.opening, in: bytes, from: next) {
                next = use + Self.opening.count
                guard let end = Self.find(Self.closing, in: bytes, from: next),
                    let name = Self.name(in: bytes[next..<end]), let drawing = drawings[name]
                else { continue }
                drawn += bytes[copied..<use]
                drawn += drawing
                copied = end + Self.closing.count
                next = copied
            }
            drawn += bytes[copied...]
            return String(decoding: drawn, as: UTF8.self)
        }
    }

    private static func name(in address: Slice<UnsafeBufferPointer<UInt8>>) -> String? {
        let place = UnsafeBufferPointer(rebasing: address)
        return find(reference, in: place, from: 0).map { start in
            String(decoding: place[(start + reference.count)...], as: UTF8.self)
        }
    }

    private static func find(_ wanted: [UInt8], in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        guard let base = bytes.baseAddress else { return nil }
        var place = start
        while place + wanted.count <= bytes.count {
            let last = bytes.count - wanted.count + 1
            guard let found = memchr(base + place, Int32(wanted[0]), last - place) else { return nil }
            place = UnsafeRawPointer(found) - UnsafeRawPointer(base)
            if memcmp(base + place, wanted, wanted.count) == 0 { return place }
            place += 1
        }
        return nil
    }
}
