import Kernel
import Logging
import ServiceLifecycle
import Storage

/// Hands over messages while the server runs. Any number of servers on one database may do so at once.
package struct PushSending: Service {
    private let notifications: NotificationService

    /// Makes the service; nothing runs before ``run()``.
    package init(_ notifications: NotificationService) { self.notifications = notifications }

    /// Looks whenever something was changed, here or by another server, and when a message that waited is due.
    package func run() async throws {
        await cancelWhenGracefulShutdown {
            await notifications.database.workWhenDue(
                atLeastEvery: Limits.pushLookSeconds, clock: notifications.clock,
                work: { try await notifications.sendDue() },
                failed: { error in
                    notifications.logger.warning("Push messages could not be sent", metadata: ["error": "\(error)"])
                })
        }
    }
}
