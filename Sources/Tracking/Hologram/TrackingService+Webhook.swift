import Hologram
import Kernel
import Storage

extension TrackingService {
    /// Takes what a route of the cloud posts.
    /// - Parameters:
    ///   - secret: from the address.
    ///   - body: as it came, at most `Limits.ingestBytes`.
    /// - Throws: only what the store throws: then the cloud may try again.
    package func ingestHologram(secret: String, body: [UInt8]) async throws -> WebhookAnswer {
        guard WebhookSecret.matches(secret, anyOf: hologram.webhookSecrets) else { return .unauthorized }
        guard JSONSyntax.isValid(body) else { return .malformed }
        let delivery = HologramDelivery(routed: body)
        let now = clock.now
        try await database.write { [self] tx in
            if let delivery {
                _ = try take(delivery, from: "hologram webhook \(delivery.device)", now: now, in: tx)
            } else {
                try refuse(.unexpectedShape, from: "hologram webhook", now: now, in: tx)
            }
        }
        return .accepted
    }
}
