package import HummingbirdCore
package import Logging
package import NIOCore

/// A connection whose requests run on the event loop that its bytes come in on. Otherwise each request would change
/// threads four times on its way in and out, which costs more than many an answer does.
///
/// Only what is short may stay there: pages leave the loop (see `SessionCheck`), and nothing may block.
package struct LoopChannel<Base: ServerChildChannel>: ServerChildChannel {
    /// What the connection is handled by.
    package typealias Value = Base.Value

    private let base: Base

    /// Puts the requests of `base` on the event loops.
    package init(_ base: Base) { self.base = base }

    /// Sets a new connection up.
    package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        base.setup(channel: channel, logger: logger)
    }

    /// Answers a connection's requests until it ends.
    package func handle(value: Value, logger: Logger) async {
        await withTaskExecutorPreference(LoopExecutor(value.channel.eventLoop)) {
            await base.handle(value: value, logger: logger)
        }
    }
}

/// Runs a task's parts on an event loop.
private final class LoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    init(_ loop: any EventLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
