import Kernel
import Logging
import ServiceLifecycle
import Storage

/// Sends push messages while the server runs. Several servers may do so on one database.
package struct PushSenderService: Service {
    private let notifications: NotificationService

    package init(_ notifications: NotificationService) { self.notifications = notifications }

    /// Sends due messages whenever this or another server changes data, and when a postponed message is due.
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
