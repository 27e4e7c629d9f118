import Kernel
import Notifications
import Storage

/// What people are told of chores and rewards, in the transaction in which it happens, and never by themselves.
extension FamilyService {
    /// Tells a child of the chores for which it got points, and everybody whom it concerns of the levels that it reached
    /// with them.
    func notify(
        of assignments: [NewAssignment], levels: [(contract: ID<Contract>, level: StoredContract.Level)],
        child: PersonID, by asker: Asker, now: Instant, in tx: Transaction
    ) throws {
        let name = try tx.row("SELECT name FROM account WHERE id = \(child)")?.get("name", as: String.self) ?? ""
        for assignment in assignments where child != asker.person {
            let kind = NoticeKind.choreAssigned
            let notice = Notice(
                id: ID(about: [kind.rawValue, assignment.id.description], at: now), person: child, kind: kind,
                resource: Announcement.child(child), subject: assignment.chore.name,
                details: ["points": String(assignment.points), "child": name], at: now
            )
            try notice.post(in: tx)
        }
        guard !levels.isEmpty else { return }
        let audience = Announcement.Audience.parentsAnd(child)
        let members = try HouseholdStore.members(of: asker.household, in: tx).filter(audience.includes)
        for (contract, level) in levels {
            for member in members where member.person != asker.person {
                let kind = NoticeKind.levelReached
                let about = [kind.rawValue, contract.description, String(level.number), member.person.description]
                let notice = Notice(
                    id: ID(about: about, at: now), person: member.person, kind: kind,
                    resource: Announcement.child(child), subject: level.reward,
                    details: ["reward": level.reward, "child": name, "level": String(level.number)], at: now
                )
                try notice.post(in: tx)
            }
        }
    }
}
