import Family
import Kernel
import Pictures
import WebCore

/// A child's card on a parent's dashboard.
struct ChildCard: Sendable {
    let id: String
    let childURL: String
    let childName: String
    /// The small size; `nil` without an avatar.
    let cardAvatarURL: String?
    let themeID: String
    let hasContract: Bool
    /// `6 of 10`.
    let gainedText: String
    /// `18`, which the child can spend in the shop: shown without a contract.
    let spendableText: String
    let gainedValue: Int64
    let maximumValue: Int64
    /// `48 in all`.
    let inAllText: String
    /// `Level 2`.
    let levelText: String
    /// The number of open requests as text; `nil` for none.
    let waitingText: String?
    /// The oldest requests, with buttons to decide on them.
    let requests: [RequestRow]
    let hasRequests: Bool
    /// The text of the link to the other requests; `nil` if the card shows all.
    let moreRequestsText: String?

    /// The number of requests that a card shows.
    private static let requestsShown = 3

    init(
        _ child: Child, requests asked: [ChoreRequest], offers: [ID<ChoreRequest>: Int64], key: String, t: Translator,
        formatter: FamilyFormatter
    ) {
        let waiting = asked.count
        requests = asked.prefix(Self.requestsShown).map {
            RequestRow(
                $0, offered: offers[$0.id], key: key, from: RequestRow.dashboard, t: t, formatter: formatter)
        }
        hasRequests = waiting > 0
        moreRequestsText =
            waiting > Self.requestsShown ? t("Show all {n}", ["n": String(waiting)]) : nil
        id = child.id.description
        childURL = FamilyPath.child(child.id)
        childName = child.name
        cardAvatarURL = child.avatarPictureID.map { FamilyPath.picture($0, size: .small) }
        themeID = child.theme
        hasContract = child.contract != nil
        gainedValue = child.gainedPoints
        maximumValue = child.contract?.maxPoints ?? 1
        gainedText = formatter.gained(child)
        spendableText = t("{points} to spend", ["points": formatter.points(child.spendablePoints ?? 0)])
        inAllText = t("{n} in all", ["n": formatter.number(child.achievementPoints)])
        levelText = t("Level {n}", ["n": String(child.prizeLevel)])
        waitingText =
            waiting == 0 ? nil : t("{n} chore to approve", plural: "{n} chores to approve", count: waiting)
    }
}

/// A level of a contract, for parents and children.
struct LevelRow: Sendable {
    let levelNumber: Int
    /// `Level 2`.
    let levelTitle: String
    let rewardText: String
    /// `Reached`, `4 to go`, `Lost again · 4 to go`.
    let levelState: String
    /// `at 6`.
    let thresholdText: String
    let isReached: Bool
    let isLost: Bool
    let isHandedOver: Bool
    let handoverMoment: FormattedTime?
    /// Whether the reader can mark the reward as handed over: only a parent, and only for a reached level.
    let canHandOver: Bool
    /// The address for PUT, or for DELETE if the reward is marked as handed over.
    let handoverURL: String
    let handoverLabel: String
    let idempotencyKey: String

    /// - Parameter isParent: whether the reader is a parent.
    init(
        _ level: RewardLevel, of contract: Contract, child: PersonID, isParent: Bool, key: String, t: Translator,
        formatter: FamilyFormatter
    ) {
        levelNumber = level.number
        levelTitle = t("Level {n}", ["n": String(level.number)])
        rewardText = level.reward
        isReached = level.isReached
        isLost = level.wasLost
        isHandedOver = level.handedOverAt != nil
        handoverMoment = level.handedOverAt.map { FormattedTime($0, formatter.times) }
        let left = max(0, level.threshold - contract.gainedPoints)
        let toGo = t("{n} to go", ["n": formatter.number(left)])
        levelState =
            level.isReached ? t("Reached") : level.wasLost ? [t("Lost again"), toGo].isolated(separator: " · ") : toGo
        thresholdText = t("at {n}", ["n": formatter.number(level.threshold)])
        canHandOver = isParent && (level.isReached || level.handedOverAt != nil)
        let method = isHandedOver ? "delete" : "put"
        handoverURL =
            "\(FamilyPath.contracts(of: child))/\(contract.id)/levels/\(level.number)/handover?_method=\(method)"
        handoverLabel = Translator.filled(
            t("“{reward}” handed over"),
            ["reward": level.reward])
        idempotencyKey = key
    }
}

/// A contract with its levels, for parents and children.
struct ContractView: Sendable {
    let contractID: String
    let hasDescription: Bool
    let descriptionText: String
    /// `6 of 10`.
    let progressText: String
    let progressValue: Int64
    let progressMaximum: Int64
    let levels: [LevelRow]
    /// The text about points above the maximum; empty for none.
    let surplusText: String
    let hasSurplus: Bool
    /// The number of reached levels.
    let reachedLevels: Int
    let beganMoment: FormattedTime
    let endedMoment: FormattedTime?

