import Foundation
import Kernel
import Logging

/// Runs jobs, each in its own transaction.
final class PostgresWorker {
    private static let pauseMicroseconds: UInt64 = 2_000

    private let runner: PostgresRunner
    private let beginning: PostgresRunner.Beginning
    private let logger: Logger
    private let random = SystemRandom()

    init(_ runner: PostgresRunner, _ beginning: PostgresRunner.Beginning, logger: Logger) {
        self.runner = runner
        self.beginning = beginning
        self.logger = logger
    }

    /// Runs jobs until the queue is closed and empty.
    func serve(_ queue: BlockingQueue<any Job>) {
        while let job = queue.dequeue() { perform(job) }
    }

    /// Runs one job, and again after a conflict with another transaction.
    private func perform(_ job: any Job) {
        var tries = 0
        while true {
            tries += 1
            do {
                let transaction = try runner.run(beginning) { try job.run(in: $0) }
                for hook in transaction.hooks { hook() }
                job.succeed()
                if transaction.eventCount > 0 { runner.announceEvents() }
                return
            } catch {
                if error.mayRunAgain { continue }
                if let failure = error.failure {
                    if tries < failure.attempts {
                        pause(after: tries)
                        continue
                    }
                    logger.error("PostgreSQL refused a transaction", metadata: ["reason": "\(failure)"])
                }
                job.fail(error.answer)
                return
            }
        }
    }

    private func pause(after tries: Int) {
        let most = Self.pauseMicroseconds * UInt64(tries * tries)
        usleep(UInt32(truncatingIfNeeded: 500 + random.uint64() % most))
    }
}
