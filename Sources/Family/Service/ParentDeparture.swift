import Accounts
import Kernel
import Storage

/// What happens in a household when a parent leaves it, in the transaction of the caller.
struct ParentDeparture: Sendable {
    let securityMails: SecurityMails
    let notifier: ParentNotifier
    let departures: any HouseholdDepartureHandler

    /// Deletes the invitations of a parent who is about to leave a household, and revokes the children's open codes,
    /// because the parent may hold one.
    func release(_ parent: PersonID, from household: ID<Household>, now: Instant, in tx: Transaction) throws {
        try departures.left(parent, now: now, in: tx)
        try InvitationStore.deleteAll(by: parent, in: tx)
        try RemovalStore.deleteAll(of: parent, in: tx)
        try TabletStore.deleteCode(of: household, in: tx)
        for child in try HouseholdStore.allChildren(of: household, in: tx) {
            _ = try SignInCodeStore.close(of: child, as: .revoked, now: now, in: tx)
        }
        if let heir = try HouseholdStore.parents(of: household, in: tx).first(where: { $0 != parent }) {
            try FamilyPictures.handOver(from: parent, to: heir, household: household, in: tx)
        }
    }

    /// Notifies the remaining parents that a parent left. Call it after the parent has left.
    /// - Parameter isNotified: whether the parent who left is notified too, also by mail; false if the account is
    ///   deleted.
    func notifyOfLeaving(
        _ parent: PersonID, _ household: ID<Household>, isNotified: Bool, now: Instant, in tx: Transaction
    ) throws {
        // Another person may have used the parent's session to leave.
        try notifier.notify(.parentLeft, of: parent, household, by: isNotified ? nil : parent, now: now, in: tx)
        if isNotified { try securityMails.enqueue(.left, to: parent, now: now, in: tx) }
        try publish(parent, household, now: now, in: tx)
    }

    /// Notifies all parents and the removed one, also by mail. Call it after the removal.
    func notifyOfRemoval(
        _ parent: PersonID, _ household: ID<Household>, by actor: PersonID?, now: Instant, in tx: Transaction
    ) throws {
        try notifier.notify(.parentRemoved, of: parent, household, by: actor, who: actor, now: now, in: tx)
        try securityMails.enqueue(.removed, to: parent, now: now, in: tx)
        try publish(parent, household, now: now, in: tx)
    }

    /// Publishes events for the household's open pages, and for those of the parent who left.
    private func publish(
        _ parent: PersonID, _ household: ID<Household>, now: Instant, in tx: Transaction
    ) throws {
        try FamilyEvents.publish("parent", FamilyEvents.parents, of: household, now: now, in: tx)
        try tx.publish(
            ChangeEvent(audience: parent, kind: "parent", resource: FamilyEvents.parents, version: 0, at: now))
    }
}
