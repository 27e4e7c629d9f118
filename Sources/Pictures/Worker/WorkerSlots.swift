/// Limits concurrent work. A limited number of callers waits in a queue; further ones get an error. Each key has a
/// smaller limit in the queue, so that one person can't fill it.
actor WorkerSlots {
    private var free: Int
    private let maximumWaiting: Int
    private let maximumWaitingPerKey: Int
    private var waiting: [(ticket: UInt64, key: String?, continuation: CheckedContinuation<Void, any Error>)] = []
    private var nextTicket: UInt64 = 0

    init(count: Int, queue: Int, queuePerKey: Int = .max) {
        free = count
        maximumWaiting = queue
        maximumWaitingPerKey = queuePerKey
    }

    var waitingCount: Int { waiting.count }

    /// Runs `work` when a slot is free.
    /// - Throws: ``PictureWorker/Failure/busy`` if the queue or the key's part of it is full; `CancellationError`;
    ///   the error of `work`.
    nonisolated func use<Value: Sendable>(
        for key: String? = nil, _ work: () async throws -> Value
    ) async throws -> Value {
        try await acquire(for: key)
        let result: Result<Value, any Error>
        do {
            result = .success(try await work())
        } catch {
            result = .failure(error)
        }
        await giveBack()
        return try result.get()
    }

    private func acquire(for key: String?) async throws {
        try Task.checkCancellation()
        if free > 0 {
            free -= 1
            return
        }
        guard waiting.count < maximumWaiting else { throw PictureWorker.Failure.busy }
        if let key, waiting.count(where: { $0.key == key }) >= maximumWaitingPerKey {
            throw PictureWorker.Failure.busy
        }
        let ticket = nextTicket
        nextTicket += 1
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                if Task.isCancelled {
                    continuation.resume(throwing: CancellationError())
                } else {
                    waiting.append((ticket, key, continuation))
                }
            }
        } onCancel: {
            Task { await self.leave(ticket) }
        }
    }

    private func giveBack() {
        if waiting.isEmpty {
            free += 1
        } else {
            waiting.removeFirst().continuation.resume()
        }
    }

    private func leave(_ ticket: UInt64) {
        guard let index = waiting.firstIndex(where: { $0.ticket == ticket }) else { return }
        waiting.remove(at: index).continuation.resume(throwing: CancellationError())
    }
}
