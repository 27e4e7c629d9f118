import Foundation

extension ServerSettings {
    /// Returns a port that is free at the moment. It is chosen before the server listens, because the site's address
    /// contains it.
    package static func freePort(_ host: String) throws(SettingError) -> Int {
        let isSix = host.contains(":")
        let descriptor = socket(isSix ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw SettingError(.listen, "no free port") }
        defer { close(descriptor) }
        if isSix {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            guard let bound = bind(descriptor, &address) else { throw SettingError(.listen, "no free port") }
            return Int(UInt16(bigEndian: bound.sin6_port))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        guard let bound = bind(descriptor, &address) else { throw SettingError(.listen, "no free port") }
        return Int(UInt16(bigEndian: bound.sin_port))
    }

    private static func bind<Address>(_ descriptor: Int32, _ address: inout Address) -> Address? {
        var length = socklen_t(MemoryLayout<Address>.size)
        return withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                guard Foundation.bind(descriptor, generic, length) == 0,
                    getsockname(descriptor, generic, &length) == 0
                else { return nil }
                return pointer.pointee
            }
        }
    }
}
