package import Hologram
package import Objects

/// How trackers are reached through Hologram's cloud, and how what they send there comes to us.
package struct HologramSetup: Sendable {
    /// The road to the cloud's API, for messages to trackers and for reading what trackers sent; `nil` without a key.
    package let road: (any HologramRoad)?
    /// What may stand in the address of the webhook.
    package let webhookSecrets: [WebhookSecret]
    /// The bucket into which the cloud puts what trackers send; `nil` for none. What has been read is removed from it.
    package let bucket: (any ObjectStore)?

    /// Makes a set-up; without arguments there is no cloud.
    package init(
        road: (any HologramRoad)? = nil, webhookSecrets: [WebhookSecret] = [], bucket: (any ObjectStore)? = nil
    ) {
        self.road = road
        self.webhookSecrets = webhookSecrets
        self.bucket = bucket
    }

    /// What trackers' messages are marked with in the cloud.
    package static let topic = "homeward"
}

/// What the cloud's webhook is answered.
package enum WebhookAnswer: Sendable, Equatable {
    /// The secret is none of ours: 401.
    case unauthorized
    /// Not JSON: 400.
    case malformed
    /// 200.
    case accepted
}
