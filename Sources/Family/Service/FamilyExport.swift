import Accounts
import Foundation
import Kernel
import Storage

extension FamilyService {
    func exportedFiles(
        of member: StoredMember, in tx: Transaction
    ) throws -> [(path: String, contents: [UInt8])] {
        let householdActor = HouseholdActor(person: member.person, household: member.household, role: member.role)
        switch member.role {
        case .child:
            let children = try assembled([member.person], for: householdActor, in: tx)
            return [
                (path: "family/child.json", contents: try children.map { ExportedChild($0) }.json()),
                (path: "family/requests.json", contents: try exportedRequests(of: member, in: tx)),
            ]
        case .parent:
            let ids = try HouseholdStore.allChildren(of: member.household, in: tx)
            let deleted = try HouseholdStore.deletedChildren(of: member.household, in: tx)
            let deletions = Dictionary(deleted.map { ($0.child, $0.deletedAt) }) { first, _ in first }
            let children = try assembled(ids, for: householdActor, in: tx).map { child in
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
            return [
                (path: "family/household.json", contents: try household.json()),
                (path: "family/children.json", contents: try children.json()),
                (path: "family/chores.json", contents: try chores.map(ExportedChore.init).json()),
                (path: "family/requests.json", contents: try exportedRequests(of: member, in: tx)),
                (path: "family/removals.json", contents: try exportedRemovals(of: member.household, in: tx)),
            ]
        }
    }

    /// The announced and refused removals of parents, and those withdrawn within ``Limits/removalRepeatSeconds``.
    private func exportedRemovals(of household: ID<Household>, in tx: Transaction) throws -> [UInt8] {
        let open = try RemovalStore.all(of: household, in: tx)
        let withdrawn = try RemovalStore.withdrawn(of: household, now: clock.now, in: tx)
        let people = open.flatMap { [$0.parent, $0.announcedBy] } + withdrawn.flatMap { [$0.parent, $0.announcedBy] }
        let names = try accounts.accounts(Array(Set(people)), in: tx).mapValues(\.name)
        return try (open.map { ExportedRemoval($0, names) } + withdrawn.map { ExportedRemoval($0, names) }).json()
    }

    /// The open requests: a child's own, or those of all children for a parent. Each child has at most
    /// ``Limits/openRequestsPerChild``.
    private func exportedRequests(of member: StoredMember, in tx: Transaction) throws -> [UInt8] {
        try RequestStore.page(
            of: member.role == .child ? member.person : nil, household: member.household, after: nil,
            limit: Limits.openRequestsPerChild * Limits.childrenPerHousehold, in: tx
        ).map(ExportedRequest.init).json()
    }

    func exportedLists(of person: PersonID) async throws -> [ExportAttachment] {
        let children = try await database.read { tx -> [PersonID] in
            guard let member = try HouseholdStore.member(person, in: tx), member.deletedAt == nil else { return [] }
            if member.role == .child { return [person] }
            // Deleted children that can be restored are still stored, so the export contains them.
            return try HouseholdStore.allChildren(of: member.household, in: tx)
        }
        guard !children.isEmpty else { return [] }
        return [
            ExportAttachment(path: "family/contracts.json") { [self] in
                exported(children) { [self] child, after in try await exportedContracts(of: child, after: after) }
            },
            ExportAttachment(path: "family/assignments.json") { [self] in
                exported(children) { [self] child, after in try await exportedAssignments(of: child, after: after) }
            },
        ]
    }

    private typealias ExportedPage = (pieces: [[UInt8]], next: String?)

    private func exportedContracts(of child: PersonID, after: String?) async throws -> ExportedPage {
        let start: ID<Contract>? = try Cursor.id(after)
        let limit = Limits.pageSizeMaximum
        let contracts = try await database.read { [self] tx in
            try shown(try ContractStore.page(of: child, before: start, limit: limit, in: tx), in: tx)
        }
        let pieces = try contracts.map { try ExportedContract($0, child: child).json() }
        return (pieces, contracts.count == limit ? contracts.last?.id.description : nil)
    }

    private func exportedAssignments(of child: PersonID, after: String?) async throws -> ExportedPage {
        let start: ID<Assignment>? = try Cursor.id(after)
        let limit = Limits.pageSizeMaximum
        let assignments = try await database.read { tx in
            try AssignmentStore.page(of: child, before: start, limit: limit, in: tx)
        }
        let pieces = try assignments.map { try ExportedAssignment($0, child: child).json() }
        return (pieces, assignments.count == limit ? assignments.last?.id.description : nil)
    }

    /// Returns one JSON array for all children, read page by page.
    private func exported(
        _ children: [PersonID],
        _ page: @escaping @Sendable (PersonID, String?) async throws -> ExportedPage
    ) -> AsyncThrowingStream<[UInt8], any Error> {
        let reader = ExportReader(children: children)
        return AsyncThrowingStream { try await reader.next(page) }
    }
}

/// The position of a paged export.
private actor ExportReader {
    private var children: ArraySlice<PersonID>
    private var after: String?
    private var isFirst = true
    private var isOver = false

    init(children: [PersonID]) { self.children = children[...] }

    func next(
        _ page: @Sendable (PersonID, String?) async throws -> (pieces: [[UInt8]], next: String?)
    ) async throws -> [UInt8]? {
        guard !isOver else { return nil }
        var bytes: [UInt8] = []
        if after == nil, isFirst { bytes.append(UInt8(ascii: "[")) }
        guard let child = children.first else {
            isOver = true
            return bytes + Array("\n]\n".utf8)
        }
        let (pieces, next) = try await page(child, after)
        for piece in pieces {
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            bytes.append(UInt8(ascii: "\n"))
            bytes += piece
        }
        after = next
        if next == nil { children = children.dropFirst() }
        return bytes
    }
}

extension Encodable {
    fileprivate func json() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(self))
    }
}

