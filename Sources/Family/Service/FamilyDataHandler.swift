package import Accounts
package import Kernel
package import Storage
import Synchronization

/// Family's part in the export and the deletion of an account. Accounts needs it before ``FamilyService`` exists; the
/// service registers itself when it is created.
package final class FamilyDataHandler: AccountDataHandler {
    private struct ServiceReference: Sendable {
        weak var service: FamilyService?
    }

    private let answering = Mutex(ServiceReference())

    /// Makes a handler without a service. until the service registers itself, calls that need it throw `AppError(.unavailable)`.
    package init() {}

    func answer(by service: FamilyService) { answering.withLock { $0.service = service } }

    private func service() throws -> FamilyService {
        guard let service = answering.withLock({ $0.service }) else {
            throw AppError(.unavailable, "Please try again.")
        }
        return service
    }

    /// Returns the files of a member: a parent's have the household and its children, a child's only the child.
    package func export(_ person: PersonID, in tx: Transaction) throws -> [(path: String, contents: [UInt8])] {
        guard let member = try HouseholdStore.member(person, in: tx), member.deletedAt == nil else { return [] }
        return try service().exportedFiles(of: member, in: tx)
    }

    /// Returns `.family` for the members of a household.
    package func usedApp(by person: PersonID, in tx: Transaction) throws -> AppName? {
        try HouseholdStore.member(person, in: tx) == nil ? nil : .family
    }

    /// Returns the contracts and assignments as streams, because their number has no limit.
    package func attachments(of person: PersonID) async throws -> [ExportAttachment] {
        try await service().exportedLists(of: person)
    }

    /// Returns the effect of an account's deletion on the family.
    package func erasureNote(of person: PersonID, in tx: Transaction) throws -> String? {
        guard let member = try HouseholdStore.member(person, in: tx), member.role == .parent else { return nil }
        guard try !HouseholdStore.allChildren(of: member.household, in: tx).isEmpty else { return nil }
        let isAlone = try HouseholdStore.count(of: member.household, .parent, in: tx) == 1
        let message: FamilyMessage = isAlone ? .deletionTakesChildren : .deletionLeavesChildren
        return message.rawValue
    }

    /// Refuses to clear the date of birth of a household's member.
    package func checkChange(from before: Account, to after: Account, in tx: Transaction) throws {
        guard after.dateOfBirth == nil, before.dateOfBirth != nil, after.role == .adult,
            try HouseholdStore.member(after.id, in: tx) != nil
        else { return }
        throw AppError(.invalid, .dateOfBirthMissing, field: "dateOfBirth")
    }

    /// Revokes the invitations of a parent whose password changed, and the children's sign-in codes. Signs the
    /// children's devices out if `endsChildSessions` is true.
    package func passwordChanged(
        of person: PersonID, endsChildSessions: Bool, now: Instant, in tx: Transaction
    ) throws {
        guard let household = try Self.household(ofParent: person, in: tx) else { return }
        // Without the lock, a code used now could sign in a device after the others were signed out.
        _ = try HouseholdStore.lock(household, in: tx)
        guard try Self.household(ofParent: person, in: tx) == household else { throw AppError(.conflict, .movedOn) }
        try FamilyService.voidInvitations(by: person, now: now, in: tx)
        guard endsChildSessions else { return }
        try service().endSessionsOfChildren(of: household, now: now, in: tx)
    }

    /// Returns whether a device is signed in as a child of the parent's household.
    package func hasChildSessions(of person: PersonID, in tx: Transaction) throws -> Bool {
        guard let household = try Self.household(ofParent: person, in: tx) else { return false }
        return try service().hasSessionsOfChildren(of: household, in: tx)
    }

    private static func household(ofParent person: PersonID, in tx: Transaction) throws -> ID<Household>? {
        guard let member = try HouseholdStore.member(person, in: tx), member.role == .parent else { return nil }
        return member.household
    }

    /// Removes a parent from the household and notifies the others, or deletes the household with its last parent.
    /// A child's profile is deleted with its account.
    package func erase(_ person: PersonID, in tx: Transaction) throws {
        try service().leave(person, in: tx)
    }

    /// Returns whether a code is that of an invitation that is open.
    package func invites(_ code: String, now: Instant, in tx: Transaction) throws -> Bool {
        guard let hash = Secret.hash(shown: code) else { return false }
        return try InvitationStore.find(hash: hash, now: now, in: tx) != nil
    }

    /// Publishes an event to the household.
    package func profileChanged(_ account: Account, now: Instant, in tx: Transaction) throws {
        guard let member = try HouseholdStore.member(account.id, in: tx), member.deletedAt == nil else { return }
        switch member.role {
        case .child:
            try FamilyEvents.tell(
                "child", FamilyEvents.child(account.id), version: account.version, of: member.household, now: now,
                in: tx)
        case .parent:
            try FamilyEvents.tell(
                "parent", FamilyEvents.parents, version: account.version, of: member.household, now: now, in: tx)
        }
    }
}

extension FamilyService {
    fileprivate func leave(_ person: PersonID, in tx: Transaction) throws {
        guard let found = try HouseholdStore.member(person, in: tx) else { return }
        let now = clock.now
        _ = try HouseholdStore.lock(found.household, in: tx)
        guard let member = try HouseholdStore.member(person, in: tx) else { return }
        guard member.household == found.household else { throw AppError(.conflict, .movedOn) }
        if member.role == .child { return try forget(person, in: tx) }
        try release(person, from: member.household, now: now, in: tx)
        try HouseholdStore.remove(person, in: tx)
        guard try HouseholdStore.count(of: member.household, .parent, in: tx) > 0 else {
            return try dissolve(member.household, now: now, in: tx)
        }
        try notifyOfLeaving(person, member.household, isTold: false, now: now, in: tx)
    }
}
