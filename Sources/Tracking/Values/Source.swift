package import Kernel

/// An app that reports positions, as an item's tracker or as one of the owner's phones.
package struct Source: Sendable, Equatable {
    package let id: ID<Source>
    package let kind: SourceKind
    /// The item whose tracker it is; `nil` for one of the owner's phones.
    package let itemID: ID<Item>?
    /// OwnTracks' user name; `nil` for OsmAnd.
    package let user: String?
    /// The unit of `speed` in OsmAnd's query form; `nil` for OwnTracks.
    package let speedUnit: SpeedUnit?
    /// The time of its last contact.
    package let lastSeenAt: Instant?
    /// Increases with each change.
    package let version: Int64
    package let createdAt: Instant

    package init(
        id: ID<Source>, kind: SourceKind, itemID: ID<Item>?, user: String?, speedUnit: SpeedUnit?,
        lastSeenAt: Instant?, version: Int64, createdAt: Instant
    ) {
        self.id = id
        self.kind = kind
        self.itemID = itemID
        self.user = user
        self.speedUnit = speedUnit
        self.lastSeenAt = lastSeenAt
        self.version = version
        self.createdAt = createdAt
    }
}

/// The apps that can be a source.
package enum SourceKind: String, Sendable, CaseIterable {
    /// OwnTracks in HTTP mode, plain or encrypted.
    case owntracks
    /// OsmAnd (query form) or Traccar Client (JSON form).
    case osmand
}

/// The unit of `speed` in OsmAnd's query form.
package enum SpeedUnit: String, Sendable, CaseIterable {
    /// Nautical miles per hour, the default.
    case knots
    case kmh
    case mps
    case mph
}

/// The data of a new source.
package struct SourceInput: Sendable {
    package let kind: SourceKind
    /// The item whose tracker it becomes; `nil` for one of the owner's phones.
    package let itemID: ID<Item>?
    /// For OsmAnd only; `nil` for knots.
    package let speedUnit: SpeedUnit?

    package init(kind: SourceKind, itemID: ID<Item>? = nil, speedUnit: SpeedUnit? = nil) {
        self.kind = kind
        self.itemID = itemID
        self.speedUnit = speedUnit
    }
}

/// A source with its new secrets, which are shown only once.
package struct NewSource: Sendable {
    package let source: Source
    /// The path and query after `HOMEWARD_URL`: `/ingest/owntracks`, or `/ingest/osmand?id=SECRET`.
    package let path: String
    /// OwnTracks' user name; `nil` for OsmAnd.
    package let user: String?
    /// OwnTracks' password, or OsmAnd's device id: 160 random bits.
    package let secret: String
    /// OwnTracks' encryption passphrase, at most 32 bytes; `nil` for OsmAnd.
    package let passphrase: String?
}

/// The result of a request that creates secrets.
package enum SecretsResult: Sendable {
    /// The secrets are new and can be shown once.
    case new(NewSource)
    /// An earlier request with the same idempotency key showed the secrets.
    case shownBefore(Source)

    /// Returns the source with its secrets.
    /// - Throws: `AppError.conflict` when they were shown before.
    package func get() throws -> NewSource {
        switch self {
        case .new(let source): return source
        case .shownBefore: throw AppError(.conflict, .secretsShown)
        }
    }
}

/// An unusable message of an authenticated device.
package struct QuarantineEntry: Sendable, Equatable {
    package let id: ID<QuarantineEntry>
    /// The id of the source or tracker.
    package let sourceID: String
    package let receivedAt: Instant
    package let reason: QuarantineReason
}

/// The reason that a message of an authenticated device is unusable.
package enum QuarantineReason: String, Sendable, CaseIterable, Error {
    /// A field isn't a number, or only one of latitude and longitude is present.
    case unreadableNumber = "unreadable_number"
    /// The time can't be parsed, or is missing where it is required.
    case unreadableTime = "unreadable_time"
    /// The latitude or longitude is out of range.
    case placeOutOfRange = "place_out_of_range"
    /// The accuracy, altitude, speed, heading or battery is out of range.
    case numberOutOfRange = "number_out_of_range"
    /// Before 2000, more than 10 minutes ahead, or off by a rollover of the receiver's week counter that can't be
    /// corrected.
    case timeOutOfRange = "time_out_of_range"
    /// The device marked the position as invalid.
    case markedInvalid = "marked_invalid"
    /// The device sent what receivers send without a fix: 0° N 0° E, or the largest dilution of precision.
    case noFix = "no_fix"
    /// The same device has another position at that time.
    case otherPlaceAtThatTime = "other_place_at_that_time"
    /// The source's passphrase doesn't decrypt the message, or the message is empty.
    case undecryptable
    /// JSON of an unexpected shape.
    case unexpectedShape = "unexpected_shape"
    /// A message from the cloud that no tracker with that device authenticates.
    case unknownSender = "unknown_sender"
    /// The owner's account has reached its limit of stored positions.
    case historyFull = "history_full"
}

/// The response to OwnTracks.
package enum OwnTracksResponse: Sendable, Equatable {
    /// Wrong user or password: 401 with `WWW-Authenticate: Basic`.
    case unauthorized
    /// Not JSON: 400.
    case malformed
    /// 200 with this JSON array.
    case accepted([UInt8])
}

/// The response to OsmAnd and Traccar Client.
package enum OsmAndResponse: Sendable, Equatable {
    /// No source has that id: 400 to the query form, 404 to the JSON form.
    case unknownDevice
    /// Not JSON: 400.
    case malformed
    /// 200.
    case accepted
}
