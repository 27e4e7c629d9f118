import Accounts
import Kernel
import Pictures

/// The family of an archive, checked by the rules of the forms.
struct ImportedFamily: Sendable {
    struct Chore: Sendable {
        static let kind = "chore"

        let id: ID<Family.Chore>
        let name: String
        let pictureID: ID<Picture>
        let automatic: AutomaticPoints?
        let steps: [String]
        let needsPhoto: Bool
    }

    struct Child: Sendable {
        static let kind = "child"

        let id: PersonID
        let profile: ChildProfile
        let pictureID: ID<Picture>?
        let points: Int64
        /// At most ``points``.
        let spentPoints: Int64
        /// The reward that it saves for.
        let goal: ID<ShopReward>?
    }

    struct Contract: Sendable {
        static let kind = "contract"

        let id: ID<Family.Contract>
        let child: PersonID
        let draft: ContractDraft
        let points: Int64
        let createdAt: Instant
        let endedAt: Instant?
        /// The times of each level, from the first.
        let levels: [(reachedAt: Instant?, handedOverAt: Instant?)]
    }

    let chores: [Chore]
    /// Without deleted children.
    let children: [Child]
    /// The contracts of these children, the oldest first.
    let contracts: [Contract]
    let plans: ImportedPlans

    var isEmpty: Bool { chores.isEmpty && children.isEmpty && plans.rewards.isEmpty }

    /// - Throws: ``ImportArchive/refused``.
    init(_ archive: ImportArchive, now: Instant) async throws {
        chores = try await archive.list("family/chores.json", atMost: Limits.choresPerHousehold).map(Chore.init)
        children = try await archive.list("family/children.json", atMost: Limits.importedChildren)
            .filter { try $0.instant("deletedAt") == nil }.map { try Child($0, now: now) }
        let known = Set(children.map(\.id))
        contracts = try await archive.list("family/contracts.json", atMost: Limits.importedContractsOfHousehold)
            .filter { try known.contains($0.requiredID("childId")) }
            .map { try Contract($0, now: now) }
            .sorted { $0.createdAt < $1.createdAt }
        plans = try await ImportedPlans(
            archive, chores: Dictionary(chores.map { ($0.id, $0.name) }) { first, _ in first }, children: known,
            goals: Dictionary(children.compactMap { child in child.goal.map { (child.id, $0) } }) { first, _ in first },
            now: now)
        let counts = Dictionary(grouping: contracts, by: \.child).mapValues(\.count)
        guard children.count <= Limits.childrenPerHousehold,
            counts.values.allSatisfy({ $0 <= Limits.importedContracts })
        else { throw ImportArchive.refused }
    }

    /// Runs a check of a form. Its error is one of the archive.
    static func check<T>(_ work: () throws -> T) throws -> T {
        do {
            return try work()
        } catch let error as AppError where error.code == .invalid {
            throw ImportArchive.refused
        }
    }

    static func points(_ points: Int?) throws -> Int64 {
        let points = Int64(points ?? 0)
        guard Limits.importedPoints.contains(points) else { throw ImportArchive.refused }
        return points
    }

    /// Returns a time that isn't in the future.
    static func past(_ instant: Instant?, now: Instant) -> Instant? { instant.map { min($0, now) } }
}

extension ImportedFamily.Chore {
    fileprivate init(_ object: ImportObject) throws {
        id = try object.requiredID("id")
        let picture = try object.requiredID("pictureId", of: Picture.self)
        let typed = object.text("name")
        let hours = try object.integer("automaticHours").map(Int64.init)
        let points = try object.integer("automaticPoints").map(Int64.init)
        let typedSteps = try object.texts("steps", atMost: Limits.choreSteps)
        let typedPhoto = try object.flag("needsPhoto") ?? false
        let draft = try ImportedFamily.check {
            try ChoreDraft(
                ChoreInput(
                    name: typed, pictureID: picture, automaticHours: hours, automaticPoints: points,
                    steps: typedSteps, needsPhoto: typedPhoto))
        }
        automatic = draft.automatic.applied(to: nil)
        steps = draft.steps ?? []
        needsPhoto = draft.needsPhoto ?? false
        guard let name = draft.name else { throw ImportArchive.refused }
        self.name = name
        pictureID = picture
    }
}

extension ImportedFamily.Child {
    fileprivate init(_ object: ImportObject, now: Instant) throws {
        id = try object.requiredID("id")
        let profile = ChildProfile(
            name: object.text("name"), dateOfBirth: object.text("dateOfBirth"), theme: object.text("theme"))
        _ = try ImportedFamily.check { try ValidatedChildProfile(profile, now: now) }
        self.profile = profile
        pictureID = try object.id("avatarPictureId")
        points = try ImportedFamily.points(object.integer("achievementPoints"))
        spentPoints = try ImportedFamily.points(object.integer("spentPoints"))
        goal = try object.id("savingGoalRewardId")
        guard spentPoints <= points else { throw ImportArchive.refused }
    }
}

extension ImportedFamily.Contract {
    fileprivate init(_ object: ImportObject, now: Instant) throws {
        id = try object.requiredID("id")
        child = try object.requiredID("childId")
        let levels = try object.list("levels", atMost: Limits.contractLevels)
        let input = ContractInput(
            maxPoints: try object.integer("maxPoints").map(Int64.init), description: object.text("description"),
            levels: try levels.map { level in
                LevelInput(reward: level.text("reward"), points: try level.integer("points").map(Int64.init))
            })
        draft = try ImportedFamily.check { try ContractDraft(input) }
        let gained = try ImportedFamily.points(object.integer("gainedPoints"))
        let surplus = try ImportedFamily.points(object.integer("surplusPoints"))
        points = gained + surplus
        createdAt = ImportedFamily.past(try object.instant("createdAt"), now: now) ?? now
        endedAt = ImportedFamily.past(try object.instant("endedAt"), now: now)
        self.levels = try levels.map { level in
            (
                ImportedFamily.past(try level.instant("reachedAt"), now: now),
                ImportedFamily.past(try level.instant("handedOverAt"), now: now)
            )
        }
        // Points are never taken away, so a level that was reached has its points.
        let areLevelsRight = zip(self.levels, draft.levels).allSatisfy { level, rule in
            (level.handedOverAt == nil || level.reachedAt != nil)
                && (level.reachedAt == nil || gained >= rule.threshold)
        }
        let isEndRight = endedAt.map { $0 >= createdAt } ?? true
        guard areLevelsRight, isEndRight, max(gained, surplus) <= Limits.contractPoints else {
            throw ImportArchive.refused
        }
    }
}
