import Kernel
import TrackerCore

/// The work that goes on beside the runner; all of it ends in a signal.
final class RunnerTasks {
    private let sender: TrackerRunner.Sender
    private var alarm: Task<Void, Never>?
    // The machine has one conversation at a time, so one place is enough; and one receiver.
    private var conversation: Task<Void, Never>?
    private var locating: Task<Void, Never>?
    private var sounding: Task<Void, Never>?
    private var watching: Task<Void, Never>?
    private var inquiring: Task<Void, Never>?

    init(sender: TrackerRunner.Sender) { self.sender = sender }

    typealias Work = @Sendable () async -> TrackerRunner.Signal

    func converse(_ work: @escaping Work) { conversation = start(work) }

    /// A search that was given up is ended: its position would come too late.
    func locate(_ work: @escaping Work) {
        locating?.cancel()
        let sender = sender
        locating = Task {
            let signal = await work()
            // What a cancelled search says must not be taken for the end of the next one.
            if !Task.isCancelled { sender.yield(signal) }
        }
    }

    func sound(_ work: @escaping Work) {
        sounding?.cancel()
        sounding = start(work)
    }

    /// Waits for the button.
    func watch(_ work: @escaping Work) { watching = start(work) }

    /// Asks the server beside the conversation.
    func inquire(_ work: @escaping Work) {
        inquiring?.cancel()
        inquiring = start(work)
    }

    func silence() { sounding?.cancel() }

    private func start(_ work: @escaping Work) -> Task<Void, Never> {
        let sender = sender
        return Task { _ = sender.yield(await work()) }
    }

    func wake(at instant: Instant?, now: Instant) {
        alarm?.cancel()
        guard let instant else { return }
        let milliseconds = max(1, instant.millisecondsSince1970 - now.millisecondsSince1970)
        let sender = sender
        alarm = Task {
            guard (try? await Task.sleep(for: .milliseconds(milliseconds))) != nil else { return }
            sender.yield(.event(.woke))
        }
    }

    func cancelAll() {
        for task in [alarm, conversation, locating, sounding, watching, inquiring] { task?.cancel() }
    }
}
