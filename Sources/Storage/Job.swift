import Kernel

/// A closure on its way to a database thread, and the caller who waits for it.
protocol Job: AnyObject, Sendable {
    /// Runs the closure and keeps its result.
    /// - Throws: what the closure or one of its statements threw.
    func run(in transaction: Transaction) throws
    /// Answers with the result that was kept.
    func succeed()
    /// Answers with an error instead.
    func fail(_ error: any Error)
}

final class ClosureJob<T: Sendable>: Job, @unchecked Sendable {
    private let body: @Sendable (Transaction) throws -> T
    // Not a checked one, which costs two allocations more. The drivers answer each job once, with `succeed` or `fail`.
    private let continuation: UnsafeContinuation<T, any Error>
    // Only touched by the one thread that has the job.
    private var result: T?

    init(_ body: @escaping @Sendable (Transaction) throws -> T, _ continuation: UnsafeContinuation<T, any Error>) {
        self.body = body
        self.continuation = continuation
    }

    func run(in transaction: Transaction) throws {
        result = nil
        let made = try body(transaction)
        try transaction.checkFailure()
        result = made
    }

    func succeed() {
        if let result { continuation.resume(returning: result) } else { fail(StorageError.transactionFailed) }
    }

    func fail(_ error: any Error) { continuation.resume(throwing: error) }
}

/// A closure without a result, which is what is asked for most: nothing of it depends on a type that is only known when
/// the program runs.
final class ActionJob: Job, @unchecked Sendable {
    private let body: @Sendable (Transaction) throws -> Void
    private let continuation: UnsafeContinuation<Void, any Error>

    init(_ body: @escaping @Sendable (Transaction) throws -> Void, _ continuation: UnsafeContinuation<Void, any Error>)
    {
        self.body = body
        self.continuation = continuation
    }

    func run(in transaction: Transaction) throws {
        try body(transaction)
        try transaction.checkFailure()
    }

    func succeed() { continuation.resume() }

    func fail(_ error: any Error) { continuation.resume(throwing: error) }
}

extension BlockingQueue {
    /// Queues a closure without a result and waits until it is done; parameters as below.
    func perform(
        _ body: @escaping @Sendable (Transaction) throws -> Void, wrap: (any Job) -> Element,
        onCrowded: () -> Void = {}
    ) async throws {
        try await withUnsafeThrowingContinuation { continuation in
            queue(ActionJob(body, continuation), wrap, onCrowded)
        }
    }

    private func queue(_ job: any Job, _ wrap: (any Job) -> Element, _ onCrowded: () -> Void) {
        switch push(wrap(job)) {
        case .taken(let hasIdleConsumer): if !hasIdleConsumer { onCrowded() }
        case .full: job.fail(AppError.storeBusy)
        case .closed: job.fail(AppError.storeClosed)
        }
    }

    /// Queues a closure and waits for its answer.
    /// - Parameters:
    ///   - wrap: makes the queue's element of a job.
    ///   - onCrowded: is called when no consumer is free to take it at once.
    func perform<T: Sendable>(
        _ body: @escaping @Sendable (Transaction) throws -> T, wrap: (any Job) -> Element,
        onCrowded: () -> Void = {}
    ) async throws -> T {
        try await withUnsafeThrowingContinuation { continuation in
            queue(ClosureJob(body, continuation), wrap, onCrowded)
        }
    }
}
