import Family
import Kernel
import WebCore

/// A shared tablet in the JSON API.
struct TabletJSON: Encodable {
    let id: ID<Tablet>
    let name: String
    let pairedAt: Instant
    @Nullable var pairedByName: String?
    let lastUsedAt: Instant

    init(_ tablet: Tablet) {
        id = tablet.id
        name = tablet.name
        pairedAt = tablet.pairedAt
        lastUsedAt = tablet.lastUsedAt
        pairedByName = tablet.pairedByName
    }
}

/// Whether a child has a picture PIN, in the JSON API.
struct PicturePINJSON: Encodable {
    let isSet: Bool
}
