import Accounts
import Kernel
import Storage

/// The person who performs a use case, with their household and role.
struct HouseholdActor: Sendable, Hashable {
    let person: PersonID
    let household: ID<Household>
    let role: Member.Role

    /// - Throws: `AppError` as ``FamilyPolicy`` decides for an action on the household itself.
    func require(_ action: FamilyAction) throws {
        try require(action, .household)
    }

    func require(
        _ action: FamilyAction, _ relation: HouseholdRelation, as standing: HouseholdRole? = nil,
        orElse message: FamilyMessage? = nil
    ) throws {
        switch FamilyPolicy.verdict(standing ?? (role == .parent ? .parent : .child), relation, action) {
        case .allowed: return
        case .notFound: throw AppError.notFound
        case .forbidden: throw AppError(.forbidden, message ?? (role == .child ? .parentsOnly : .childrenOnly))
        }
    }

    /// Requires that a person is a parent of the household and that the actor may do the action with them.
    func require(
        _ action: FamilyAction, withParent parent: PersonID, orElse message: FamilyMessage, in tx: Transaction
    ) throws {
        let member = try HouseholdStore.member(parent, in: tx)
        let isThere = member.map { $0.household == household && $0.role == .parent } ?? false
        let relation: HouseholdRelation = isThere ? (parent == person ? .oneself : .household) : .stranger
        guard role == .parent else { return try require(action, relation) }
        let maker = try HouseholdStore.maker(of: household, in: tx)
        try require(action, relation, as: maker == person ? .maker : .parent, orElse: message)
    }

    /// Requires that a child exists in the household and that the actor may do the action with it.
    /// - Parameter deleted: whether a deleted child counts as existing.
    func require(_ action: FamilyAction, with child: PersonID, deleted: Bool = false, in tx: Transaction) throws {
        let member = try HouseholdStore.member(child, in: tx)
        try require(action, relation(to: member, deleted: deleted))
    }

    private func relation(to member: StoredMember?, deleted: Bool) -> HouseholdRelation {
        guard let member, member.household == household, member.role == .child,
            deleted || member.deletedAt == nil
        else { return .stranger }
        return member.person == person ? .oneself : .household
    }

    /// Returns a chore of the household.
    /// - Parameter deleted: whether a deleted chore counts as existing.
    /// - Throws: `AppError` as ``FamilyPolicy`` decides.
    func chore(
        _ id: ID<Chore>, for action: FamilyAction, deleted: Bool = false, in tx: Transaction
    ) throws -> StoredChore {
        let chore = try ChoreStore.find(id, in: tx)
        let isThere = chore.map { $0.household == household && (deleted || $0.deletedAt == nil) } ?? false
        try require(action, isThere ? .household : .stranger)
        guard let chore else { throw AppError.notFound }
        return chore
    }
}

/// Thrown when an adult isn't a member of any household.
struct NoHouseholdError: Error {}

extension FamilyService {
    /// Runs `body` in a read transaction for the actor.
    func reading<T: Sendable>(
        for actor: Actor, _ body: @escaping @Sendable (Transaction, HouseholdActor) throws -> T
    ) async throws -> T {
        try await entering(actor) { [self] in
            try await database.read { [self] tx in try body(tx, try householdActor(actor, in: tx)) }
        }
    }

    /// Runs `body` in a write transaction for the actor, with their household locked.
    func writing<T: Sendable>(
        by actor: Actor, _ body: @escaping @Sendable (Transaction, HouseholdActor) throws -> T
    ) async throws -> T {
        try await entering(actor) { [self] in
            try await database.write { [self] tx in try body(tx, try lockedHouseholdActor(actor, in: tx)) }
        }
    }

