/// The checksum of ZIP (ISO 3309; polynomial 0xEDB88320, reflected).
enum CRC32 {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xedb8_8320 : sum >> 1 }
    }

    static func checksum(_ bytes: [UInt8]) -> UInt32 {
        let table = table
        var sum = UInt32.max
        for byte in bytes { sum = table[Int((sum ^ UInt32(byte)) & 0xff)] ^ sum >> 8 }
        return ~sum
    }
}
