import Kernel
import Notifications
import Storage

/// Ends the lost mode of an item that is with its owner again, in the transaction that stores the position.
enum LostModeEnding {
    static func evaluate(
        _ item: AlertStore.WatchedItem, _ state: LostModeRule.State, sighting: PositionSample,
        phones: [PositionSample], after: SeparationAlertRule.State, now: Instant, in tx: Transaction
    ) throws {
        let step = LostModeRule(lostMetres: item.lostMetres).step(
            from: state, item: sighting, phones: phones, before: item.state, after: after, now: now)
        switch step {
        case .unchanged: return
        case .apart: try LostModeStore.setApart(item.id, in: tx)
        case .back:
            try LostModeStore.delete(item.id, in: tx)
            try TrackingEvents.publishCommand(of: item.id, owner: item.owner, now: now, in: tx)
            let people = try ItemAudience.people(
                of: item.id, owner: item.owner, name: item.name, isUrgent: true, in: tx)
            for (person, name) in people.map({ ($0.person, $0.itemName) }) {
                let id = ID<Notice>(
                    about: [NoticeKind.itemReturned.rawValue, item.id.description, person.description], at: state.since)
                try Notice(
                    id: id, person: person, kind: .itemReturned, resource: TrackingEvents.path(item.id),
                    subject: name, at: now
                ).post(in: tx)
            }
        }
    }
}
