import Kernel
import Recurrence

struct ExportedHousehold: Encodable {
    let createdAt: Instant?
    let parents: [String]
}

struct ExportedRemoval: Encodable {
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

struct ExportedChild: Encodable {
    let id: PersonID
    let name: String
    let dateOfBirth: String
    let theme: String
    let avatarPictureId: String?
    let gainedPoints: Int64
    let achievementPoints: Int64
    /// The achievement points that the child spent in the shop.
    let spentPoints: Int64
    /// The name of the reward that the child saves for.
    let savingGoal: String?
    let savingGoalRewardId: ID<ShopReward>?
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
        savingGoal = child.savingGoal?.name
        savingGoalRewardId = child.savingGoal?.rewardID
        spentPoints = child.achievementPoints - (child.spendablePoints ?? child.achievementPoints)
        prizeLevel = child.prizeLevel
        createdAt = child.createdAt
    }
}

struct ExportedChore: Encodable {
    let id: ID<Chore>
    let name: String
    let pictureId: String
    let automaticHours: Int64?
    let automaticPoints: Int64?
    let steps: [String]
    let needsPhoto: Bool
    let createdAt: Instant

    init(_ chore: Chore) {
        id = chore.id
        name = chore.name
        pictureId = chore.pictureID.description
        automaticHours = chore.automatic?.hours
        automaticPoints = chore.automatic?.points
        steps = chore.steps
        needsPhoto = chore.needsPhoto
        createdAt = chore.createdAt
    }
}

struct ExportedSchedule: Encodable {
    let choreId: ID<Chore>
    let childIds: [PersonID]
    let startsOn: String
    let dueTime: String?
    let rule: String?
    let distribution: String
    let offeredPoints: Int64?
    let graceMinutes: Int
    let remindMinutesBefore: Int?
    let remindsWhenOverdue: Bool
    let timeZone: String
    let skippedDates: [String]

    init(_ schedule: StoredSchedule, children: [PersonID], timeZone: String, skips: Set<LocalDate>) {
        choreId = schedule.chore.id
        childIds = children
        startsOn = schedule.startsOn.text
        dueTime = schedule.dueTime?.text
        rule = schedule.rule?.rfc5545
        distribution = schedule.distribution.rawValue
        offeredPoints = schedule.offeredPoints
        graceMinutes = schedule.reminders.graceMinutes
        remindMinutesBefore = schedule.reminders.minutesBefore
        remindsWhenOverdue = schedule.reminders.remindsWhenOverdue
        self.timeZone = timeZone
        skippedDates = skips.sorted().map(\.text)
    }
}

struct ExportedTurn: Encodable {
    let choreId: ID<Chore>
    let occurrence: String
    let childId: PersonID
    /// The child whose turn it was before a swap; `null` for a claimed one.
    let rotationChildId: PersonID?

    init(_ turn: Turn) {
        choreId = turn.choreID
        occurrence = turn.date.text
        childId = turn.childID
        rotationChildId = turn.rotationChildID
    }
}

struct ExportedPause: Encodable {
    let id: ID<Pause>
    /// `null` for all children.
    let childId: PersonID?
    let startsOn: String
    /// The last day; `null` until a parent ends it.
    let endsOn: String?

    init(_ pause: Pause) {
        id = pause.id
        childId = pause.childID
        startsOn = pause.startsOn.text
        endsOn = pause.endsOn?.text
    }
}

struct ExportedStreak: Encodable {
    let childId: PersonID
    let days: Int
    let bestDays: Int
    let freezes: Int

    init(_ streak: Streak) {
        childId = streak.childID
        days = streak.days
        bestDays = streak.bestDays
        freezes = streak.freezes
    }
}

struct ExportedReward: Encodable {
    let id: ID<ShopReward>
    let name: String
    let pictureId: String?
    let price: Int64
    let stock: Int64?
    let childIds: [PersonID]?
    let cooldownDays: Int?
    let needsApproval: Bool
    let createdAt: Instant

    init(_ reward: ShopReward) {
        id = reward.id
        name = reward.name
        pictureId = reward.pictureID?.description
        price = reward.price
        stock = reward.stock
        childIds = reward.children
        cooldownDays = reward.cooldownDays
        needsApproval = reward.needsApproval
        createdAt = reward.createdAt
    }
}

struct ExportedPurchase: Encodable {
    let id: ID<Purchase>
    let childId: PersonID
    let rewardId: ID<ShopReward>?
    let name: String
    let price: Int64
    let at: Instant
    let state: String
    let decidedAt: Instant?
    let decidedBy: String?

    init(_ purchase: Purchase) {
        id = purchase.id
        childId = purchase.childID
        rewardId = purchase.rewardID
        name = purchase.name
        price = purchase.price
        at = purchase.at
        state = purchase.state.rawValue
        decidedAt = purchase.decidedAt
        decidedBy = purchase.decidedByName
    }
}

struct ExportedWish: Encodable {
    let id: ID<Wish>
    let childId: PersonID
    let name: String
    let at: Instant

    init(_ wish: Wish) {
        id = wish.id
        childId = wish.childID
        name = wish.name
        at = wish.at
    }
}

struct ExportedRequest: Encodable {
    let id: ID<ChoreRequest>
    let childId: PersonID
    let choreId: ID<Chore>
    let name: String
    let at: Instant
    let occurrence: String?
    let automaticAt: Instant?
    let photoId: String?

    init(_ request: ChoreRequest) {
        id = request.id
        childId = request.childID
        choreId = request.choreID
        name = request.name
        at = request.at
        occurrence = request.occurrence?.text
        automaticAt = request.automaticAt
        photoId = request.photoID?.description
    }
}

struct ExportedDeclinedRequest: Encodable {
    let childId: PersonID
    let choreId: ID<Chore>
    let occurrence: String?
    let reason: String?
    let by: String?
    let at: Instant

    init(_ declined: DeclinedRequest) {
        childId = declined.childID
        choreId = declined.choreID
        occurrence = declined.occurrence?.text
        reason = declined.reason
        by = declined.byName
        at = declined.at
    }
}

struct ExportedContract: Encodable {
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

struct ExportedAssignment: Encodable {
    let id: ID<Assignment>
    let childId: PersonID
    let name: String
    let points: Int
    let at: Instant
    let by: String?
    let reversedAt: Instant?
    let occurrence: String?
    let automatic: Bool

    init(_ assignment: Assignment, child: PersonID) {
        id = assignment.id
        childId = child
        name = assignment.name
        points = assignment.points
        at = assignment.at
        by = assignment.byName
        reversedAt = assignment.reversedAt
        occurrence = assignment.occurrence?.text
        automatic = assignment.isAutomatic
    }
}
