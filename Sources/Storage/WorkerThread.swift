import Foundation

/// Threads for blocking work of a driver, so that it doesn't block the cooperative thread pool.
final class WorkerThreads: Sendable {
    private let group = DispatchGroup()

    /// Starts a thread that runs `body` once.
    func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
        group.enter()
        let thread = Thread { [group] in
            body()
            group.leave()
        }
        thread.name = name
        thread.start()
    }

    /// Blocks until every thread has ended.
    func waitUntilFinished() { group.wait() }

    /// Waits until every thread has ended, without blocking.
    func finished() async {
        await withCheckedContinuation { continuation in
            group.notify(queue: .global()) { continuation.resume() }
        }
    }
}
