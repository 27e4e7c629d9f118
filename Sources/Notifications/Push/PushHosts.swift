import Foundation
import Kernel

/// The push services that messages may go to. A browser names its own; without this list, whoever is signed in could
/// have the server send requests to any address.
package struct PushHosts: Sendable {
    /// What an operator wrote can't be used.
    package enum Failure: Error, Hashable, Sendable {
        /// This entry is no name of a host.
        case notAHost(String)
    }

    /// The services of the browsers there are, as their makers name them: Chrome and Edge on Android, Chromium's own
    /// builds, Firefox, Safari, Edge on Windows. A name that begins with a dot stands for all names below it.
    package static let known = [
        "fcm.googleapis.com", "jmt17.google.com", ".push.services.mozilla.com", ".push.apple.com",
        ".notify.windows.com",
    ]

    private let names: Set<String>
    private let suffixes: [String]

    /// Makes the list.
    /// - Parameter more: further hosts, with commas between; `.example.org` and `*.example.org` are all below it.
    /// - Throws: ``Failure`` for an entry that is no host's name. Addresses of numbers are none.
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
        self.names = names
        self.suffixes = suffixes
    }

    /// Letters, digits and hyphens between dots, with a last part that no number has (RFC 1123, 2.1).
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

    /// Whether a host is on the list.
    func contains(_ host: String) -> Bool {
        names.contains(host) || suffixes.contains { host.hasSuffix($0) && host.count > $0.count }
    }

    /// Refuses an address that messages must not go to: other than https on port 443, with a name and a password in it,
    /// of a host that isn't on the list.
    func check(_ endpoint: String) throws(EndpointFlaw) {
        guard let parts = Self.parts(endpoint) else { throw .unusable }
        guard contains(parts.host) else { throw .unknownHost }
    }

    /// The host of an address; `nil` for one that can't be used.
    static func host(of endpoint: String) -> String? { parts(endpoint)?.host }

    /// The origin by which the push service is named in signatures (RFC 8292, 2), and what follows it.
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

/// Why a browser's address can't be used.
enum EndpointFlaw: Error, Hashable, Sendable {
    case unusable
    case unknownHost
}
