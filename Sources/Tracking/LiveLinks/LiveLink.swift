package import Kernel

/// A public page with the present position of an item, or of its owner's phones.
package struct LiveLink: Sendable, Equatable {
    /// What became of a link.
    package enum State: String, Sendable {
        case open
        case expired
        case revoked
        /// The recipient and the shared position came together.
        case met
    }

    package let id: ID<LiveLink>
    package let owner: PersonID
    /// The shared item; `nil` for the owner's own position.
    package let item: ID<Item>?
    /// Whether the page shows the owner's first name.
    package let showsName: Bool
    /// Whether the link ends when the recipient is near.
    package let untilMet: Bool
    package let createdAt: Instant
    package let expiresAt: Instant
    let endedAt: Instant?
    let ending: State?
    /// Increases by one with each change.
    package let version: Int64

    /// Returns what became of the link until an instant.
    package func state(now: Instant) -> State { ending ?? (expiresAt <= now ? .expired : .open) }
}

/// A link in the list of its owner.
package struct LiveLinkEntry: Sendable, Equatable {
    package let link: LiveLink
    package let state: LiveLink.State
    /// The name of the shared item; `nil` for the owner's own position.
    package let itemName: String?
    /// The number of pages that have it open, over all nodes.
    package let viewerCount: Int
}

/// An open link to an item's position, as the people who manage the item see it.
package struct ItemLiveLink: Sendable, Equatable {
    package let link: LiveLink
    package let ownerName: String
}

/// How long a link is open.
package enum LiveLinkDuration: String, Sendable, CaseIterable {
    case quarterHour = "15min"
    case hour = "1h"
    case fourHours = "4h"
    case day = "1d"
    case threeDays = "3d"
    case week = "7d"
    /// Until the recipient is near; at most 7 days.
    case untilMet

    package var seconds: Int64 {
        switch self {
        case .quarterHour: 15 * 60
        case .hour: 60 * 60
        case .fourHours: 4 * 60 * 60
        case .day: 24 * 60 * 60
        case .threeDays: 3 * 24 * 60 * 60
        case .week, .untilMet: 7 * 24 * 60 * 60
        }
    }
}

/// The data of a new link.
package struct LiveLinkInput: Sendable {
    /// `nil` for the owner's own position.
    package let item: ID<Item>?
    package let duration: LiveLinkDuration
    package let showsName: Bool

    package init(item: ID<Item>?, duration: LiveLinkDuration, showsName: Bool) {
        self.item = item
        self.duration = duration
        self.showsName = showsName
    }
}

/// The position that a link shows.
package struct SharedPosition: Sendable, Equatable {
    package let at: Instant
    package let coordinate: Coordinate
    package let accuracyMetres: Double?
}

extension SharedPosition: JSONWritable {
    /// Writes the position as an event of the page's stream.
    package func write(to json: inout JSONText) {
        json.object { json in
            json.name("at")
            json.value(at.rfc3339)
            json.name("latitude")
            json.value(coordinate.latitude)
            json.name("longitude")
            json.value(coordinate.longitude)
            json.name("accuracy")
            if let accuracyMetres { json.value(accuracyMetres) } else { json.null() }
        }
    }
}

/// What the page of a link shows.
package struct LiveLinkView: Sendable, Equatable {
    package let link: LiveLink
    /// The owner's first name, if the owner shows it.
    package let name: String?
    /// The newest position since the link's creation; `nil` before the first one.
    package let position: SharedPosition?
}
