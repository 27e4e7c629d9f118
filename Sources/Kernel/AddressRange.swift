import Foundation

/// One address, or a network in CIDR notation (RFC 4632, RFC 4291).
package struct AddressRange: Sendable, Equatable {
    private let bytes: [UInt8]
    private let prefixBits: Int

    /// Reads `10.0.0.0/8`, `::1`, and the forms with brackets: `[::1]`, `[fd00::]/8`, `[fd00::/8]`.
    package init?(_ text: some StringProtocol) {
        var text = String(text)
        if text.hasPrefix("["), text.hasSuffix("]"), text.contains("/") { text = String(text.dropFirst().dropLast()) }
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let address = IPAddress(first) else { return nil }
        bytes = address.bytes
        guard parts.count == 2 else {
            prefixBits = bytes.count * 8
            return
        }
        guard !parts[1].isEmpty, parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let bits = Int(parts[1])
        else { return nil }
        // The network of IPv4-mapped addresses has 96 bits more than the IPv4 network that it stands for.
        prefixBits = address.isMapped ? bits - IPAddress.mappedPrefix.count * 8 : bits
        guard (0...bytes.count * 8).contains(prefixBits) else { return nil }
    }

    /// Returns whether an address is in the range. One of the other version of IP isn't.
    package func contains(_ address: IPAddress) -> Bool {
        guard address.bytes.count == bytes.count else { return false }
        for bit in 0..<prefixBits {
            let mask = UInt8(0x80) >> UInt8(bit % 8)
            if address.bytes[bit / 8] & mask != bytes[bit / 8] & mask { return false }
        }
        return true
    }
}

/// An IPv4 or IPv6 address. An IPv4-mapped one (RFC 4291, 2.5.5.2) is the IPv4 address.
package struct IPAddress: Sendable, Equatable {
    static let mappedPrefix: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]

    /// 4 or 16 bytes.
    package let bytes: [UInt8]
    /// Whether the text was an IPv4-mapped address.
    package let isMapped: Bool

    /// Reads an address; that of IPv6 also in brackets, or with the zone of an interface (RFC 4007, 11), which is
    /// ignored.
    package init?(_ text: some StringProtocol) {
        var text = String(text)
        let isBracketed = text.hasPrefix("[") && text.hasSuffix("]")
        if isBracketed { text = String(text.dropFirst().dropLast()) }
        var four = in_addr()
        if !isBracketed, inet_pton(AF_INET, text, &four) == 1 {
            bytes = withUnsafeBytes(of: &four) { Array($0) }
            isMapped = false
            return
        }
        var six = in6_addr()
        guard inet_pton(AF_INET6, String(text.prefix { $0 != "%" }), &six) == 1 else { return nil }
        let all = withUnsafeBytes(of: &six) { Array($0) }
        isMapped = all.starts(with: Self.mappedPrefix)
        bytes = isMapped ? Array(all.suffix(4)) : all
    }
}

extension IPAddress: CustomStringConvertible {
    /// The address in its shortest form (RFC 5952).
    package var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "unknown" }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
