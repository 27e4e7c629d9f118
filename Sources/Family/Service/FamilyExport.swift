import Accounts
import Kernel
import Recurrence
import Storage

/// The files and streams of this module in the export of an account.
struct FamilyExport: Sendable {
    let database: Database
    let accounts: AccountReader
    let children: ChildReader
    let contractReader: ContractReader
    let clock: any WallClock

    /// Returns the files of a member: a parent's have the household and its children, a child's only the child.
    func files(
        of member: StoredMember, in tx: Transaction
    ) throws -> [(path: String, contents: [UInt8])] {
        let householdActor = HouseholdActor(person: member.person, household: member.household, role: member.role)
        switch member.role {
        case .child:
            let exported = try children.children([member.person], for: householdActor, in: tx)
            return try [
                (path: "family/child.json", contents: try exported.map { ExportedChild($0) }.json()),
                (path: "family/requests.json", contents: try requests(of: member, in: tx)),
                (path: "family/wishes.json", contents: try wishes(of: member, in: tx)),
                (path: "family/declined-requests.json", contents: try declined(of: member, in: tx)),
            ] + plans(of: member, [member.person], in: tx)
        case .parent:
            let ids = try HouseholdStore.allChildren(of: member.household, in: tx)
            let deleted = try HouseholdStore.deletedChildren(of: member.household, in: tx)
            let deletions = Dictionary(deleted.map { ($0.child, $0.deletedAt) }) { first, _ in first }
            let exported = try children.children(ids, for: householdActor, in: tx).map { child in
                ExportedChild(child, deletedAt: deletions[child.id])
            }
            let chores = try ChoreStore.page(
                of: member.household, after: nil, limit: Limits.choresPerHousehold, in: tx)
            let parents = try HouseholdStore.page(
                of: member.household, .parent, after: nil, limit: Limits.pageSizeMaximum, in: tx)
            let profiles = try accounts.accounts(parents, in: tx)
            let household = ExportedHousehold(
                createdAt: try HouseholdStore.createdAt(member.household, in: tx),
                parents: parents.compactMap { profiles[$0]?.name }
            )
            return try [
                (path: "family/household.json", contents: try household.json()),
                (path: "family/children.json", contents: try exported.json()),
                (path: "family/chores.json", contents: try chores.map(ExportedChore.init).json()),
                (
                    path: "family/rewards.json",
                    contents: try RewardStore.all(of: member.household, in: tx).map(ExportedReward.init).json()
                ),
                (path: "family/schedules.json", contents: try schedules(of: member.household, in: tx)),
                (path: "family/requests.json", contents: try requests(of: member, in: tx)),
                (path: "family/wishes.json", contents: try wishes(of: member, in: tx)),
                (path: "family/declined-requests.json", contents: try declined(of: member, in: tx)),
                (path: "family/removals.json", contents: try removals(of: member.household, in: tx)),
            ] + plans(of: member, ids, in: tx)
        }
    }

    /// The pauses, streaks and turns of children. The turns are those of the last ``Limits/rotationDays`` and coming
    /// ones.
    private func plans(
        of member: StoredMember, _ children: [PersonID], in tx: Transaction
    ) throws -> [(path: String, contents: [UInt8])] {
        let (now, zone) = (clock.now, try OccurrenceReader().timeZone(of: member.household, in: tx))
        let today = zone.date(at: now)
        let isOwn = { (child: PersonID?) in member.role == .parent || child == nil || child == member.person }
        let chores = try ChoreStore.page(of: member.household, after: nil, limit: Limits.choresPerHousehold, in: tx)
        let turns = try TurnStore.turns(
            of: chores.map(\.id), since: today.adding(days: -Limits.rotationDays), in: tx
        ).filter { isOwn($0.childID) }.sorted { ($0.date, $0.choreID) < ($1.date, $1.choreID) }
        let pauses = try PauseStore.pauses(of: member.household, since: today, in: tx).filter { isOwn($0.childID) }
        let streaks = try StreakReader().streaks(of: children, in: member.household, zone: zone, now: now, in: tx)
            .until.values.filter { $0.bestDays > 0 || $0.freezes > 0 }.sorted { $0.childID < $1.childID }
        return [
            (path: "family/pauses.json", contents: try pauses.map(ExportedPause.init).json()),
            (path: "family/streaks.json", contents: try streaks.map(ExportedStreak.init).json()),
            (path: "family/turns.json", contents: try turns.map(ExportedTurn.init).json()),
        ]
    }

    /// The announced and refused removals of parents, and those withdrawn within ``Limits/removalRepeatSeconds``.
    private func removals(of household: ID<Household>, in tx: Transaction) throws -> [UInt8] {
        let open = try RemovalStore.all(of: household, in: tx)
        let withdrawn = try RemovalStore.withdrawn(of: household, now: clock.now, in: tx)
        let people = open.flatMap { [$0.parent, $0.announcedBy] } + withdrawn.flatMap { [$0.parent, $0.announcedBy] }
        let names = try accounts.accounts(Array(Set(people)), in: tx).mapValues(\.name)
        return try (open.map { ExportedRemoval($0, names) } + withdrawn.map { ExportedRemoval($0, names) }).json()
    }

