import Kernel
import Tracking
import WebCore

/// An alert with its evidence as JSON: degrees, metres, minutes, hours, whole percent.
struct ItemAlertJSON: Encodable {
    let id: ID<ItemAlert>
    let itemId: ID<Item>
    let kind: String
    let at: Instant
    let evidence: AlertEvidence

    init(_ alert: ItemAlert) {
        id = alert.id
        itemId = alert.item
        kind = alert.kind.rawValue
        at = alert.at
        evidence = alert.evidence
    }
}
