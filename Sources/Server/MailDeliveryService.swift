import Accounts
import Kernel
import ServiceLifecycle

/// Sends queued mails while the server runs.
package struct MailDeliveryService: Service {
    private let sender: MailSender

    package init(_ services: Services) { sender = services.accounts.mailSender }

    /// Sends mails until the server stops. A mail that is being sent then is finished; the others stay queued for the
    /// next start.
    package func run() async throws {
        guard !sender.queues.isEmpty else { return try await gracefulShutdown() }
        await cancelWhenGracefulShutdown { await sender.sendMails() }
    }
}
