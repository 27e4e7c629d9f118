import Kernel
import Storage

/// What the ingest must know of a source; kept in memory, together with the texts that each report binds.
final class Credential: Sendable {
    let source: ID<Source>
    /// Of the secret that it was found by. The source may have another one by now.
    let secretHash: [UInt8]
    let owner: PersonID
    let kind: SourceKind
    let user: String?
    let sealedPassphrase: [UInt8]?
    let speedUnit: SpeedUnit?
    /// The item whose tracker it is, with its series of fixes.
    let tracked: Tracked?
    /// ``source`` and ``secretHash`` as they are bound.
    let boundSource, boundHash: SQLValue

    struct Tracked: Sendable {
        let item: ID<Item>
        let series: Int64
        /// False until its first fix is known to be stored.
        let isActive: Bool
        /// ``item`` as it is bound.
        let boundItem: SQLValue
        /// The item's path, for those who are told.
        let path: String

        init(item: ID<Item>, series: Int64, isActive: Bool) {
            self.item = item
            self.series = series
            self.isActive = isActive
            boundItem = item.sqlValue
            path = Announcement.path(item)
        }
    }

    init(
        source: ID<Source>, secretHash: [UInt8], owner: PersonID, kind: SourceKind, user: String?,
        sealedPassphrase: [UInt8]?, speedUnit: SpeedUnit?, tracked: Tracked?
    ) {
        self.source = source
        self.secretHash = secretHash
        self.owner = owner
        self.kind = kind
        self.user = user
        self.sealedPassphrase = sealedPassphrase
        self.speedUnit = speedUnit
        self.tracked = tracked
        boundSource = source.sqlValue
        boundHash = secretHash.sqlValue
    }
}
