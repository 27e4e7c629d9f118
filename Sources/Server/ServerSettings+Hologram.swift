import Foundation
package import Hologram
import Kernel
import Logging
package import Objects
import Tracking

extension Setting {
    package static let hologramKey = Setting(
        "HOMEWARD_HOLOGRAM_KEY",
        "Hologram, the network of trackers' SIM cards: the account's API key. Without it, the server doesn't use "
            + "Hologram."
    )
    package static let hologramURL = Setting(
        "HOMEWARD_HOLOGRAM_URL", standard: "https://dashboard.hologram.io/api/1",
        "Hologram: the URL of the API; for tests."
    )
    /// The secrets with which Hologram's routes authenticate to the webhook.
    package static let hologramWebhookSecrets = Setting(
        "HOMEWARD_HOLOGRAM_WEBHOOK_SECRETS",
        "Hologram: the secret with which its routes post to /ingest/hologram, in the header Authorization: Bearer SECRET. "
            + "At least 22 random letters and digits; separate several by commas."
    )
    /// The bucket that Hologram's routes write to.
    package static let hologramBucket = Setting(
        "HOMEWARD_HOLOGRAM_BUCKET",
        "Hologram: the bucket that its routes write messages to: s3://BUCKET/PREFIX?endpoint=URL, or folder:PATH. The "
            + "server deletes each object after reading it."
    )

    static let hologram: [Setting] = [hologramKey, hologramURL, hologramWebhookSecrets, hologramBucket]
}

/// The settings for trackers' SIM cards.
package struct HologramSettings: Sendable {
    package let key: HologramKey?
    package let url: String
    /// Secrets that the webhook accepts.
    package let webhookSecrets: [WebhookSecret]
    package let bucket: ObjectStoreAddress?
}

extension ServerSettings {
    static func hologram(_ text: (Setting) -> String?) throws(SettingError) -> HologramSettings {
        let url = text(.hologramURL) ?? Setting.hologramURL.standard
        guard let parts = URLComponents(string: url), let host = parts.host, !host.isEmpty, parts.user == nil,
            parts.query == nil, parts.fragment == nil,
            parts.scheme == "https" || parts.scheme == "http" && isThisComputer(host)
        else { throw SettingError(.hologramURL, "must begin with https://: the key would travel in the clear") }
        let key = text(.hologramKey).map(HologramKey.init)
        if case .some(nil) = key { throw SettingError(.hologramKey, "is no key") }
        var secrets: [WebhookSecret] = []
        for entry in (text(.hologramWebhookSecrets) ?? "").split(separator: ",") {
            guard let secret = WebhookSecret(entry.trimmingCharacters(in: .whitespaces)) else {
                throw SettingError(
                    .hologramWebhookSecrets,
                    "give \(Limits.webhookSecretCharacters) letters, digits, hyphens or underlines at least"
                )
            }
            secrets.append(secret)
        }
        guard secrets.count <= Limits.webhookSecrets else {
            throw SettingError(.hologramWebhookSecrets, "give \(Limits.webhookSecrets) at the most")
        }
        do throws(ObjectStoreAddress.Problem) {
            var bucket: ObjectStoreAddress?
            if let address = text(.hologramBucket) { bucket = try ObjectStoreAddress(address) }
            return HologramSettings(key: key ?? nil, url: url, webhookSecrets: secrets, bucket: bucket)
        } catch {
            throw SettingError(.hologramBucket, "\(error)")
        }
    }
}

extension Services {
    static func hologram(
        _ settings: ServerSettings, creates: Bool, clock: any WallClock, random: any RandomSource, logger: Logger
    ) throws -> HologramConfiguration {
        let hologram = settings.hologram
        let bucket: (any ObjectStore)?
        do {
            bucket = try hologram.bucket.map { address in
                try ObjectStores.open(
                    address, credentials: settings.objectCredentials, keys: .external, creates: creates,
                    clock: clock, random: random, logger: logger
                )
            }
        } catch let problem as ObjectStoreAddress.Problem {
            throw SettingError(.hologramBucket, "\(problem)")
        }
        return HologramConfiguration(
            client: hologram.key.map { HTTPHologramClient(url: hologram.url, key: $0) },
            webhookSecrets: hologram.webhookSecrets, bucket: bucket
        )
    }
}