    /// The present schedules of chores.
    private func schedules(of household: ID<Household>, in tx: Transaction) throws -> [UInt8] {
        let zone = try OccurrenceReader().timeZone(of: household, in: tx)
        let schedules = try ScheduleStore.applying(since: zone.date(at: clock.now), of: household, in: tx)
            .filter(\.isPresent)
        let children = try ScheduleStore.children(of: schedules.map(\.id), in: tx)
        let skips = try SkipStore.dates(of: schedules.map(\.chore.id), in: tx)
        return try schedules.map {
            ExportedSchedule(
                $0, children: children[$0.id] ?? [], timeZone: zone.identifier, skips: skips[$0.chore.id] ?? [])
        }.json()
    }

    /// The open requests: a child's own, or those of all children for a parent. Each child has at most
    /// ``Limits/openRequestsPerChild``.
    private func requests(of member: StoredMember, in tx: Transaction) throws -> [UInt8] {
        try RequestStore.page(
            of: member.role == .child ? member.person : nil, household: member.household, after: nil,
            limit: Limits.openRequestsPerChild * Limits.childrenPerHousehold, in: tx
        ).map(ExportedRequest.init).json()
    }

    /// The wishes: a child's own, or those of all children for a parent.
    private func wishes(of member: StoredMember, in tx: Transaction) throws -> [UInt8] {
        try WishStore.all(
            of: member.role == .child ? member.person : nil, household: member.household, in: tx
        ).map(ExportedWish.init).json()
    }

    /// The requests that were declined lately: a child's own, or those of all children for a parent.
    private func declined(of member: StoredMember, in tx: Transaction) throws -> [UInt8] {
        let children =
            member.role == .child ? [member.person] : try HouseholdStore.allChildren(of: member.household, in: tx)
        let since = clock.now.adding(seconds: -Limits.declinedRequestSeconds)
        return try DeclinedRequestStore.all(of: children, since: since, in: tx).map(ExportedDeclinedRequest.init)
            .json()
    }

    /// Returns the contracts, assignments and purchases as streams.
    func lists(of person: PersonID) async throws -> [ExportAttachment] {
        let children = try await database.read { tx -> [PersonID] in
            guard let member = try HouseholdStore.member(person, in: tx), member.deletedAt == nil else { return [] }
            if member.role == .child { return [person] }
            // Deleted children that can be restored are still stored, so the export contains them.
            return try HouseholdStore.allChildren(of: member.household, in: tx)
        }
        guard !children.isEmpty else { return [] }
        return [
            ExportAttachment(path: "family/contracts.json") {
                stream(children) { child, after in try await contracts(of: child, after: after) }
            },
            ExportAttachment(path: "family/assignments.json") {
                stream(children) { child, after in try await assignments(of: child, after: after) }
            },
            ExportAttachment(path: "family/purchases.json") {
                stream(children) { child, after in try await purchases(of: child, after: after) }
            },
        ]
    }

    private func contracts(of child: PersonID, after: String?) async throws -> FamilyExportReader.Page {
        let request = try PageRequest<ID<Contract>>(after: after, limit: Limits.pageSizeMaximum)
        let contracts = try await database.read { tx in
            try contractReader.contracts(
                try ContractStore.page(of: child, before: request.after, limit: request.limit, in: tx), in: tx)
        }
        let pieces = try contracts.map { try ExportedContract($0, child: child).json() }
        return (pieces, contracts.count == request.limit ? contracts.last?.id.description : nil)
    }

    private func assignments(of child: PersonID, after: String?) async throws -> FamilyExportReader.Page {
        let request = try PageRequest<ID<Assignment>>(after: after, limit: Limits.pageSizeMaximum)
        let assignments = try await database.read { tx in
            try AssignmentStore.page(of: child, before: request.after, limit: request.limit, in: tx)
        }
        let pieces = try assignments.map { try ExportedAssignment($0, child: child).json() }
        return (pieces, assignments.count == request.limit ? assignments.last?.id.description : nil)
    }

    private func purchases(of child: PersonID, after: String?) async throws -> FamilyExportReader.Page {
        let request = try PageRequest<ID<Purchase>>(after: after, limit: Limits.pageSizeMaximum)
        let purchases = try await database.read { tx in
            try PurchaseStore.page(of: child, before: request.after, limit: request.limit, in: tx)
        }
        let pieces = try purchases.map { try ExportedPurchase($0).json() }
        return (pieces, purchases.count == request.limit ? purchases.last?.id.description : nil)
    }

    /// Returns one JSON array for all children, read page by page.
    private func stream(
        _ children: [PersonID],
        _ page: @escaping @Sendable (PersonID, String?) async throws -> FamilyExportReader.Page
    ) -> AsyncThrowingStream<[UInt8], any Error> {
        let reader = FamilyExportReader(children: children)
        return AsyncThrowingStream { try await reader.next(page) }
    }
}
