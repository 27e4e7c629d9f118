package import Kernel
package import Pictures
package import Recurrence

/// What is to do today: for all children, as a parent sees it, or for one child.
package struct FamilyToday: Sendable {
    /// The date in the household's time zone.
    package let date: LocalDate
    /// The children with their names, in the order in which they were added.
    package let children: [Member]
    /// Sorted by state, due time and chore.
    package let entries: [TodayEntry]
    /// The pauses of today.
    package let pauses: [Pause]
    /// The streaks of these children until yesterday.
    let streaks: [PersonID: Streak]
    /// The children who did a chore today, or reported it.
    let activeChildren: Set<PersonID>
    /// When something of it is overdue next, or the day ends.
    package let changesAt: Instant
    /// Whether a chore has a schedule.
    package let hasSchedules: Bool
    /// The chores whose requests need steps or a photo.
    package let needingProof: Set<ID<Chore>>
    /// The requests of these children that were declined lately.
    package let declined: [DeclinedRequest]

    /// The swaps of turns that wait; on the dashboard of a child, those that wait for its answer.
    package internal(set) var swapCount = 0

    /// Returns the pause of a child today, or that of all children; `nil` for none.
    package func pause(of child: PersonID) -> Pause? { pauses.first { $0.applies(to: child, on: date) } }

    /// Returns whether a child reports an entry with steps or a photo.
    package func needsProof(_ entry: TodayEntry) -> Bool { entry.choreID.map(needingProof.contains) ?? false }

    /// Returns the declined request for an entry that is still to do; `nil` for none.
    package func declined(for entry: TodayEntry) -> DeclinedRequest? {
        guard entry.isOpen else { return nil }
        return declined.first {
            $0.childID == entry.childID && $0.choreID == entry.choreID && $0.occurrence == entry.date
        }
    }

    /// Returns the days in a row on which a child did a chore, today included; 0 without any.
    package func streakDays(of child: PersonID) -> Int {
        let isActive = activeChildren.contains(child)
        return (streaks[child]?.days ?? 0) + (isActive ? 1 : 0)
    }

    /// Returns the number of entries in a state.
    package func count(_ state: TodayEntry.State) -> Int {
        entries.reduce(0) { $0 + ($1.state == state ? 1 : 0) }
    }
}

/// An occurrence of a chore's schedule for a child or for the first child to claim it, or a request without one.
package struct TodayEntry: Sendable, Hashable {
    /// What has to be done about an entry, in the order in which the page shows them.
    package enum State: String, Sendable, CaseIterable {
        /// It was due, at most ``Limits/overdueDays`` ago.
        case overdue
        /// It is due later today.
        case due
        /// The child asked for the points.
        case waiting
        /// It was due or approved today.
        case done
        /// The next occurrence after today.
        case next
    }

    package let state: State
    /// `nil` for an occurrence that the first child can claim.
    package let childID: PersonID?
    /// The children who can claim it.
    package let candidates: [PersonID]
    /// Whether the child can give it back, because it claimed it.
    package let isClaimed: Bool
    /// Whether it is a turn that the child can swap.
    package let isSwappable: Bool
    /// `nil` if the chore was deleted after it was done.
    package let choreID: ID<Chore>?
    package let name: String
    package let pictureID: ID<Picture>
    /// The date of the occurrence; `nil` for a request without one.
    package let date: LocalDate?
    /// `nil` for any time of the day, and in the states `waiting` and `done`.
    package let dueTime: LocalTime?
    /// In the state `waiting`.
    package let request: ChoreRequest?
    /// The points that were promised in advance; `nil` for none.
    package let offeredPoints: Int64?
    /// 1 to 3 in the state `done`.
    package let points: Int?

    /// Whether it is still to do today.
    package var isOpen: Bool { state == .overdue || state == .due }
}
