import Accounts
import Kernel
import Pictures
import Recurrence
import Storage

/// Imports what a household plans: pauses, schedules, rewards and wishes. The household must be locked.
struct PlanImporter: Sendable {
    let schedules: ScheduleRecorder
    let renewal: TurnRenewal
    let random: any RandomSource

    /// Returns the entries of the preview.
    /// - Parameters:
    ///   - names: the names of the children in the archive.
    ///   - excess: the children for whom there is no room.
    ///   - excessChores: the same for chores.
    func entries(
        of plans: ImportedPlans, names: [PersonID: String], excess: Set<PersonID>, excessChores: Set<ID<Chore>>,
        _ copies: ImportedFamilyCopies, in tx: Transaction
    ) throws -> [ImportEntry] {
        let pauses = try plans.pauses.map { pause in
            ImportEntry(
                kind: .pause, name: pause.child.flatMap { names[$0] } ?? "",
                isHere: try copies.pause(pause.id, in: tx) != nil,
                isExcess: pause.child.map(excess.contains) ?? false)
        }
        let schedules = try plans.schedules.map { schedule in
            let chore = try copies.chore(schedule.choreID, in: tx)
            return ImportEntry(
                kind: .schedule, name: schedule.choreName,
                isHere: try chore.map { try ScheduleStore.present(of: $0, in: tx) != nil } ?? false,
                isExcess: excessChores.contains(schedule.choreID) || excess.isSuperset(of: schedule.children))
        }
        var room = ImportRoom(
            limit: Limits.rewardsPerHousehold,
            count: try copies.household.map { try RewardStore.count(of: $0, in: tx) } ?? 0)
        let rewards = try plans.rewards.map { reward in
            let isHere = try copies.reward(reward.id, in: tx) != nil
            return ImportEntry(
                kind: .reward, name: reward.draft.name, isHere: isHere, isExcess: !isHere && room.reserve(1) > 0)
        }
        let wishes = try plans.wishes.map { wish in
            ImportEntry(
                kind: .wish, name: wish.name,
                isHere: try copies.wish(wish.id, of: copies.child(wish.child, in: tx), in: tx) != nil,
                isExcess: excess.contains(wish.child))
        }
        return pauses + schedules + rewards + wishes
    }

    func add(
        _ pause: ImportedPlans.Pause, _ run: ImportRun, _ copies: ImportedFamilyCopies, now: Instant,
        in tx: Transaction
    ) throws {
        guard let household = copies.household, try copies.pause(pause.id, in: tx) == nil else { return }
        // The turns before the pause stay.
        let before = try renewal.begin(household, now: now, in: tx)
        let calendar = before.calendar
        let child = try pause.child.map { try copies.child($0, in: tx) }
        let count = try PauseStore.pauses(of: household, since: calendar.today, in: tx).count
        // Another copy of the child is gone, or the pause ended in this time zone.
        guard child != .some(nil), count < Limits.pausesPerHousehold, (pause.endsOn ?? .last) >= calendar.today else {
            return try run.refuse(in: tx)
        }
        let id = ID<Pause>(at: now, random: random)
        let input = PauseInput(
            child: child.flatMap(\.self)?.description, startsOn: max(pause.startsOn, calendar.today).text,
            endsOn: pause.endsOn?.text)
        guard let draft = try? PauseDraft(input, today: calendar.today) else { return try run.refuse(in: tx) }
        try PauseStore.insert(id, draft, of: household, now: now, in: tx)
        try renewal.finish(before, by: Self.actor(run, household), now: now, in: tx)
        try ImportRecords.insert(id, of: pause.id, kind: ImportedPlans.Pause.kind, by: run.person, in: tx)
        try FamilyEvents.publish("chore", FamilyEvents.pauses, of: household, now: now, in: tx)
    }

    func add(
        _ schedule: ImportedPlans.Schedule, _ run: ImportRun, _ copies: ImportedFamilyCopies, now: Instant,
        in tx: Transaction
    ) throws {
        let children = try schedule.children.compactMap { try copies.child($0, in: tx) }
        guard let household = copies.household, let chore = try copies.chore(schedule.choreID, in: tx),
            !children.isEmpty
        else { return try run.refuse(in: tx) }
        guard try ScheduleStore.present(of: chore, in: tx) == nil else { return }
        var input = schedule.input
        input.children = children.map(\.description)
        // The time zone of a household that has schedules stays.
        if try ScheduleStore.timeZone(of: household, in: tx) != nil { input.timeZone = nil }
        let draft = try ChoreScheduleDraft(input)
        for date in Set(schedule.skippedDates) { try SkipStore.insert(ChoreDate(chore: chore, date: date), in: tx) }
        try schedules.set(
            draft, of: chore, as: ID<StoredSchedule>(at: now, random: random), by: Self.actor(run, household),
            now: now, in: tx)
    }

    private static func actor(_ run: ImportRun, _ household: ID<Household>) -> HouseholdActor {
        HouseholdActor(person: run.person, household: household, role: .parent)
    }

    func add(
        _ reward: ImportedPlans.Reward, _ run: ImportRun, _ copies: ImportedFamilyCopies, now: Instant,
        in tx: Transaction
    ) throws {
        guard let household = copies.household, try copies.reward(reward.id, in: tx) == nil else { return }
        let children = try reward.draft.children?.compactMap { try copies.child($0, in: tx) }
        guard try RewardStore.count(of: household, in: tx) < Limits.rewardsPerHousehold, children != [] else {
            return try run.refuse(in: tx)
        }
        let draft = reward.draft
        let picture = try draft.pictureID.flatMap { try ImportedPictures.copy(of: $0, by: run.person, in: tx) }
        let added = ShopReward(
            id: ID(at: now, random: random), name: draft.name, pictureID: picture, price: draft.price,
            stock: draft.stock, children: children?.sorted(), cooldownDays: draft.cooldownDays,
            needsApproval: draft.needsApproval, version: 1, createdAt: now)
        try RewardStore.insert(added, household: household, in: tx)
        for child in try reward.savers.compactMap({ try copies.child($0, in: tx) }) where added.isFor(child) {
            let hasGoal = try SavingGoalStore.find(of: [child], in: tx)[child] != nil
            if !hasGoal { try SavingGoalStore.set(added.id, of: child, now: now, in: tx) }
        }
        try ImportRecords.insert(added.id, of: reward.id, kind: ImportedPlans.Reward.kind, by: run.person, in: tx)
        try FamilyEvents.publish(
            "reward", FamilyEvents.reward(added.id), version: 1, of: household, now: now, in: tx)
    }

    func add(
        _ wish: ImportedPlans.Wish, _ run: ImportRun, _ copies: ImportedFamilyCopies, now: Instant,
        in tx: Transaction
    ) throws {
        guard let household = copies.household, let child = try copies.child(wish.child, in: tx) else {
            return try run.refuse(in: tx)
        }
        guard try copies.wish(wish.id, of: child, in: tx) == nil else { return }
        guard try WishStore.count(of: child, in: tx) < Limits.wishesPerChild else { return try run.refuse(in: tx) }
        let added = Wish(id: ID(at: now, random: random), childID: child, name: wish.name, at: wish.at)
        try WishStore.insert(added, in: tx)
        try ImportRecords.insert(added.id, of: wish.id, kind: ImportedPlans.Wish.kind, by: run.person, in: tx)
        try FamilyEvents.publish(
            "wish", FamilyEvents.child(child), of: household, to: .parentsAnd(child), now: now, in: tx)
    }
}
