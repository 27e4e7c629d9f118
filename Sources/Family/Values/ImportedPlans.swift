import Accounts
import Kernel
import Pictures
import Recurrence

/// What the family of an archive plans, checked by the rules of the forms. Plans of deleted children are left out.
struct ImportedPlans: Sendable {
    struct Schedule: Sendable {
        let choreID: ID<Chore>
        let choreName: String
        let children: [PersonID]
        let input: ChoreScheduleInput
        let skippedDates: [LocalDate]
    }

    struct Pause: Sendable {
        static let kind = "pause"

        let id: ID<Family.Pause>
        /// `nil` for all children.
        let child: PersonID?
        let startsOn: LocalDate
        let endsOn: LocalDate?
    }

    struct Reward: Sendable {
        static let kind = "reward"

        let id: ID<ShopReward>
        let draft: ShopRewardDraft
        /// The children who save for it.
        let savers: [PersonID]
    }

    struct Wish: Sendable {
        static let kind = "wish"

        let id: ID<Family.Wish>
        let child: PersonID
        let name: String
        let at: Instant
    }

    let schedules: [Schedule]
    /// The present and coming ones.
    let pauses: [Pause]
    let rewards: [Reward]
    let wishes: [Wish]
    let streaks: [PersonID: Streak]

    /// - Parameters:
    ///   - chores: the names of the chores in the archive.
    ///   - children: those of the archive that aren't deleted.
    ///   - goals: the rewards that they save for.
    /// - Throws: ``ImportArchive/refused``.
    init(
        _ archive: ImportArchive, chores: [ID<Chore>: String], children: Set<PersonID>,
        goals: [PersonID: ID<ShopReward>], now: Instant
    ) async throws {
        let savers = Dictionary(grouping: goals.keys.sorted()) { goals[$0] }
        schedules = try await archive.list(
            "family/schedules.json", atMost: Limits.choresPerHousehold, uniqueBy: "choreId"
        ).compactMap {
            try Schedule($0, chores: chores, children: children)
        }
        // The first day of any time zone.
        let today = try LocalTimeZone("UTC").date(at: now).adding(days: -1)
        pauses = try await archive.list("family/pauses.json", atMost: Limits.pausesPerHousehold)
            .map(Pause.init).filter { pause in
                (pause.endsOn ?? .last) >= today && pause.child.map(children.contains) ?? true
            }
        rewards = try await archive.list("family/rewards.json", atMost: Limits.rewardsPerHousehold)
            .compactMap { object in
                try Reward(object) { savers[$0] ?? [] }
            }.filter { $0.draft.children.map { !children.isDisjoint(with: $0) } ?? true }
        let wishLimit = Limits.importedChildren * Limits.wishesPerChild
        wishes = try await archive.list("family/wishes.json", atMost: wishLimit).map { try Wish($0, now: now) }
            .filter { children.contains($0.child) }
        let kept = try await archive.list(
            "family/streaks.json", atMost: Limits.importedChildren, uniqueBy: "childId"
        ).map(Streak.init)
        streaks = Dictionary(kept.map { ($0.childID, $0) }) { first, _ in first }
        let wishCounts = Dictionary(grouping: wishes, by: \.child).mapValues(\.count)
        guard wishCounts.values.allSatisfy({ $0 <= Limits.wishesPerChild }) else { throw ImportArchive.refused }
    }

    fileprivate static func date(_ object: ImportObject, _ name: MemberName) throws -> LocalDate? {
        guard let text = object.text(name) else { return nil }
        guard let date = LocalDate(text) else { throw ImportArchive.refused }
        return date
    }
}

extension ImportedPlans.Schedule {
    /// Returns `nil` for a chore or children that the archive doesn't have.
    fileprivate init?(_ object: ImportObject, chores: [ID<Chore>: String], children known: Set<PersonID>) throws {
        choreID = try object.requiredID("choreId")
        let typed = try object.texts("childIds", atMost: Limits.childrenPerHousehold)
        // The schedule of deleted children.
        guard !typed.isEmpty else { return nil }
        input = ChoreScheduleInput(
            children: typed, startsOn: object.text("startsOn"), dueTime: object.text("dueTime"),
            rule: object.text("rule"), distribution: object.text("distribution"),
            offeredPoints: try object.integer("offeredPoints").map(Int64.init),
            graceMinutes: try object.integer("graceMinutes").map(Int64.init),
            remindMinutesBefore: try object.integer("remindMinutesBefore").map(Int64.init),
            remindsWhenOverdue: try object.flag("remindsWhenOverdue") ?? false, timeZone: object.text("timeZone"))
        // Archives of versions before have none.
        skippedDates = try object.texts("skippedDates", atMost: Limits.skipsPerChore).map { text in
            guard let date = LocalDate(text) else { throw ImportArchive.refused }
            return date
        }
        let draft = try ImportedFamily.check { [input] in try ChoreScheduleDraft(input) }
        children = draft.children.filter(known.contains)
        guard let name = chores[choreID], !children.isEmpty else { return nil }
        choreName = name
    }
}

extension ImportedPlans.Pause {
    fileprivate init(_ object: ImportObject) throws {
        id = try object.requiredID("id")
        child = try object.id("childId")
        guard let start = try ImportedPlans.date(object, "startsOn") else { throw ImportArchive.refused }
        startsOn = start
        endsOn = try ImportedPlans.date(object, "endsOn")
        if let endsOn, endsOn < startsOn { throw ImportArchive.refused }
    }
}

extension ImportedPlans.Reward {
    /// Returns `nil` for a reward of deleted children only.
    fileprivate init?(_ object: ImportObject, savers: (ID<ShopReward>) -> [PersonID]) throws {
        id = try object.requiredID("id")
        let typed =
            object.has("childIds") ? try object.texts("childIds", atMost: Limits.childrenPerHousehold) : nil
        guard typed != [] else { return nil }
        let input = ShopRewardInput(
            name: object.text("name"), pictureID: try object.id("pictureId"),
            price: try object.integer("price").map(Int64.init), stock: try object.integer("stock").map(Int64.init),
            children: typed, cooldownDays: try object.integer("cooldownDays").map(Int64.init),
            needsApproval: try object.flag("needsApproval") ?? true)
        draft = try ImportedFamily.check { try ShopRewardDraft(input) }
        self.savers = savers(id)
    }
}

extension ImportedPlans.Wish {
    fileprivate init(_ object: ImportObject, now: Instant) throws {
        id = try object.requiredID("id")
        child = try object.requiredID("childId")
        let typed = object.text("name")
        name = try ImportedFamily.check {
            var problems = FieldErrors<FamilyMessage>()
            let name = ShopRewardDraft.name(typed, &problems)
            try problems.finish()
            return name
        }
        at = ImportedFamily.past(try object.instant("at"), now: now) ?? now
    }
}

extension Streak {
    fileprivate init(_ object: ImportObject) throws {
        childID = try object.requiredID("childId")
        days = try object.integer("days") ?? 0
        bestDays = try object.integer("bestDays") ?? 0
        freezes = try object.integer("freezes") ?? 0
        guard Limits.importedStreakDays.contains(days), Limits.importedStreakDays.contains(bestDays),
            days <= bestDays, (0...Limits.streakFreezes).contains(freezes)
        else { throw ImportArchive.refused }
    }
}
