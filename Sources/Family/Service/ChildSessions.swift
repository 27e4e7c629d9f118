import Accounts
import Kernel
import Storage

/// The sessions of all children of a household, and its shared tablets.
struct ChildSessions: Sendable {
    let sessions: SessionService

    /// Signs out all devices of a household's children, and removes its tablets.
    func endAll(of household: ID<Household>, now: Instant, in tx: Transaction) throws {
        try TabletRemoval.removeAll(of: household, now: now, in: tx)
        for child in try HouseholdStore.allChildren(of: household, in: tx) {
            try sessions.endAll(of: child, now: now, in: tx)
            try FamilyEvents.publish(
                "session", FamilyEvents.child(child), of: household, to: .parentsAnd(child), now: now, in: tx)
        }
    }

    /// Returns whether a device is signed in as a child of the household, or paired as its tablet.
    func exist(of household: ID<Household>, in tx: Transaction) throws -> Bool {
        if try !TabletStore.tablets(of: household, in: tx).isEmpty { return true }
        return try HouseholdStore.allChildren(of: household, in: tx).contains { try sessions.count(of: $0, in: tx) > 0 }
    }
}
