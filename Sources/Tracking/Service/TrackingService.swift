package import Accounts
package import Kernel
package import Logging
package import Objects
package import Pictures
package import Storage

/// The use cases of Tracking for people and devices. Every use case takes an `Actor` or a device's credentials; another
/// account's data counts as not found.
package final class TrackingService: Sendable {
    let database: Database
    let pictures: PictureLibrary
    let objects: any ObjectStore
    let secrets: SecretBox
    let clock: any WallClock
    let random: any RandomSource
    let logger: Logger
    let hologram: HologramConfiguration
    let credentials = CredentialCache()
    let ingestRate = IngestRate()
    let historyRoom: HistoryQuota

    /// Creates the service.
    /// - Parameters:
    ///   - objects: The store for archived fixes; the picture library must use the same one, because it removes the
    ///     garbage.
    ///   - secrets: Encrypts passphrases and trackers' keys for the database.
    ///   - fixesPerAccount: The maximum number of stored positions of an account.
    ///   - hologram: The cloud that reaches trackers in addition to the internet.
    package init(
        database: Database, pictures: PictureLibrary, objects: any ObjectStore, secrets: SecretBox,
        clock: any WallClock, random: any RandomSource, fixesPerAccount: Int = Limits.fixesPerAccount,
        hologram: HologramConfiguration = HologramConfiguration(), logger: Logger
    ) {
        self.database = database
        self.pictures = pictures
        self.objects = objects
        self.secrets = secrets
        self.clock = clock
        self.random = random
        historyRoom = HistoryQuota(limit: fixesPerAccount)
        self.hologram = hologram
        self.logger = logger
    }

    /// Whether a cloud is configured.
    package var hasHologram: Bool { hologram.client != nil || hologram.bucket != nil }

    /// The handler that exports and deletes Tracking's data of an account.
    package var dataHandler: any AccountDataHandler { TrackingDataHandler(service: self) }
}

/// The change events of Tracking.
enum TrackingEvents {
    static func path(_ item: ID<Item>) -> String { "/tracking/items/\(item)" }

    /// The event for the owner's change of an item; `version` is the item's.
    static func item(_ item: Item, now: Instant) -> ChangeEvent {
        ChangeEvent(audience: item.owner, kind: "item", resource: path(item.id), version: item.version, at: now)
    }

    /// The event for a fix or command; `version` is that of the item's `whereabouts` row.
    static func live(_ kind: Live, _ item: ID<Item>, owner: PersonID, version: Int64, now: Instant) -> ChangeEvent {
        live(kind, path: path(item), owner: owner, version: version, now: now)
    }

    /// The event for a fix or command, with a precomputed path of the item.
    static func live(_ kind: Live, path: String, owner: PersonID, version: Int64, now: Instant) -> ChangeEvent {
        ChangeEvent(audience: owner, kind: kind.rawValue, resource: path, version: version, at: now)
    }

    enum Live: String {
        case fix
        case command
    }

    static func position(of owner: PersonID, version: Int64, now: Instant) -> ChangeEvent {
        ChangeEvent(audience: owner, kind: "position", resource: "/tracking/position", version: version, at: now)
    }

    static func source(_ id: ID<Source>, of owner: PersonID, version: Int64, now: Instant) -> ChangeEvent {
        ChangeEvent(audience: owner, kind: "source", resource: "/tracking/sources/\(id)", version: version, at: now)
    }
}
