package import Accounts
package import Kernel
package import Storage
import Synchronization

/// Family's part in the export and the deletion of an account. Accounts needs it before the services of Family exist,
/// which register theirs when they are created.
package final class FamilyDataHandler: AccountDataHandler {
    /// The services that the handler calls. ``FamilyServices`` owns them: they refer to the account service, which owns
    /// the handler.
    final class Delegates: Sendable {
        let export: FamilyExport
        let erasure: MemberErasure
        let childSessions: ChildSessions

        init(export: FamilyExport, erasure: MemberErasure, childSessions: ChildSessions) {
            self.export = export
            self.erasure = erasure
            self.childSessions = childSessions
        }
    }

    private struct Reference: Sendable {
        weak var delegates: Delegates?
    }

    private let reference = Mutex(Reference())

    /// Creates a handler without services. Until they register, calls that need them throw `AppError(.unavailable)`.
    package init() {}

    func register(_ delegates: Delegates) { reference.withLock { $0.delegates = delegates } }

    private func delegates() throws -> Delegates {
        guard let delegates = reference.withLock({ $0.delegates }) else {
            throw AppError(.unavailable, "Please try again.")
        }
        return delegates
    }

    /// Returns the files of a member: a parent's have the household and its children, a child's only the child.
    package func export(_ person: PersonID, in tx: Transaction) throws -> [(path: String, contents: [UInt8])] {
        guard let member = try HouseholdStore.member(person, in: tx), member.deletedAt == nil else { return [] }
        return try delegates().export.files(of: member, in: tx)
    }

    /// Returns `.family` for the members of a household.
    package func usedApp(by person: PersonID, in tx: Transaction) throws -> AppName? {
        try HouseholdStore.member(person, in: tx) == nil ? nil : .family
    }

    /// Returns the contracts and assignments as streams, because their number has no limit.
    package func attachments(of person: PersonID) async throws -> [ExportAttachment] {
        try await delegates().export.lists(of: person)
    }

    /// Returns the effect of an account's deletion on the family.
    package func erasureNote(of person: PersonID, in tx: Transaction) throws -> String? {
        guard let member = try HouseholdStore.member(person, in: tx), member.role == .parent else { return nil }
        guard try !HouseholdStore.allChildren(of: member.household, in: tx).isEmpty else { return nil }
        let isAlone = try HouseholdStore.count(of: member.household, .parent, in: tx) == 1
        let message: FamilyMessage = isAlone ? .deletionTakesChildren : .deletionLeavesChildren
        return message.text
    }

    /// Refuses to clear the date of birth of a household's member.
    package func checkChange(from before: Account, to after: Account, in tx: Transaction) throws {
        guard after.dateOfBirth == nil, before.dateOfBirth != nil, after.role == .adult,
            try HouseholdStore.member(after.id, in: tx) != nil
        else { return }
        throw AppError(.invalid, .dateOfBirthMissing, field: "dateOfBirth")
    }

    /// Revokes the invitations of a parent, and the codes with which devices are signed in as children or paired as
    /// tablets. Signs these devices out if `endsChildSessions` is true.
    package func revokeGrants(
        of person: PersonID, endsChildSessions: Bool, now: Instant, in tx: Transaction
    ) throws {
        guard let household = try Self.household(ofParent: person, in: tx) else { return }
        // Without the lock, a code used now could sign in a device after the others were signed out.
        _ = try HouseholdStore.lock(household, in: tx)
        guard try Self.household(ofParent: person, in: tx) == household else { throw AppError(.conflict, .movedOn) }
        try Self.revokeInvitations(by: person, now: now, in: tx)
        guard endsChildSessions else { return }
        try delegates().childSessions.endAll(of: household, now: now, in: tx)
    }

    /// Revokes all invitations that a parent created, and the children's codes: a person who knew their old password
    /// may hold one.
    private static func revokeInvitations(by person: PersonID, now: Instant, in tx: Transaction) throws {
        guard let member = try HouseholdStore.member(person, in: tx), member.role == .parent else { return }
        try InvitationStore.deleteAll(by: person, in: tx)
        try TabletStore.deleteCode(of: member.household, in: tx)
        // A code created with the old password would still sign in as a child.
        for child in try HouseholdStore.allChildren(of: member.household, in: tx) {
            _ = try SignInCodeStore.close(of: child, as: .revoked, now: now, in: tx)
        }
        try FamilyEvents.publish(
            "parent", FamilyEvents.parents, of: member.household, to: .parents, now: now, in: tx)
    }

    /// Returns whether a device is signed in as a child of the parent's household.
    package func hasChildSessions(of person: PersonID, in tx: Transaction) throws -> Bool {
        guard let household = try Self.household(ofParent: person, in: tx) else { return false }
        return try delegates().childSessions.exist(of: household, in: tx)
    }

    private static func household(ofParent person: PersonID, in tx: Transaction) throws -> ID<Household>? {
        guard let member = try HouseholdStore.member(person, in: tx), member.role == .parent else { return nil }
        return member.household
    }

    /// Permits the deletion.
    package func checkErasure(of person: PersonID, in tx: Transaction) throws {}

    /// Has nothing outside the database.
    package func afterErasure() async throws {}

    /// Removes a parent from the household and notifies the others, or deletes the household with its last parent.
    /// A child's profile is deleted with its account.
    package func erase(_ person: PersonID, in tx: Transaction) throws {
        try delegates().erasure.erase(person, in: tx)
    }

    /// Returns whether a code is that of an invitation that is open.
    package func invites(_ code: String, now: Instant, in tx: Transaction) throws -> Bool {
        guard let hash = FamilyCode.hash(shown: code) else { return false }
        return try InvitationStore.find(hash: hash, now: now, in: tx) != nil
    }

    /// Publishes an event to the household.
    package func profileChanged(_ account: Account, now: Instant, in tx: Transaction) throws {
        guard let member = try HouseholdStore.member(account.id, in: tx), member.deletedAt == nil else { return }
        switch member.role {
        case .child:
            try FamilyEvents.publish(
                "child", FamilyEvents.child(account.id), version: account.version, of: member.household, now: now,
                in: tx)
        case .parent:
            try FamilyEvents.publish(
                "parent", FamilyEvents.parents, version: account.version, of: member.household, now: now, in: tx)
        }
    }
}
