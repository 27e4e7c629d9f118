package import Kernel

/// An app on a phone that reports positions: as an item's tracker, or as one of the owner's phones.
package struct Source: Sendable, Equatable {
    /// The source's id.
    package let id: ID<Source>
    /// What app it is.
    package let kind: SourceKind
    /// The item whose tracker it is; `nil`: one of my phones.
    package let itemID: ID<Item>?
    /// The user name that OwnTracks signs in with; `nil` for OsmAnd.
    package let user: String?
    /// The unit of `speed` in OsmAnd's query form; `nil` for OwnTracks.
    package let speedUnit: SpeedUnit?
    /// When it was last heard of.
    package let lastSeenAt: Instant?
    /// Grows with each change.
    package let version: Int64
    /// When it was added.
    package let createdAt: Instant

    /// Makes a source from its parts.
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
    /// Kilometres per hour.
    case kmh
    /// Metres per second.
    case mps
    /// Miles per hour.
    case mph
}

/// What a new source is made of.
package struct SourceInput: Sendable {
    /// What app it is.
    package let kind: SourceKind
    /// The item whose tracker it shall be.
    package let itemID: ID<Item>?
    /// OsmAnd only; knots when left out.
    package let speedUnit: SpeedUnit?

    /// Makes the input.
    package init(kind: SourceKind, itemID: ID<Item>? = nil, speedUnit: SpeedUnit? = nil) {
        self.kind = kind
        self.itemID = itemID
        self.speedUnit = speedUnit
    }
}

/// A source with the secrets just made for it, which are shown this once.
package struct NewSource: Sendable {
    /// The source.
    package let source: Source
    /// Path and query to put behind `HOMEWARD_URL`: `/ingest/owntracks`, or `/ingest/osmand?id=SECRET`.
    package let path: String
    /// OwnTracks: the user name; OsmAnd: `nil`.
    package let user: String?
    /// OwnTracks: the password; OsmAnd: the device id. 160 random bits.
    package let secret: String
    /// OwnTracks: what encrypts its messages, at most 32 bytes; OsmAnd: `nil`.
    package let passphrase: String?
}

/// What came of a request that makes secrets.
package enum SecretsAnswer: Sendable {
    /// Done; the secrets can be shown this once.
    case new(NewSource)
    /// The same request was carried out before, and its secrets were shown then.
    case shownBefore(Source)

    /// The source with its secrets.
    /// - Throws: `AppError.conflict` when they were shown before.
    package func get() throws -> NewSource {
        switch self {
        case .new(let source): return source
        case .shownBefore: throw AppError(.conflict, .secretsShown)
        }
    }
}

/// A message of an authenticated device that could not be used.
package struct QuarantineEntry: Sendable, Equatable {
    /// The entry's id.
    package let id: ID<QuarantineEntry>
    /// The source's id, or the tracker's.
    package let sourceID: String
    /// When it came.
    package let receivedAt: Instant
    /// What was wrong with it.
    package let reason: QuarantineReason
}

/// What can be wrong with a message of an authenticated device.
package enum QuarantineReason: String, Sendable, CaseIterable, Error {
    /// A field that should hold a number holds something else, or only one of latitude and longitude is there.
    case unreadableNumber = "unreadable_number"
    /// The time can't be read, or is missing where it must be there.
    case unreadableTime = "unreadable_time"
    /// Latitude or longitude is not on Earth.
    case placeOutOfRange = "place_out_of_range"
    /// Accuracy, altitude, speed, heading or battery is beyond what can be.
    case numberOutOfRange = "number_out_of_range"
    /// Before 2000 or more than 10 minutes ahead.
    case timeOutOfRange = "time_out_of_range"
    /// The device itself said that the position is not valid.
    case markedInvalid = "marked_invalid"
    /// The same device was already at another place at that time.
    case otherPlaceAtThatTime = "other_place_at_that_time"
    /// The encrypted message did not open with the source's passphrase, or holds no message.
    case undecryptable
    /// JSON, but not of the shape that the app sends.
    case unexpectedShape = "unexpected_shape"
    /// A cloud handed it on, and no tracker that is said to have the device vouches for it.
    case unknownSender = "unknown_sender"
    /// The owner's account has as many positions as it may.
    case historyFull = "history_full"
}

/// What OwnTracks is answered.
package enum OwnTracksAnswer: Sendable, Equatable {
    /// Wrong user or password: 401 with `WWW-Authenticate: Basic`.
    case unauthorized
    /// Not JSON: 400.
    case malformed
    /// 200 with this JSON array.
    case accepted([UInt8])
}

/// What OsmAnd and Traccar Client are answered.
package enum OsmAndAnswer: Sendable, Equatable {
    /// No source has that id: 400 to the query form, 404 to the JSON form.
    case unknownDevice
    /// Not JSON: 400.
    case malformed
    /// 200.
    case accepted
}
