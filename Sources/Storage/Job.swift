import Kernel

/// A closure for a database thread, and the continuation of its caller.
protocol Job: AnyObject, Sendable {
    /// Runs the closure and stores its result.
    /// - Throws: the error of the closure or of one of its statements.
    func run(in transaction: Transaction) throws
    /// Resumes the caller with the stored result.
    func succeed()
    /// Resumes the caller with an error.
    func fail(_ error: any Error)
}

final class ClosureJob<T: Sendable>: Job, @unchecked Sendable {
    private let body: @Sendable (Transaction) throws -> T
    // Not a checked continuation, which costs two more allocations. The drivers call `succeed` or `fail` once for each
    // job.
    private let continuation: UnsafeContinuation<T, any Error>
    // Used only by the one thread that has the job.
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

/// A closure without a result, the most frequent kind. Without a generic parameter it needs no type metadata at run
/// time.
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

extension BlockingQueue where Element == any Job {
    /// Queues a closure without a result and waits for its completion.
    /// - Parameter onCrowded: called if no consumer is free to take the closure at once.
    func perform(
        _ body: @escaping @Sendable (Transaction) throws -> Void, onCrowded: () -> Void = {}
    ) async throws {
        try await withUnsafeThrowingContinuation { queue(ActionJob(body, $0), onCrowded) }
    }

    /// Queues a closure and waits for its result.
    /// - Parameter onCrowded: called if no consumer is free to take the closure at once.
    func perform<T: Sendable>(
        _ body: @escaping @Sendable (Transaction) throws -> T, onCrowded: () -> Void = {}
    ) async throws -> T {
        try await withUnsafeThrowingContinuation { queue(ClosureJob(body, $0), onCrowded) }
    }

    private func queue(_ job: any Job, _ onCrowded: () -> Void) {
        switch push(job) {
        case .taken(let hasIdleConsumer): if !hasIdleConsumer { onCrowded() }
        case .full: job.fail(AppError.storeBusy)
        case .closed: job.fail(AppError.storeClosed)
        }
    }
}
