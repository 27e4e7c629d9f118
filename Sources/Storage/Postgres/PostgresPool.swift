import Synchronization

/// A queue of jobs and the threads that serve it, each with its own connection. The threads start when they are needed.
final class PostgresPool: Sendable {
    let queue: BlockingQueue<any Job>
    private let name: String
    private let threadLimit: Int
    private let threads: WorkerThreads
    private let serve: @Sendable (BlockingQueue<any Job>) -> Void
    private let threadCount = Mutex(0)

    /// - Parameter serve: runs the jobs of the queue on one thread until the queue is closed and empty.
    init(
        _ name: String, queueLimit: Int, threadLimit: Int, threads: WorkerThreads,
        serve: @escaping @Sendable (BlockingQueue<any Job>) -> Void
    ) {
        queue = BlockingQueue(limit: queueLimit)
        self.name = name
        self.threadLimit = threadLimit
        self.threads = threads
        self.serve = serve
    }

    /// Queues a closure and waits for its result.
    func perform<T: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> T) async throws -> T {
        try await queue.perform(body, onCrowded: addThread)
    }

    /// Queues a closure without a result and waits for its completion.
    func perform(_ body: @escaping @Sendable (Transaction) throws -> Void) async throws {
        try await queue.perform(body, onCrowded: addThread)
    }

    private func addThread() {
        let number = threadCount.withLock { count -> Int? in
            guard count < threadLimit else { return nil }
            count += 1
            return count
        }
        guard let number else { return }
        threads.start("homeward-\(name)-\(number)") { [serve, queue] in serve(queue) }
    }
}
