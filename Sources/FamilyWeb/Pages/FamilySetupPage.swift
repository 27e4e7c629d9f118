import Accounts
import Family
import Kernel
import Pictures
import Recurrence
import WebCore

/// The typed values of the form of the set-up, to show them again after an error.
struct FamilySetupFormState: Sendable {
    var name = ""
    var dateOfBirth = ""
    var age = StarterChore.Age.five
    /// The chosen chores of each age. Those of the chosen age count.
    var chores: [StarterChore.Age: Set<StarterChore>] = [:]
    var hasReward = true
    var reward: String
    var points: String
    var timeZone = ""
    /// Whether the request names a chore that the catalogue lacks.
    private(set) var hasUnknownChore = false

    init(_ t: Translator) {
        for age in StarterChore.Age.allCases { chores[age] = age.suggested }
        let suggested = StarterReward.suggested(for: age)
        reward = suggested.name(t)
        points = String(suggested.suggestedPrice)
    }

    init(_ fields: inout Fields) {
        name = fields.typed("name")
        dateOfBirth = fields.typed("dateOfBirth")
        hasReward = fields.boolean("hasReward").value ?? false
        reward = fields.typed("reward")
        points = fields.typed("points").trimmingSpaces()
        timeZone = fields.typed("timeZone")
        age = Int(fields.typed("age")).flatMap { StarterChore.Age(rawValue: $0) } ?? .five
        for age in StarterChore.Age.allCases {
            let field = "chores.\(age.rawValue)"
            let ids = fields.strings(field, atMost: StarterChore.allCases.count).value ?? []
            let known = ids.compactMap { StarterChore(rawValue: $0) }
            if known.count < ids.count { hasUnknownChore = true }
            chores[age] = Set(known)
        }
    }

    /// The input for the service. Points that aren't a number are out of range there. A time zone that the server
    /// doesn't know is a browser's, not a person's, mistake.
    func setup(_ t: Translator) -> FamilySetup {
        let chosen = chores[age] ?? []
        return FamilySetup(
            child: ChildProfile(name: name, dateOfBirth: dateOfBirth),
            chores: Dictionary(uniqueKeysWithValues: chosen.map { ($0, $0.name(t)) }),
            reward: hasReward ? LevelInput(reward: reward, points: Int64(points)) : nil,
            timeZone: (try? LocalTimeZone(timeZone)) == nil ? nil : timeZone)
    }
}

/// The page that sets up Family for a child.
struct FamilySetupPage: Sendable {
    let shell: Shell
    let formAction: String
    let problem: String?
    let nameField: FamilyField
    let dateField: FamilyField
    let ages: [SetupAge]
    let choresMessage: String?
    let hasReward: Bool
    let rewardField: FamilyField
    let pointsField: FamilyField

    init(_ context: SignedInContext, typed: FamilySetupFormState, error: AppError?) {
        let t = context.t
        shell = .modal(context, title: t("Set up Family"), back: FamilyPath.root, t)
        formAction = FamilyPath.setup
        let errors = FormErrors(error)
        problem = errors.message
        nameField = FamilyField(
            "name", label: t("Child’s name"), value: typed.name, message: errors["name"], isFocused: error == nil)
        dateField = FamilyField(
            "dateOfBirth", label: t("Date of birth"), type: "date", value: typed.dateOfBirth,
            earliest: BirthDateBounds.earliest, latest: BirthDateBounds.latest(context.web.clock.now),
            message: errors["dateOfBirth"])
        ages = StarterChore.Age.allCases.map { SetupAge($0, typed, context) }
        choresMessage = errors["chores"]
        hasReward = typed.hasReward
        rewardField = FamilyField(
            "reward", label: t("Reward", context: "for points"), value: typed.reward,
            placeholder: t("Cinema, a later bedtime …"), message: errors["reward"])
        pointsField = FamilyField(
            "points", label: t("Points"), value: typed.points, keyboard: "numeric",
            hint: t("A chore gives 1, 2 or 3 points."), message: errors["points"])
    }
}

/// An age with the chores and rewards that suit it.
struct SetupAge: Sendable {
    let ageValue: Int
    let ageText: String
    let isAgeChosen: Bool
    /// The reward that the form suggests for the age, and its points.
    let rewardName: String
    let rewardPoints: Int64
    let tiles: [SetupTile]
    let rewards: [SetupReward]

    init(_ age: StarterChore.Age, _ typed: FamilySetupFormState, _ context: SignedInContext) {
        let t = context.t
        ageValue = age.rawValue
        let next = StarterChore.Age.allCases.first { $0.rawValue > age.rawValue }
        ageText =
            next.map {
                t("{first} to {last}", ["first": String(age.rawValue), "last": String($0.rawValue - 1)])
            } ?? t("{n}+", ["n": String(age.rawValue)])
        isAgeChosen = typed.age == age
        let suggested = StarterReward.suggested(for: age)
        rewardName = suggested.name(t)
        rewardPoints = suggested.suggestedPrice
        let formatter = ScheduleFormatter(context)
        let today = LocalDate(String(context.web.clock.now.rfc3339.prefix(10)))
        tiles = age.offered.map { chore in
            SetupTile(
                choreID: chore.rawValue, choreName: chore.name(t),
                chorePictureURL: chore.pictureID.map { FamilyPath.picture($0, size: .small) } ?? "",
                choreDays: today.map { formatter.days(of: chore, from: $0) } ?? "",
                isChosen: typed.chores[age]?.contains(chore) ?? false)
        }
        rewards = StarterReward.suited(toYears: age.rawValue).map {
            SetupReward(rewardName: $0.name(t), rewardPoints: $0.suggestedPrice)
        }
    }
}

/// A chore that can be chosen, with the days on which it is planned.
struct SetupTile: Sendable {
    let choreID: String
    let choreName: String
    let chorePictureURL: String
    let choreDays: String
    let isChosen: Bool
}

/// A reward that a tap fills in.
struct SetupReward: Sendable {
    let rewardName: String
    let rewardPoints: Int64
}
