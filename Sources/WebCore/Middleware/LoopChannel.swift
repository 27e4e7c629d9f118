package import HummingbirdCore
package import Logging
package import NIOCore

/// A connection whose requests run on the event loop that receives its bytes. Otherwise each request would change
/// threads four times, which costs more than many responses do.
///
/// Only short work may run there: pages leave the event loop (see `SessionMiddleware`), and no work may block.
package struct LoopChannel<Base: ServerChildChannel>: ServerChildChannel {
    package typealias Value = Base.Value

    private let base: Base

    package init(_ base: Base) { self.base = base }

    /// Sets a new connection up like the base channel.
    package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        base.setup(channel: channel, logger: logger)
    }

    /// Handles a connection's requests until it closes.
    package func handle(value: Value, logger: Logger) async {
        await withTaskExecutorPreference(LoopExecutor(value.channel.eventLoop)) {
            await base.handle(value: value, logger: logger)
        }
    }
}

/// Runs a task on an event loop.
private final class LoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    init(_ loop: any EventLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
