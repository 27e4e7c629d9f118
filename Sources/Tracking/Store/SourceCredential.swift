import Kernel
import Storage

/// The data of a source that the ingest needs. It is cached in memory, including the values that each report binds.
final class SourceCredential: Sendable {
    let source: ID<Source>
    /// The hash by which the source was found. The source may have another secret by now.
    let secretHash: [UInt8]
    let owner: PersonID
    let kind: SourceKind
    let user: String?
    let sealedPassphrase: [UInt8]?
    let speedUnit: SpeedUnit?
    /// The item and its series of fixes, if the source is an item's tracker.
    let tracked: Tracked?
    /// ``source`` and ``secretHash`` as SQL values.
    let boundSource, boundHash: SQLValue

    struct Tracked: Sendable {
        let item: ID<Item>
        let series: Int64
        /// False until its first fix is stored.
        let isActive: Bool
        /// ``item`` as an SQL value.
        let boundItem: SQLValue
        /// The item's path in change events.
        let path: String

        init(item: ID<Item>, series: Int64, isActive: Bool) {
            self.item = item
            self.series = series
            self.isActive = isActive
            boundItem = item.sqlValue
            path = TrackingEvents.path(item)
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