private struct ExportedHousehold: Encodable {
    let createdAt: Instant?
    let parents: [String]
}

private struct ExportedRemoval: Encodable {
    let parentId: PersonID
    let parent: String
    let announcedById: PersonID
    let announcedBy: String
    let announcedAt: Instant?
    let effectiveAt: Instant?
    let refusedAt: Instant?
    let withdrawnAt: Instant?

    init(_ removal: StoredRemoval, _ names: [PersonID: String]) {
        parentId = removal.parent
        parent = names[removal.parent] ?? ""
        announcedById = removal.announcedBy
        announcedBy = names[removal.announcedBy] ?? ""
        announcedAt = removal.announcedAt
        effectiveAt = removal.effectiveAt
        refusedAt = removal.refusedAt
        withdrawnAt = nil
    }

    init(_ removal: WithdrawnRemoval, _ names: [PersonID: String]) {
        parentId = removal.parent
        parent = names[removal.parent] ?? ""
        announcedById = removal.announcedBy
        announcedBy = names[removal.announcedBy] ?? ""
        announcedAt = nil
        effectiveAt = nil
        refusedAt = nil
        withdrawnAt = removal.withdrawnAt
    }
}

private struct ExportedChild: Encodable {
    let id: PersonID
    let name: String
    let dateOfBirth: String
    let theme: String
    let avatarPictureId: String?
    let gainedPoints: Int64
    let achievementPoints: Int64
    let prizeLevel: Int
    let createdAt: Instant
    let deletedAt: Instant?

    init(_ child: Child, deletedAt: Instant? = nil) {
        self.deletedAt = deletedAt
        id = child.id
        name = child.name
        dateOfBirth = child.dateOfBirth
        theme = child.theme
        avatarPictureId = child.avatarPictureID?.description
        gainedPoints = child.gainedPoints
        achievementPoints = child.achievementPoints
        prizeLevel = child.prizeLevel
        createdAt = child.createdAt
    }
}

private struct ExportedChore: Encodable {
    let id: ID<Chore>
    let name: String
    let pictureId: String
    let createdAt: Instant

    init(_ chore: Chore) {
        id = chore.id
        name = chore.name
        pictureId = chore.pictureID.description
        createdAt = chore.createdAt
    }
}

private struct ExportedRequest: Encodable {
    let id: ID<ChoreRequest>
    let childId: PersonID
    let choreId: ID<Chore>
    let name: String
    let at: Instant

    init(_ request: ChoreRequest) {
        id = request.id
        childId = request.childID
        choreId = request.choreID
        name = request.name
        at = request.at
    }
}

private struct ExportedContract: Encodable {
    struct Level: Encodable {
        let reward: String
        let points: Int64
        let reachedAt: Instant?
        let handedOverAt: Instant?
    }

    let id: ID<Contract>
    let childId: PersonID
    let maxPoints: Int64
    let description: String?
    let gainedPoints: Int64
    let surplusPoints: Int64
    let createdAt: Instant
    let endedAt: Instant?
    let levels: [Level]

    init(_ contract: Contract, child: PersonID) {
        id = contract.id
        childId = child
        maxPoints = contract.maxPoints
        description = contract.description
        gainedPoints = contract.gainedPoints
        surplusPoints = contract.surplusPoints
        createdAt = contract.createdAt
        endedAt = contract.endedAt
        levels = contract.levels.map { level in
            Level(
                reward: level.reward, points: level.points, reachedAt: level.reachedAt,
                handedOverAt: level.handedOverAt
            )
        }
    }
}

private struct ExportedAssignment: Encodable {
    let id: ID<Assignment>
    let childId: PersonID
    let name: String
    let points: Int
    let at: Instant
    let by: String?
    let reversedAt: Instant?

    init(_ assignment: Assignment, child: PersonID) {
        id = assignment.id
        childId = child
        name = assignment.name
        points = assignment.points
        at = assignment.at
        by = assignment.byName
        reversedAt = assignment.reversedAt
    }
}
