/// Lets a few callers in at once; some more wait in line, and the rest are turned away. Those who share a key have a
/// shorter line, so that one person doesn't keep others out.
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

    /// Callers in line.
    var waitingCount: Int { waiting.count }

    /// Runs `work` as soon as there is a slot for it.
    /// - Throws: ``PictureWorker/Failure/busy`` when the line is full, or that of the key; `CancellationError`, and what `work` throws.
    nonisolated func use<Value: Sendable>(
        for key: String? = nil, _ work: () async throws -> Value
    ) async throws -> Value {
        try await take(for: key)
        let result: Result<Value, any Error>
        do {
            result = .success(try await work())
        } catch {
            result = .failure(error)
        }
        await giveBack()
        return try result.get()
    }

    private func take(for key: String?) async throws {
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
