package import Kernel

/// Days on which nothing is due: for one child, or for the whole household.
package struct Pause: Sendable, Hashable {
    package let id: ID<Pause>
    /// `nil` for all children.
    package let childID: PersonID?
    package let startsOn: LocalDate
    /// The last day; `nil` until a parent ends the pause.
    package let endsOn: LocalDate?

    /// Returns whether nothing is due for a child on a date.
    func applies(to child: PersonID, on date: LocalDate) -> Bool {
        (childID == nil || childID == child) && startsOn <= date && date <= endsOn ?? .last
    }
}

/// A new pause as a client sent it; `nil` for a missing field.
package struct PauseInput: Sendable {
    /// The id of a child of the household; `nil` for all children.
    package var child: String?
    /// `2026-03-01`; `nil` for today.
    package var startsOn: String?
    /// The last day, `2026-03-14`; `nil` until a parent ends the pause.
    package var endsOn: String?

    package init(child: String? = nil, startsOn: String? = nil, endsOn: String? = nil) {
        self.child = child
        self.startsOn = startsOn
        self.endsOn = endsOn
    }
}

/// The data of the page about pauses.
package struct PauseDetails: Sendable {
    /// The present and the coming pauses by their first day.
    package let pauses: [Pause]
    package let children: [Member]
    /// The present date in the household's time zone.
    package let today: LocalDate
}
