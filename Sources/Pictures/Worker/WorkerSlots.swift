/// Lets a few callers in at once; some more wait in line, and the rest are turned away.
actor WorkerSlots {
    private var free: Int
    private let maximumWaiting: Int
    private var waiting: [(ticket: UInt64, continuation: CheckedContinuation<Void, any Error>)] = []
    private var nextTicket: UInt64 = 0

    init(count: Int, queue: Int) {
        free = count
        maximumWaiting = queue
    }

    /// Callers in line.
    var waitingCount: Int { waiting.count }

    /// Runs `work` as soon as there is a slot for it.
    /// - Throws: ``PictureWorker/Failure/busy`` when the line is full, `CancellationError`, and what `work` throws.
    nonisolated func use<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value {
        try await take()
        let result: Result<Value, any Error>
        do {
            result = .success(try await work())
        } catch {
            result = .failure(error)
        }
        await giveBack()
        return try result.get()
    }

    private func take() async throws {
        try Task.checkCancellation()
        if free > 0 {
            free -= 1
            return
        }
        guard waiting.count < maximumWaiting else { throw PictureWorker.Failure.busy }
        let ticket = nextTicket
        nextTicket += 1
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                if Task.isCancelled {
                    continuation.resume(throwing: CancellationError())
                } else {
                    waiting.append((ticket, continuation))
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
