import Kernel
import Synchronization

/// Packages whose deadline transition failed. They are tried again after ``Limits/failedExpirySeconds``; reads in
/// between ignore them.
final class FailedExpiries: Sendable {
    private let packages = Mutex<[ID<Package>: Instant]>([:])

    /// Returns the packages that aren't to be tried yet, and forgets the others.
    func all(now: Instant) -> [ID<Package>] {
        packages.withLock { packages in
            packages = packages.filter { now < $0.value.adding(seconds: Limits.failedExpirySeconds) }
            return packages.keys.sorted()
        }
    }

    func insert(_ package: ID<Package>, now: Instant) {
        packages.withLock { packages in
            if packages.count < Limits.failedExpiries { packages[package] = now }
        }
    }
}
