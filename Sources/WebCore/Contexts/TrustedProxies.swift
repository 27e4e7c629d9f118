import Foundation
import Kernel

/// The reverse proxies whose `X-Forwarded-For` is trusted.
package struct TrustedProxies: Sendable, Equatable {
    package static let none = TrustedProxies(ranges: [])

    private let ranges: [AddressRange]

    /// Reads a comma-separated list of addresses and networks: `127.0.0.1, 10.0.0.0/8, ::1`.
    /// - Returns: `nil` when an entry is neither.
    package init?(_ list: String) {
        var ranges: [AddressRange] = []
        for entry in list.split(separator: ",") {
            guard let range = AddressRange(entry.trimmingSpaces()) else { return nil }
            ranges.append(range)
        }
        self.ranges = ranges
    }

    private init(ranges: [AddressRange]) { self.ranges = ranges }

    /// The client's address: the peer's address, or the last one in `X-Forwarded-For` that isn't a trusted proxy.
    /// - Returns: an address; `unknown` for a socket without one.
    package func clientAddress(peer: String?, forwardedFor: String?) -> String {
        guard let peer else { return "unknown" }
        guard !ranges.isEmpty, let forwardedFor, contains(peer) else { return peer }
        var client = peer
        for hop in forwardedFor.split(separator: ",").reversed() {
            let address = hop.trimmingSpaces()
            guard AddressRange(address) != nil else { break }
            client = address
            if !contains(address) { break }
        }
        return client
    }

    /// Whether the address belongs to a trusted proxy.
    package func contains(_ address: String) -> Bool {
        guard let bytes = AddressRange.bytes(of: address) else { return false }
        return ranges.contains { $0.contains(bytes) }
    }
}

/// One address, or a network in CIDR notation (RFC 4632, RFC 4291).
struct AddressRange: Sendable, Equatable {
    private let bytes: [UInt8]
    private let prefixBits: Int

    init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let bytes = Self.bytes(of: String(first)) else { return nil }
        var bits = bytes.count * 8
        if parts.count == 2 {
            guard let given = Int(parts[1]), (0...bits).contains(given) else { return nil }
            bits = given
        }
        self.bytes = bytes
        prefixBits = bits
    }

    func contains(_ address: [UInt8]) -> Bool {
        guard address.count == bytes.count else { return false }
        for bit in 0..<prefixBits {
            let mask = UInt8(0x80) >> UInt8(bit % 8)
            if address[bit / 8] & mask != bytes[bit / 8] & mask { return false }
        }
        return true
    }

    static func bytes(of text: String) -> [UInt8]? {
        var four = in_addr()
        if inet_pton(AF_INET, text, &four) == 1 { return withUnsafeBytes(of: &four) { Array($0) } }
        var six = in6_addr()
        if inet_pton(AF_INET6, text, &six) == 1 {
            let bytes = withUnsafeBytes(of: &six) { Array($0) }
            let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
            return bytes.starts(with: mapped) ? Array(bytes.suffix(4)) : bytes
        }
        return nil
    }
}
