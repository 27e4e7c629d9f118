import Kernel
import Logging
import ServiceLifecycle
import Storage

/// Hands over messages while the server runs. Any number of servers on one database may do so at once.
package struct PushSending: Service {
    private static let shortestPauseMilliseconds = 250
    private let notifications: NotificationService

    /// Makes the service; nothing runs before ``run()``.
    package init(_ notifications: NotificationService) { self.notifications = notifications }

    /// Looks whenever something was changed, here or by another server, and when a message that waited is due.
    package func run() async throws {
        await cancelWhenGracefulShutdown { await follow() }
    }

    private func follow() async {
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let changes = Task { [database = notifications.database] in
            for await _ in database.changes() { wake.yield() }
        }
        var timer: Task<Void, Never>?
        defer {
            changes.cancel()
            timer?.cancel()
            wake.finish()
        }
        wake.yield()
        for await _ in wakes {
            let seconds = await look()
            timer?.cancel()
            timer = Task {
                guard (try? await Task.sleep(for: .seconds(seconds))) != nil else { return }
                wake.yield()
            }
            // All changes of a moment are one reason to look.
            try? await Task.sleep(for: .milliseconds(Self.shortestPauseMilliseconds))
        }
    }

    /// - Returns: seconds until the next look, if nothing happens before.
    private func look() async -> Double {
        let longest = Double(Limits.pushLookSeconds)
        do {
            guard let next = try await notifications.sendDue() else { return longest }
            return min(longest, max(0, next.seconds(since: notifications.clock.now)))
        } catch is CancellationError {
            return longest
        } catch {
            notifications.logger.warning("Push messages could not be sent", metadata: ["error": "\(error)"])
            return longest
        }
    }
}
