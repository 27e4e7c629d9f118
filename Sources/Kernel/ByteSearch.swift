import Glibc

extension UnsafeBufferPointer<UInt8> {
    /// Returns the first place of `wanted` from `start` on; `nil` when there is none. It jumps from one occurrence of
    /// the first byte to the next, so that a rare one makes it fast.
    package func firstIndex(of wanted: UnsafeBufferPointer<UInt8>, from start: Int = 0) -> Int? {
        guard let base = baseAddress, let wantedBase = wanted.baseAddress else { return nil }
        var place = start
        while place + wanted.count <= count {
            let starts = count - wanted.count + 1 - place
            guard let found = memchr(base + place, Int32(wanted[0]), starts) else { return nil }
            place = UnsafeRawPointer(found) - UnsafeRawPointer(base)
            if memcmp(base + place, wantedBase, wanted.count) == 0 { return place }
            place += 1
        }
        return nil
    }

    /// Returns the first place of a text's bytes from `start` on; `nil` when there is none.
    package func firstIndex(of wanted: StaticString, from start: Int = 0) -> Int? {
        wanted.withUTF8Buffer { firstIndex(of: $0, from: start) }
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

    /// Returns the parts between the ranges that have the bytes of `separator`, empty ones included.
    package func split(atBytes separator: StaticString) -> [Substring] {
        var parts: [Substring] = []
        var rest = self
        while let range = rest.firstByteRange(of: separator) {
            parts.append(rest[..<range.lowerBound])
            rest = rest[range.upperBound...]
        }
        return parts + [rest]
    }
}
