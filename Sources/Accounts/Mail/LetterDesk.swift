import Kernel
import Logging
import Synchronization

/// Sends mails one after another, apart from the requests that asked for them: a request must not take longer
/// because there is somebody to write to.
final class LetterDesk: Sendable {
    private struct State {
        var waiting = 0
        var last: Task<Void, Never>?
    }

    private let mailer: any Mailer
    private let logger: Logger
    private let state = Mutex(State())

    init(mailer: any Mailer, logger: Logger) {
        self.mailer = mailer
        self.logger = logger
    }

    /// Takes a mail, or the work that finds out whether there is one to write. Too many at once are dropped: people
    /// can ask again.
    func post(_ work: @escaping @Sendable () async throws -> Letter?) {
        let isTaken = state.withLock { state in
            guard state.waiting < Limits.letterQueue else { return false }
            state.waiting += 1
            let before = state.last
            state.last = Task {
                await before?.value
                await deliver(work)
            }
            return true
        }
        if !isTaken { logger.warning("a mail was dropped because too many are waiting") }
    }

    /// Waits until everything taken so far has been handed over.
    func drain() async { await state.withLock(\.last)?.value }

    private func deliver(_ work: @Sendable () async throws -> Letter?) async {
        defer { state.withLock { $0.waiting -= 1 } }
        do {
            guard let letter = try await work() else { return }
            try await mailer.send(to: letter.to, subject: letter.subject, body: letter.body)
        } catch {
            logger.error("a mail was not sent", metadata: ["error": "\(error)"])
        }
    }
}
