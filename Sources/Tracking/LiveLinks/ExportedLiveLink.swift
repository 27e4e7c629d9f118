import Kernel

/// A live link in an account's export, without its secret.
struct ExportedLiveLink: Encodable {
    let itemId: ID<Item>?
    let showsName: Bool
    let untilMet: Bool
    let createdAt: Instant
    let expiresAt: Instant
    let endedAt: Instant?

    init(_ link: LiveLink) {
        itemId = link.item
        showsName = link.showsName
        untilMet = link.untilMet
        createdAt = link.createdAt
        expiresAt = link.expiresAt
        endedAt = link.endedAt
    }
}
