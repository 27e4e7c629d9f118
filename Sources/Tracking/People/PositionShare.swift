package import Kernel

/// A person's choice that another person sees where they are now.
package struct PositionShare: Sendable, Equatable {
    /// The person whose position is shared.
    package let person: PersonID
    /// The person who sees it.
    package let viewer: PersonID
    /// The person's own item that shows where they are; `nil` for the person's phones.
    package let item: ID<Item>?
    package let startedAt: Instant
    /// `nil` for a sharing that the person ends themselves.
    package let expiresAt: Instant?
}

/// How long a position is shared.
package enum PositionShareDuration: String, Sendable, CaseIterable {
    case hour = "1h"
    /// Until the end of the day.
    case day
    /// Until the person turns it off; not for children.
    case untilEnded = "off"

    /// The durations that a person can choose.
    package static func offered(toChild isChild: Bool) -> [PositionShareDuration] {
        isChild ? [.hour, .day] : allCases
    }

    /// The end of a sharing that starts now; `nil` for none. That of a child ends with the day.
    func end(now: Instant, calendar: DayCalendar, isChild: Bool) -> Instant? {
        let endOfDay = calendar.span(of: calendar.date(at: now)).upperBound
        let inAnHour = now.adding(seconds: 60 * 60)
        return switch self {
        case .hour: isChild ? min(inAnHour, endOfDay) : inAnHour
        case .day: endOfDay
        case .untilEnded: nil
        }
    }
}

/// The data of a new sharing, before validation.
package struct PositionShareInput: Sendable {
    /// The ids of the people who may see the position.
    package let viewers: [String]
    package let duration: PositionShareDuration
    /// The time zone of the person's device by its name in the IANA database; `nil` for an unknown one.
    package let timeZone: String?
    /// The person's own item that shows where they are; `nil` for the person's phones.
    package let item: ID<Item>?

    package init(
        viewers: [String], duration: PositionShareDuration, timeZone: String?, item: ID<Item>? = nil
    ) {
        self.viewers = viewers
        self.duration = duration
        self.timeZone = timeZone
        self.item = item
    }
}

/// The views of a person's position by another person on one day.
package struct PositionView: Sendable, Equatable {
    package let name: String
    package let count: Int
    package let lastAt: Instant
}

/// A person who asks another one to share their position.
package struct PositionRequest: Sendable, Equatable {
    package let asker: PersonID
    package let name: String
    package let askedAt: Instant
}

/// Everything about the sharing of a person's own position, for that person.
package struct PositionSharingOverview: Sendable, Equatable {
    /// A sharing with the viewer's name.
    package struct Entry: Sendable, Equatable {
        package let share: PositionShare
        package let viewerName: String
        /// The name of the item that shows where the person is; `nil` for the person's phones.
        package let itemName: String?
    }

    /// A rule of another person.
    package struct Rule: Sendable, Equatable {
        package let rule: PersonRule
        package let ownerName: String
    }

    package let entries: [Entry]
    /// The people with whom the position can be shared.
    package let candidates: [HouseholdPerson]
    package let views: [PositionView]
    package let requests: [PositionRequest]
    package let rules: [Rule]
    /// The own items that can show where the person is.
    package let items: [Item]
}

/// A person who shares their position with the reader.
package struct SharedPerson: Sendable, Equatable {
    package let share: PositionShare
    /// The first name.
    package let name: String
    /// The present position; `nil` before the first one since the start, and without a recent one.
    package let position: SharedPosition?
    /// Where that is, by the reader's safe places.
    package let place: PlaceDescription?
}

/// The people who share their position with the reader, and those whom the reader can ask.
package struct SharedPeople: Sendable, Equatable {
    /// A person of the household who doesn't share their position with the reader.
    package struct Other: Sendable, Equatable {
        package let person: HouseholdPerson
        /// When the reader asked last; `nil` for a person whom the reader can ask.
        package let askedAt: Instant?
    }

    package let people: [SharedPerson]
    package let others: [Other]
}
