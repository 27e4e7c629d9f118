import Kernel
import TrackerCore

/// The runner's concurrent tasks; each of them ends with a signal.
final class RunnerTasks {
    private let sender: TrackerRunner.Sender
    private var alarm: Task<Void, Never>?
    // The machine exchanges one message at a time and uses one receiver, so one task of each kind is enough.
    private var conversation: Task<Void, Never>?
    private var locating: Task<Void, Never>?
    private var sounding: Task<Void, Never>?
    private var watching: Task<Void, Never>?
    private var inquiring: Task<Void, Never>?

    init(sender: TrackerRunner.Sender) { self.sender = sender }

    typealias Work = @Sendable () async -> TrackerRunner.Signal

    func converse(_ work: @escaping Work) { conversation = start(work) }

    /// Cancels an abandoned measurement: its position would be too late.
    func locate(_ work: @escaping Work) {
        locating?.cancel()
        let sender = sender
        locating = Task {
            let signal = await work()
            // The result of a cancelled measurement must not be taken for that of the next one.
            if !Task.isCancelled { sender.yield(signal) }
        }
    }

    func sound(_ work: @escaping Work) {
        sounding?.cancel()
        sounding = start(work)
    }

    /// Waits until the button is held.
    func watch(_ work: @escaping Work) { watching = start(work) }

    /// Sends a request to the server besides the exchange of messages.
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