    /// Runs `body` in a write transaction for an action that requires a proof (``SensitiveAct``). `body` checks the
    /// proof after everything else. The actor's account is locked before the household, in the same order as in the
    /// deletion of an account.
    func writeWithProof<T: Sendable>(
        by actor: Actor, password: String?,
        _ body: @escaping @Sendable (Transaction, HouseholdActor, Evidence) throws -> T
    ) async throws -> T {
        let evidence = try await accounts.evidence(password: password, of: actor)
        return try await entering(actor) { [self] in
            try await database.write { [self] tx in
                try accounts.lock(actor, in: tx)
                return try body(tx, try lockedHouseholdActor(actor, in: tx), evidence)
            }
        }
    }

    /// Runs `work`. If an adult has no household, creates one and runs `work` again. Each transaction of `work` reads
    /// the membership again, because a cached one could be out of date.
    func entering<T: Sendable>(_ actor: Actor, _ work: () async throws -> T) async throws -> T {
        do {
            return try await work()
        } catch is NoHouseholdError {
            try await enter(actor)
            return try await work()
        }
    }

    func householdActor(_ actor: Actor, in tx: Transaction) throws -> HouseholdActor {
        guard let member = try HouseholdStore.member(actor.person, in: tx), member.deletedAt == nil else {
            guard actor.role == .adult else { throw AppError(.forbidden, .noHousehold) }
            throw NoHouseholdError()
        }
        if actor.role == .adult { try requireProfile(of: actor.person, in: tx) }
        return HouseholdActor(person: member.person, household: member.household, role: member.role)
    }

    func lockedHouseholdActor(_ actor: Actor, in tx: Transaction) throws -> HouseholdActor {
        var householdActor = try householdActor(actor, in: tx)
        // The person may move to another household while this transaction waits for the lock: check again.
        for _ in 0..<Limits.transactionAttempts {
            let isThere = try HouseholdStore.lock(householdActor.household, in: tx)
            let present = try self.householdActor(actor, in: tx)
            if isThere, present == householdActor { return householdActor }
            householdActor = present
        }
        throw AppError(.conflict, .movedOn)
    }
}

/// The change events of this module.
enum FamilyEvents {
    /// The members of a household who get an event.
    enum Audience: Sendable {
        case everybody
        case parents
        case parentsAnd(PersonID)

        func includes(_ member: StoredMember) -> Bool {
            switch self {
            case .everybody: true
            case .parents: member.role == .parent
            case .parentsAnd(let child): member.role == .parent || member.person == child
            }
        }
    }

    static func tell(
        _ kind: String, _ resource: String, version: Int64 = 0, of household: ID<Household>,
        to audience: Audience = .everybody, now: Instant, in tx: Transaction
    ) throws {
        let members = try HouseholdStore.members(of: household, in: tx).filter(audience.includes)
        try tx.publish(
            members.map { member in
                ChangeEvent(audience: member.person, kind: kind, resource: resource, version: version, at: now)
            }
        )
    }

    static func child(_ id: PersonID) -> String { "/family/children/\(id)" }
    static func chore(_ id: ID<Chore>) -> String { "/family/chores/\(id)" }
    static func request(_ request: ChoreRequest) -> String { "\(child(request.childID))/requests/\(request.id)" }
    static func parent(_ id: PersonID) -> String { "\(parents)/\(id)" }
    static let parents = "/family/parents"
    static func deletedChild(_ id: PersonID) -> String { "\(deletedChildren)/\(id)" }
    static let deletedChildren = "/family/deleted-children"
    static let account = "/family/account"
}

/// The limit and the start of a page.
enum Cursor {
    static func limit(_ wanted: Int) -> Int { min(max(wanted, 1), Limits.pageSizeMaximum) }

    static func id<Entity>(_ text: String?) throws -> ID<Entity>? {
        guard let text else { return nil }
        guard let id = ID<Entity>(text) else { throw AppError(.invalid, .cursorUnknown, field: "after") }
        return id
    }
}

extension FamilyPage {
    /// Makes a page from entries that were read with a limit of `limit + 1`: one entry too many means that there is a
    /// next page.
    init(_ read: [Entry], limit: Int, cursor: (Entry) -> String) {
        let items = Array(read.prefix(limit))
        self.init(items: items, next: read.count > limit ? items.last.map(cursor) : nil)
    }
}