    init(
        _ contract: Contract, child: PersonID, isParent: Bool, key: String, t: Translator, formatter: FamilyFormatter
    ) {
        contractID = contract.id.description
        descriptionText = contract.description ?? ""
        hasDescription = contract.description != nil
        progressText = t(
            "{n} of {max}", ["n": formatter.number(contract.gainedPoints), "max": formatter.number(contract.maxPoints)])
        progressValue = contract.gainedPoints
        progressMaximum = contract.maxPoints
        levels = contract.levels.map {
            LevelRow(
                $0, of: contract, child: child, isParent: isParent && contract.endedAt == nil, key: key, t: t,
                formatter: formatter)
        }
        hasSurplus = contract.surplusPoints > 0
        surplusText = hasSurplus ? formatter.surplus(contract.surplusPoints) : ""
        reachedLevels = contract.prizeLevel
        beganMoment = FormattedTime(contract.createdAt, formatter.times)
        endedMoment = contract.endedAt.map { FormattedTime($0, formatter.times) }
    }
}

/// An assignment, for parents and children.
struct AssignmentRow: Sendable {
    let id: String
    let choreName: String
    let chorePictureURL: String
    /// `+2`.
    let pointsText: String
    let bookedMoment: FormattedTime
    /// `by Ada`; empty if the parent's account was deleted.
    let byText: String
    let isUndone: Bool
    /// Whether the reader can undo it: only a parent, and only an assignment that isn't undone.
    let canUndo: Bool
    let undoURL: String
    let undoLabel: String
    let undoQuestion: String
    let idempotencyKey: String

    init(
        _ assignment: Assignment, child: PersonID, isParent: Bool, key: String, t: Translator,
        formatter: FamilyFormatter
    ) {
        id = assignment.id.description
        choreName = assignment.name
        chorePictureURL = FamilyPath.picture(assignment.pictureID, size: .small)
        pointsText = t("+{n}", ["n": String(assignment.points)])
        bookedMoment = FormattedTime(assignment.at, formatter.times)
        byText =
            assignment.isAutomatic
            ? t("given automatically") : assignment.byName.map { t("by {name}", ["name": $0]) } ?? ""
        isUndone = assignment.reversedAt != nil
        canUndo = isParent && assignment.reversedAt == nil
        undoURL = "\(FamilyPath.assignments(of: child))/\(assignment.id)?_method=delete"
        let points = formatter.points(Int64(assignment.points))
        undoLabel = t("Undo {points} for “{chore}”", ["points": points, "chore": assignment.name])
        undoQuestion = t("Take back {points} for “{chore}”?", ["points": points, "chore": assignment.name])
        idempotencyKey = key
    }
}

/// A child's request for the points of a chore.
struct RequestRow: Sendable {
    let id: String
    let choreName: String
    let chorePictureURL: String
    let askedMoment: FormattedTime
    /// When its points are given automatically; `nil` if a parent has to decide.
    let automaticMoment: FormattedTime?
    let approvalURL: String
    let declineURL: String
    /// The page that asks for the reason before it declines.
    let declinePageURL: String
    let declineLabel: String
    let choices: [PointsChoice]
    let idempotencyKey: String
    let requestURL: String
    /// The page to return to after the decision: ``dashboard``, ``waiting``, or empty for the child's.
    let from: String
    /// The label of the checkbox that chooses it among others; `nil` where several can't be approved at once.
    let chooseLabel: String?

    /// `3 points`, which were promised in advance; `nil` for none.
    let offerText: String?

    init(
        _ request: ChoreRequest, offered: Int64? = nil, key: String, from: String = "", t: Translator,
        formatter: FamilyFormatter
    ) {
        offerText = offered.map(formatter.points)
        id = request.id.description
        choreName = request.name
        chorePictureURL = FamilyPath.picture(request.photoID ?? request.pictureID, size: .small)
        askedMoment = FormattedTime(request.at, formatter.times)
        automaticMoment = request.automaticAt.map { FormattedTime($0, formatter.times) }
        let url = FamilyPath.request(request.id, of: request.childID)
        requestURL = url
        self.from = from
        chooseLabel = from == Self.waiting ? t("Choose “{chore}”", ["chore": request.name]) : nil
        approvalURL = url + "/approval"
        declineURL = url + "?_method=delete"
        declinePageURL = Self.declinePage(of: request, from: from)
        declineLabel = t("Decline “{chore}”", ["chore": request.name])
        choices = Limits.chorePoints.map { points in
            PointsChoice(
                pointsValue: points,
                choiceLabel: t(
                    "Give {points} for “{chore}”", ["points": formatter.points(points), "chore": request.name]),
                isOffered: points == offered)
        }
        idempotencyKey = key
    }
}

extension RequestRow {
    /// The value of ``from`` for the dashboard.
    static let dashboard = "dashboard"
    /// The value of ``from`` for the page *Today*.
    static let today = "today"
    /// The value of ``from`` for the page of all open requests.
    static let waiting = "waiting"

    /// Returns the page that asks for the reason before it declines, and returns to the page `from`.
    static func declinePage(of request: ChoreRequest, from: String) -> String {
        FamilyPath.request(request.id, of: request.childID) + "?view=decline&from=\(from)"
    }
}

/// One of the buttons for 1, 2 and 3 points.
struct PointsChoice: Sendable {
    let pointsValue: Int64
    let choiceLabel: String
    /// Whether the children were shown these points in advance.
    var isOffered = false
}
