import Hologram
import Kernel
import Storage

/// `/ingest/hologram`: messages that the cloud posts.
package struct HologramWebhookService: Sendable {
    let webhookSecrets: [WebhookSecret]
    let database: Database
    let messages: HologramMessageService
    let history: HistoryLimiter
    let ingestRate: IngestRate
    let clock: any WallClock

    /// Processes a message that a route of the cloud posts.
    /// - Parameters:
    ///   - secret: The secret in the URL.
    ///   - body: The body as received, at most `Limits.ingestBytes`.
    /// - Throws: `AppError.throttled` for a device that sends too fast or whose owner's history is full. Errors of the
    ///   database, after which the cloud may retry.
    package func ingest(secret: String, body: [UInt8]) async throws -> WebhookResponse {
        guard WebhookSecret.matches(secret, anyOf: webhookSecrets) else { return .unauthorized }
        guard JSONSyntax.isValid(body) else { return .malformed }
        let delivery = HologramDelivery(routed: body)
        let now = clock.now
        // Unreadable messages name no device, so they share one rate limit.
        try ingestRate.charge(.hologram(delivery?.device ?? 0), of: nil, now: now)
        try await history.notifyingOwner {
            try await database.write { tx in
                if let delivery {
                    let source = "hologram webhook \(delivery.device)"
                    _ = try messages.process(delivery, from: source, isPushed: true, now: now, in: tx)
                } else {
                    try messages.quarantine(.unexpectedShape, from: "hologram webhook", now: now, in: tx)
                }
            }
        }
        return .accepted
    }
}
