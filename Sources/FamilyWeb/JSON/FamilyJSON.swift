import Family
import Kernel
import Pictures
import WebCore

/// A child in the JSON API.
struct ChildJSON: Encodable {
    let id: PersonID
    let name: String
    let dateOfBirth: String
    let theme: String
    @Nullable var avatarPictureId: ID<Picture>?
    let gainedPoints: Int64
    let achievementPoints: Int64
    @Nullable var spendablePoints: Int64?
    @Nullable var savingGoal: SavingGoalJSON?
    let prizeLevel: Int
    @Nullable var contract: ContractJSON?
    @Nullable var deviceCount: Int?
    let version: Int64
    let createdAt: Instant

    init(_ child: Child) {
        id = child.id
        name = child.name
        dateOfBirth = child.dateOfBirth
        theme = child.theme
        gainedPoints = child.gainedPoints
        achievementPoints = child.achievementPoints
        prizeLevel = child.prizeLevel
        version = child.version
        createdAt = child.createdAt
        avatarPictureId = child.avatarPictureID
        contract = child.contract.map(ContractJSON.init)
        deviceCount = child.deviceCount
        spendablePoints = child.spendablePoints
        savingGoal = child.savingGoal.map(SavingGoalJSON.init)
    }
}

/// A contract in the JSON API.
struct ContractJSON: Encodable {
    let id: ID<Contract>
    let maxPoints: Int64
    @Nullable var description: String?
    let levels: [RewardLevelJSON]
    let gainedPoints: Int64
    let surplusPoints: Int64
    let prizeLevel: Int
    let version: Int64
    let createdAt: Instant
    @Nullable var endedAt: Instant?

    init(_ contract: Contract) {
        id = contract.id
        maxPoints = contract.maxPoints
        levels = contract.levels.map(RewardLevelJSON.init)
        gainedPoints = contract.gainedPoints
        surplusPoints = contract.surplusPoints
        prizeLevel = contract.prizeLevel
        version = contract.version
        createdAt = contract.createdAt
        description = contract.description
        endedAt = contract.endedAt
    }
}

/// A level of a contract in the JSON API.
struct RewardLevelJSON: Encodable {
    let number: Int
    let reward: String
    let points: Int64
    let threshold: Int64
    let reached: Bool
    let lost: Bool
    @Nullable var reachedAt: Instant?
    @Nullable var handedOverAt: Instant?

    init(_ level: RewardLevel) {
        number = level.number
        reward = level.reward
        points = level.points
        threshold = level.threshold
        reached = level.isReached
        lost = level.wasLost
        reachedAt = level.reachedAt
        handedOverAt = level.handedOverAt
    }
}

/// A chore in the JSON API.
struct ChoreJSON: Encodable {
    let id: ID<Chore>
    let name: String
    let pictureId: ID<Picture>
    @Nullable var automaticHours: Int64?
    @Nullable var automaticPoints: Int64?
    let steps: [String]
    let needsPhoto: Bool
    let version: Int64
    let createdAt: Instant

    init(_ chore: Chore) {
        id = chore.id
        name = chore.name
        pictureId = chore.pictureID
        version = chore.version
        createdAt = chore.createdAt
        steps = chore.steps
        needsPhoto = chore.needsPhoto
        automaticHours = chore.automatic?.hours
        automaticPoints = chore.automatic?.points
    }
}

/// A chore that was just saved, in the JSON API.
struct SavedChoreJSON: Encodable {
    private enum Key: String, CodingKey {
        case hasTwin
    }

    private let saved: SavedChore

    init(_ saved: SavedChore) { self.saved = saved }

    func encode(to encoder: any Encoder) throws {
        try ChoreJSON(saved.chore).encode(to: encoder)
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(saved.hasTwin, forKey: .hasTwin)
    }
}

/// The id and name of a member of the household in the JSON API.
struct NamedJSON: Encodable {
    let id: PersonID
    @Nullable var name: String?

    init(id: PersonID, name: String?) {
        self.id = id
        self.name = name
    }
}

/// An assignment in the JSON API.
struct AssignmentJSON: Encodable {
    let id: ID<Assignment>
    @Nullable var choreId: ID<Chore>?
    let name: String
    let pictureId: ID<Picture>
    let points: Int
    let at: Instant
    @Nullable var by: NamedJSON?
    @Nullable var reversedAt: Instant?
    @Nullable var contractId: ID<Contract>?
    @Nullable var occurrence: String?
    let automatic: Bool

    init(_ assignment: Assignment) {
        id = assignment.id
        name = assignment.name
        pictureId = assignment.pictureID
        points = assignment.points
        at = assignment.at
        automatic = assignment.isAutomatic
        choreId = assignment.choreID
        by = assignment.byID.map { NamedJSON(id: $0, name: assignment.byName) }
        reversedAt = assignment.reversedAt
        contractId = assignment.contractID
        occurrence = assignment.occurrence?.text
    }
}

/// A request for points in the JSON API.
struct ChoreRequestJSON: Encodable {
    let id: ID<ChoreRequest>
    let childId: PersonID
    let choreId: ID<Chore>
    let name: String
    let pictureId: ID<Picture>
    let at: Instant
    @Nullable var occurrence: String?
    @Nullable var automaticAt: Instant?
    @Nullable var photoId: ID<Picture>?

    init(_ request: ChoreRequest) {
        id = request.id
        childId = request.childID
        choreId = request.choreID
        name = request.name
        pictureId = request.pictureID
        at = request.at
        occurrence = request.occurrence?.text
        automaticAt = request.automaticAt
        photoId = request.photoID
    }
}

/// A parent in the JSON API.
struct MemberJSON: Encodable {
    let id: PersonID
    let name: String
    @Nullable var dateOfBirth: String?
    let theme: String
    @Nullable var avatarPictureId: ID<Picture>?
    let role: String
    let version: Int64

    /// - Parameter isForChild: whether the reader is a child. Children don't get their parents' dates of birth.
    init(_ member: Member, isForChild: Bool = false) {
        id = member.id
        name = member.name
        theme = member.theme
        role = member.role.rawValue
        version = member.version
        dateOfBirth = isForChild ? nil : member.dateOfBirth
        avatarPictureId = member.avatarPictureID
    }
}
