package import Accounts
package import Kernel
package import Logging
package import Objects
package import Pictures
package import Storage

/// Everything that people and devices can do in Tracking. Whoever asks hands in who they are; what belongs to
/// somebody else does not exist for them.
package final class TrackingService: Sendable {
    let database: Database
    let pictures: PictureLibrary
    let objects: any ObjectStore
    let secrets: SecretBox
    let clock: any WallClock
    let random: any RandomSource
    let logger: Logger
    let hologram: HologramSetup
    let credentials = CredentialCache()
    let ingestRate = IngestRate()
    let historyRoom: HistoryRoom

    /// Puts the service together.
    /// - Parameters:
    ///   - objects: where fixes are archived; the library's own store, whose garbage it removes.
    ///   - secrets: seals passphrases and trackers' keys for the store.
    ///   - fixesPerAccount: how many positions an account may have.
    ///   - hologram: the cloud by which trackers can be reached beside the plain internet.
    package init(
        database: Database, pictures: PictureLibrary, objects: any ObjectStore, secrets: SecretBox,
        clock: any WallClock, random: any RandomSource, fixesPerAccount: Int = Limits.fixesPerAccount,
        hologram: HologramSetup = HologramSetup(), logger: Logger
    ) {
        self.database = database
        self.pictures = pictures
        self.objects = objects
        self.secrets = secrets
        self.clock = clock
        self.random = random
        historyRoom = HistoryRoom(limit: fixesPerAccount)
        self.hologram = hologram
        self.logger = logger
    }

    /// Whether there is a cloud to be asked.
    package var hasCloud: Bool { hologram.road != nil || hologram.bucket != nil }

    /// What Accounts needs when an account is exported or deleted.
    package var companion: any AccountCompanion { TrackingCompanion(service: self) }
}

/// What is told of changes.
enum Announcement {
    static func path(_ item: ID<Item>) -> String { "/tracking/items/\(item)" }

    /// Of what the owner changed; `version` is the item's.
    static func item(_ item: Item, now: Instant) -> ChangeEvent {
        ChangeEvent(audience: item.owner, kind: "item", resource: path(item.id), version: item.version, at: now)
    }

    /// Of what devices and commands do; `version` is that of the item's whereabouts.
    static func live(_ kind: Live, _ item: ID<Item>, owner: PersonID, version: Int64, now: Instant) -> ChangeEvent {
        live(kind, path: path(item), owner: owner, version: version, now: now)
    }

    /// The same with the item's path at hand.
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
