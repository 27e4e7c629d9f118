import Kernel
import Synchronization

/// Packages whose deadline transition failed. Each housekeeping tries them again; reads in between ignore them.
final class FailedExpiries: Sendable {
    private let packages = Mutex<Set<ID<Package>>>([])

    var all: [ID<Package>] { packages.withLock { $0.sorted() } }

    func contains(_ package: ID<Package>) -> Bool { packages.withLock { $0.contains(package) } }

    func insert(_ package: ID<Package>) {
        packages.withLock { packages in
            if packages.count < Limits.failedExpiries { packages.insert(package) }
        }
    }

    func forgetAll() { packages.withLock { $0.removeAll() } }
}
