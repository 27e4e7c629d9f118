import Glibc

extension UnsafeBufferPointer<UInt8> {
    /// Returns the first place of `wanted` from `start` on; `nil` when there is none.
    package func firstIndex(of wanted: StaticString, from start: Int = 0) -> Int? {
        guard let base = baseAddress else { return nil }
        let length = wanted.utf8CodeUnitCount
        var place = start
        while place + length <= count {
            let starts = count - length + 1 - place
            guard let found = memchr(base + place, Int32(wanted.utf8Start.pointee), starts) else { return nil }
            place = UnsafeRawPointer(found) - UnsafeRawPointer(base)
            if memcmp(base + place, wanted.utf8Start, length) == 0 { return place }
            place += 1
        }
        return nil
    }
}

extension Substring {
    /// Returns the first range that has the bytes of `text`; `nil` when there is none. The standard library's search
    /// compares characters and takes many times as long.
    package func firstByteRange(of text: StaticString) -> Range<Index>? {
        var copy = self
        guard let offset = copy.withUTF8({ $0.firstIndex(of: text) }) else { return nil }
        let start = utf8.index(startIndex, offsetBy: offset)
        return start..<utf8.index(start, offsetBy: text.utf8CodeUnitCount)
    }

    /// The lines, without their newlines. Splitting at characters takes many times as long.
    package var lines: [Substring] {
        var lines: [Substring] = []
        var rest = self
        while let newline = rest.firstByteRange(of: "\n") {
            lines.append(rest[..<newline.lowerBound])
            rest = rest[newline.upperBound...]
        }
        return lines + [rest]
    }
}
