import Kernel
import Notifications
import Storage

/// Records the changes of trackers' switches, inside a transaction.
struct SwitchRecorder: Sendable {
    /// Stores the effects of a change of a tracker's switch: a separation that it interrupted can cause an alert again,
    /// and the people who switch it are notified when they would otherwise believe the wrong state.
    func record(
        of item: Item, from before: StoredTracker, to after: StoredTracker, now: Instant, in tx: Transaction
    ) throws {
        let isInterrupted = before.isReporting && !after.isReporting
        // Earlier versions left trackers in this state, with a stored separation that never caused an alert again.
        let isHealed = before.isLate && before.state == .active && before.wanted == .off && after.isReporting
        if isInterrupted || isHealed { try AlertStore.reset(item.id, in: tx) }
        guard let outcome = SwitchOutcome(from: before, to: after) else { return }
        for (person, name) in try ItemAudience.people(of: item, in: tx).map({ ($0.person, $0.itemName) }) {
            let about = [NoticeKind.switchNotConfirmed.rawValue, item.id.description]
            let notification = Notice(
                id: ID(about: person == item.owner ? about : about + [person.description], at: now), person: person,
                kind: .switchNotConfirmed, resource: TrackingEvents.path(item.id), subject: name,
                details: ["outcome": outcome.rawValue], at: now
            )
            try notification.post(in: tx)
        }
    }
}
