package import Hologram
package import Objects

/// The configuration for reaching trackers through Hologram's cloud and for receiving their messages.
package struct HologramConfiguration: Sendable {
    /// The client for the cloud's API; `nil` without an API key.
    package let client: (any HologramClient)?
    /// The secrets that the webhook accepts.
    package let webhookSecrets: [WebhookSecret]
    /// The bucket into which the cloud puts the trackers' messages; `nil` for none. Objects are deleted once they are
    /// read.
    package let bucket: (any ObjectStore)?

    /// Creates the configuration; without arguments there is no cloud.
    package init(
        client: (any HologramClient)? = nil, webhookSecrets: [WebhookSecret] = [], bucket: (any ObjectStore)? = nil
    ) {
        self.client = client
        self.webhookSecrets = webhookSecrets
        self.bucket = bucket
    }

    /// The topic of the trackers' messages in the cloud.
    package static let topic = "homeward"
}

/// The response to the cloud's webhook.
package enum WebhookResponse: Sendable, Equatable {
    /// The secret is unknown: 401.
    case unauthorized
    /// Not JSON: 400.
    case malformed
    /// 200.
    case accepted
}
