import Kernel

/// The reverse proxies that may name the client, in `X-Forwarded-For` or `Forwarded`.
package struct TrustedProxies: Sendable, Equatable {
    package static let none = TrustedProxies(ranges: [])

    private let ranges: [AddressRange]

    /// Reads a list of addresses and networks, separated by commas, blanks or both: `127.0.0.1, 10.0.0.0/8 [::1]`.
    /// - Throws: ``UnreadableEntry`` for the first entry that is neither.
    package init(_ list: String) throws(UnreadableEntry) {
        var ranges: [AddressRange] = []
        for entry in list.split(whereSeparator: { $0 == "," || $0.isWhitespace }) {
            guard let range = AddressRange(entry) else { throw UnreadableEntry(text: String(entry)) }
            ranges.append(range)
        }
        self.ranges = ranges
    }

    /// An entry of the list that is neither an address nor a network.
    package struct UnreadableEntry: Error, Equatable {
        package let text: String
    }

    private init(ranges: [AddressRange]) { self.ranges = ranges }

    /// The client of a request, as ``client(peer:_:)`` finds it.
    struct Client: Equatable {
        /// `unknown` for a socket without an address.
        let address: String
        let source: ClientAddressSource
    }

    /// Returns the client: the peer, or the last address that the headers name which isn't a trusted proxy. An entry
    /// that names no address ends the search, because what precedes it can be the client's own invention.
    func client(peer: String?, _ headers: ForwardedHeaders) -> Client {
        guard let peer else { return Client(address: "unknown", source: .connection) }
        guard !headers.isEmpty else { return Client(address: peer, source: .connection) }
        guard contains(peer) else { return Client(address: peer, source: .untrustedProxy) }
        var client = Client(address: peer, source: .connection)
        for hop in headers.hopsFromLast {
            guard let hop else { break }
            client = Client(address: hop, source: .proxy)
            if !contains(hop) { break }
        }
        return client
    }

    /// The address of ``client(peer:_:)``.
    package func clientAddress(peer: String?, forwardedFor: String?, forwarded: String? = nil) -> String {
        client(peer: peer, ForwardedHeaders(xForwardedFor: forwardedFor, forwarded: forwarded)).address
    }

    /// Whether the address belongs to a trusted proxy.
    package func contains(_ address: String) -> Bool {
        guard let address = IPAddress(address) else { return false }
        return ranges.contains { $0.contains(address) }
    }
}
