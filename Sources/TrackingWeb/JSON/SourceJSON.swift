import Kernel
import Tracking
import WebCore

/// A position source as JSON, without its secrets.
struct SourceJSON: Encodable {
    let id: ID<Source>
    let kind: String
    @Nullable var itemId: ID<Item>?
    /// The URL that the app reports to, without the secret.
    let url: String
    @Nullable var user: String?
    @Nullable var speedUnit: String?
    @Nullable var lastSeenAt: Instant?
    let version: Int64

    init(_ source: Source, site: Site) {
        id = source.id
        kind = source.kind.rawValue
        _itemId = Nullable(wrappedValue: source.itemID)
        url = site.url + "/ingest/" + source.kind.rawValue
        _user = Nullable(wrappedValue: source.user)
        _speedUnit = Nullable(wrappedValue: source.speedUnit?.rawValue)
        _lastSeenAt = Nullable(wrappedValue: source.lastSeenAt)
        version = source.version
    }
}

/// A newly created position source as JSON, with its secrets, which are shown only once.
struct NewSourceJSON: Encodable {
    let id: ID<Source>
    let kind: String
    @Nullable var itemId: ID<Item>?
    let url: String
    @Nullable var user: String?
    let secret: String
    @Nullable var passphrase: String?
    @Nullable var speedUnit: String?
    let version: Int64

    init(_ new: NewSource, site: Site) {
        id = new.source.id
        kind = new.source.kind.rawValue
        _itemId = Nullable(wrappedValue: new.source.itemID)
        url = site.url + new.path
        _user = Nullable(wrappedValue: new.user)
        secret = new.secret
        _passphrase = Nullable(wrappedValue: new.passphrase)
        _speedUnit = Nullable(wrappedValue: new.source.speedUnit?.rawValue)
        version = new.source.version
    }
}

/// A message that could not be used, as JSON.
struct QuarantineJSON: Encodable {
    let id: ID<QuarantineEntry>
    let sourceId: String
    let receivedAt: Instant
    let reason: String

    init(_ entry: QuarantineEntry) {
        id = entry.id
        sourceId = entry.sourceID
        receivedAt = entry.receivedAt
        reason = entry.reason.rawValue
    }
}
