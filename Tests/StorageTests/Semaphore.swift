import Foundation

/// Blocks a thread. It has its own file, because the tests themselves never block.
final class Semaphore: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    func wait() { semaphore.wait() }
    func signal() { semaphore.signal() }
}
