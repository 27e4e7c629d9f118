/// Classifies numeric IP addresses.
package enum PublicAddress {
    /// Whether an address is globally reachable (RFC 6890). Loopback, private, link-local and multicast addresses
    /// aren't, nor are IPv6 addresses that embed such an IPv4 address.
    package static func isPublic(_ text: String) -> Bool {
        guard let address = IPAddress(text) else { return false }
        return address.bytes.count == 4 ? isPublic(four: address) : isPublic(six: address)
    }

    /// Whether a numeric address or `localhost` is a loopback address.
    package static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" { return true }
        guard let address = IPAddress(host) else { return false }
        return loopback.contains { $0.contains(address) }
    }

    private static let loopback = ["127.0.0.0/8", "::1"].compactMap { AddressRange($0) }

    private static let specialFour = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
        "224.0.0.0/4", "240.0.0.0/4",
    ].compactMap { AddressRange($0) }

    private static let globalSix = AddressRange("2000::/3")
    /// It embeds an IPv4 address, which decides (RFC 6052).
    private static let nat64 = AddressRange("64:ff9b::/96")
    /// Documentation, Teredo and other protocols, and 6to4.
    private static let specialSix = ["2001:db8::/32", "2001::/23", "2002::/16", "3fff::/20"]
        .compactMap { AddressRange($0) }

    private static func isPublic(four address: IPAddress) -> Bool { !specialFour.contains { $0.contains(address) } }

    private static func isPublic(six address: IPAddress) -> Bool {
        if nat64?.contains(address) == true {
            let embedded = address.bytes.suffix(4).map { String($0) }.joined(separator: ".")
            return IPAddress(embedded).map { isPublic(four: $0) } ?? false
        }
        return globalSix?.contains(address) == true && !specialSix.contains { $0.contains(address) }
    }
}
