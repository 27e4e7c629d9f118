import Foundation
import Logging

/// The number of files, and so of connections, that this process may have open.
enum FileLimit {
    /// Raises the limit to the system's maximum. If that fails, the server keeps the current limit.
    static func raise(_ logger: Logger) {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
        limit.rlim_cur = limit.rlim_max
        if setrlimit(resource, &limit) != 0 {
            logger.warning("The limit of open files could not be raised", metadata: ["limit": "\(limit.rlim_cur)"])
        }
    }

    #if os(Linux)
        private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
        private static let resource = RLIMIT_NOFILE
    #endif
}
