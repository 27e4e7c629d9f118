import Dispatch

/// Runs the reading of archives on a thread of its own, one piece after another. Neither an event loop nor the threads
/// of other requests wait for it.
final class ImportExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "homeward.imports", qos: .utility)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
