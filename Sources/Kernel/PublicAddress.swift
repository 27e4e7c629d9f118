import Foundation

/// Classifies numeric IP addresses.
package enum PublicAddress {
    /// Whether an address is globally reachable (RFC 6890). Loopback, private, link-local and multicast addresses
    /// aren't, nor are IPv6 addresses that embed such an IPv4 address.
    package static func isPublic(_ text: String) -> Bool {
        guard let bytes = bytes(of: text) else { return false }
        return bytes.count == 4 ? isPublic(four: bytes) : isPublic(six: bytes)
    }

    /// Whether a numeric address or `localhost` is a loopback address.
    package static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" { return true }
        guard let bytes = bytes(of: host) else { return false }
        return bytes.count == 4 ? bytes[0] == 127 : bytes == [UInt8](repeating: 0, count: 15) + [1]
    }

    private static let forbiddenFour: [(first: [UInt8], bits: Int)] = [
        ([0, 0, 0, 0], 8), ([10, 0, 0, 0], 8), ([100, 64, 0, 0], 10), ([127, 0, 0, 0], 8), ([169, 254, 0, 0], 16),
        ([172, 16, 0, 0], 12), ([192, 0, 0, 0], 24), ([192, 0, 2, 0], 24), ([192, 88, 99, 0], 24),
        ([192, 168, 0, 0], 16), ([198, 18, 0, 0], 15), ([198, 51, 100, 0], 24), ([203, 0, 113, 0], 24),
        ([224, 0, 0, 0], 4), ([240, 0, 0, 0], 4),
    ]

    private static func isPublic(four address: [UInt8]) -> Bool {
        !forbiddenFour.contains { matches(address, $0.first, bits: $0.bits) }
    }

    private static func isPublic(six address: [UInt8]) -> Bool {
        // Global unicast (2000::/3) except documentation, Teredo and 6to4. NAT64 embeds an IPv4 address, which
        // decides.
        if matches(address, [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0], bits: 96) {
            return isPublic(four: Array(address.suffix(4)))
        }
        guard matches(address, [0x20], bits: 3) else { return false }
        let forbidden: [(first: [UInt8], bits: Int)] = [
            ([0x20, 0x01, 0x0d, 0xb8], 32), ([0x20, 0x01, 0x00, 0x00], 23), ([0x20, 0x02], 16),
            ([0x3f, 0xff, 0x00], 20),
        ]
        return !forbidden.contains { matches(address, $0.first, bits: $0.bits) }
    }

    private static func matches(_ address: [UInt8], _ first: [UInt8], bits: Int) -> Bool {
        for bit in 0..<bits {
            let mask = UInt8(0x80) >> UInt8(bit % 8)
            if address[bit / 8] & mask != first[bit / 8] & mask { return false }
        }
        return true
    }

    private static func bytes(of text: String) -> [UInt8]? {
        var four = in_addr()
        if inet_pton(AF_INET, text, &four) == 1 { return withUnsafeBytes(of: &four) { Array($0) } }
        var six = in6_addr()
        guard inet_pton(AF_INET6, text, &six) == 1 else { return nil }
        let bytes = withUnsafeBytes(of: &six) { Array($0) }
        let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
        return bytes.starts(with: mapped) ? Array(bytes.suffix(4)) : bytes
    }
}
