import Jobs
import Kernel
import ServiceLifecycle

/// Sends push messages while the server runs.
package struct PushSenderService: Service {
    private let sender: PushSender

    package init(_ notifications: NotificationService) { sender = notifications.sender }

    /// Sends due messages until the server stops. Messages that are being sent then are finished.
    package func run() async throws {
        await cancelWhenGracefulShutdown { await sender.worker.run() }
    }
}
