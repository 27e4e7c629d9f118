import Foundation
import Kernel

/// The push services that may receive messages. Browsers name their own push service; without this list, anyone
/// signed in could make the server send requests to any address.
package struct PushHosts: Sendable {
    /// Thrown when the administrator's setting is invalid.
    package enum Failure: Error, Hashable, Sendable {
        /// This entry isn't a host name.
        case notAHost(String)
    }

    /// The push services of current browsers, as their vendors document them: Chrome and Edge on Android, Chromium
    /// builds, Firefox, Safari, Edge on Windows. A leading dot matches all subdomains.
    package static let known = [
        "fcm.googleapis.com", "jmt17.google.com", ".push.services.mozilla.com", ".push.apple.com",
        ".notify.windows.com",
    ]

    /// The names that the setting adds, without those of subdomains.
    let added: [String]
    private let names: Set<String>
    private let suffixes: [String]

    /// Creates the list.
    /// - Parameter more: further hosts, separated by commas; `.example.org` and `*.example.org` match all subdomains.
    /// - Throws: ``Failure`` for an entry that isn't a host name, including IP addresses.
    package init(adding more: String = "") throws(Failure) {
        var names: Set<String> = []
        var suffixes: [String] = []
        let added = more.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
        for entry in Self.known + added where !entry.isEmpty {
            let isSuffix = entry.hasPrefix(".") || entry.hasPrefix("*.")
            let name = isSuffix ? String(entry.drop { $0 == "*" || $0 == "." }) : entry
            guard Self.isName(name) else { throw .notAHost(entry) }
            if isSuffix { suffixes.append(".\(name)") } else { names.insert(name) }
        }
        self.added = added.filter { names.contains($0) }
        self.names = names
        self.suffixes = suffixes
    }

    /// Whether the text is a host name: letters, digits and hyphens between dots. The last label must contain a
    /// letter, which excludes IP addresses (RFC 1123, 2.1).
    private static func isName(_ text: String) -> Bool {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count >= 2, text.utf8.count <= 253, labels.last?.contains(where: \.isLetter) ?? false else {
            return false
        }
        return labels.allSatisfy { label in
            (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                && label.utf8.allSatisfy { byte in
                    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
                }
        }
    }

    func contains(_ host: String) -> Bool {
        names.contains(host) || suffixes.contains { host.hasSuffix($0) && host.count > $0.count }
    }

    /// Throws unless the endpoint is an https URL on port 443 without user info, of a host on the list.
    func check(_ endpoint: String) throws(EndpointError) {
        guard let parts = Self.parts(endpoint) else { throw .unusable }
        guard contains(parts.host) else { throw .unknownHost }
    }

    /// Returns the host of an endpoint; `nil` if the endpoint is invalid.
    static func host(of endpoint: String) -> String? { parts(endpoint)?.host }

    /// Returns the host, the origin that signatures name (RFC 8292, 2) and the rest of an endpoint.
    static func parts(_ endpoint: String) -> (host: String, origin: String, path: String)? {
        guard endpoint.utf8.count <= Limits.pushEndpointBytes,
            endpoint.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "\\") }),
            let parts = URLComponents(string: endpoint), parts.scheme?.lowercased() == "https",
            let host = parts.host?.lowercased(), isName(host), parts.port ?? 443 == 443, parts.user == nil,
            parts.password == nil, parts.fragment == nil, parts.percentEncodedPath.hasPrefix("/")
        else { return nil }
        let query = parts.percentEncodedQuery.map { "?\($0)" } ?? ""
        return (host, "https://\(host)", parts.percentEncodedPath + query)
    }
}

/// Thrown when a browser's endpoint is rejected.
enum EndpointError: Error, Hashable, Sendable {
    case unusable
    case unknownHost
}
