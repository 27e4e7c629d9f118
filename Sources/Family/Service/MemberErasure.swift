import Accounts
import Kernel
import Storage

/// Removes the members of households whose accounts are deleted.
struct MemberErasure: Sendable {
    let departure: ParentDeparture
    let dissolution: HouseholdDissolution
    let clock: any WallClock

    /// Removes a parent from the household and notifies the others, or deletes the household with its last parent.
    /// Deletes the data of a child.
    func erase(_ person: PersonID, in tx: Transaction) throws {
        guard let found = try HouseholdStore.member(person, in: tx) else { return }
        let now = clock.now
        _ = try HouseholdStore.lock(found.household, in: tx)
        guard let member = try HouseholdStore.member(person, in: tx) else { return }
        guard member.household == found.household else { throw AppError(.conflict, .movedOn) }
        if member.role == .child { return try ChildDataStore.deleteAll(of: person, in: tx) }
        try departure.release(person, from: member.household, now: now, in: tx)
        try HouseholdStore.remove(person, in: tx)
        guard try HouseholdStore.count(of: member.household, .parent, in: tx) > 0 else {
            return try dissolution.dissolve(member.household, now: now, in: tx)
        }
        try departure.notifyOfLeaving(person, member.household, isNotified: false, now: now, in: tx)
    }
}
