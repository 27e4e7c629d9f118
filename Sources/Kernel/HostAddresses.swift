import Foundation

/// Resolves host names to numeric addresses.
package enum HostAddresses {
    /// Resolves a name, IPv4 addresses first. Without Happy Eyeballs, a missing IPv6 route would cost each request
    /// its timeout. `getaddrinfo` blocks, so it runs outside the threads of requests.
    @Sendable package static func of(_ host: String) async -> [String] {
        await withCheckedContinuation { waiting in
            DispatchQueue.global(qos: .utility).async { waiting.resume(returning: now(of: host)) }
        }
    }

    /// Does the same as ``of(_:)`` on the present thread, which waits for the system.
    package static func now(of host: String) -> [String] {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var first: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, "443", &hints, &first) == 0 else { return [] }
        defer { freeaddrinfo(first) }
        var four: [String] = []
        var six: [String] = []
        var next = first
        while let entry = next {
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let result = getnameinfo(
                entry.pointee.ai_addr, entry.pointee.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST
            )
            if result == 0 {
                let address = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
                if entry.pointee.ai_family == AF_INET { four.append(address) } else { six.append(address) }
            }
            next = entry.pointee.ai_next
        }
        return four + six
    }
}
