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

/// A new code for a tablet in the JSON API. It is returned once.
struct TabletCodeJSON: Encodable {
    let id: ID<TabletCode>
    let code: String
    let url: String
    let expiresAt: Instant

    init(_ code: TabletCode) {
        id = code.id
        self.code = code.code
        url = code.url
        expiresAt = code.expiresAt
    }
}

/// The state of a code in the JSON API.
struct TabletCodeStateJSON: Encodable {
    let id: ID<TabletCode>
    let state: String
}

/// Whether a child has a picture PIN, in the JSON API.
struct PicturePINJSON: Encodable {
    let isSet: Bool
}
