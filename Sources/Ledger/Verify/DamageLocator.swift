/// Finds a single changed byte in a row by trying all values of all bytes.
struct DamageLocator {
    struct Place {
        let column: String
        let firstByte: Int
    }

    // A digest of other content shares hardly any byte with the right one.
    private static let damagedDigestBytes = 8

    let key: LedgerKey

    /// Returns where the row differs from the one that `digest` covers; `nil` if more than one byte changed.
    func place(of digest: [UInt8], _ image: RowImage) -> Place? {
        let right = key.digest(image)
        if right.count == digest.count {
            let different = right.indices.filter { right[$0] != digest[$0] }
            if let first = different.first, different.count <= Self.damagedDigestBytes {
                return Place(column: "digest", firstByte: first)
            }
        }
        var bytes = image.bytes
        for column in image.columns {
            for index in column.bytes {
                let present = bytes[index]
                for candidate in UInt8.min...UInt8.max where candidate != present {
                    bytes[index] = candidate
                    if key.digest(bytes) == digest {
                        return Place(column: column.name, firstByte: index - column.bytes.lowerBound)
                    }
                }
                bytes[index] = present
            }
        }
        return nil
    }

    /// Returns the offset of the first byte that differs; `nil` if the sequences are equal.
    static func firstByte(_ present: some Sequence<UInt8>, _ right: some Sequence<UInt8>) -> Int? {
        var index = 0
        var left = present.makeIterator()
        var other = right.makeIterator()
        while true {
            let (byte, expected) = (left.next(), other.next())
            guard byte != nil || expected != nil else { return nil }
            guard byte == expected else { return index }
            index += 1
        }
    }

    static func firstByte(_ present: Int64, _ right: Int64) -> Int? {
        let difference = UInt64(bitPattern: present ^ right)
        return difference == 0 ? nil : difference.leadingZeroBitCount / 8
    }
}
