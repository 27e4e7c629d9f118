import Accounts
import Family
import Kernel
import WebCore

/// The typed values of the contract form, to show them again after an error.
struct ContractFormState: Sendable {
    struct Level: Sendable {
        var reward = ""
        var points = ""

        var isBlank: Bool { reward.allSatisfy(\.isWhitespace) && points.allSatisfy(\.isWhitespace) }
    }

    var maxPoints = ""
    var description = ""
    var levels: [Level]

    init() { levels = [Level()] }

    /// Reads every row. Blank rows are included, so that the form shows them again.
    init(_ fields: Fields) {
        maxPoints = fields.typed("maxPoints")
        description = fields.typed("description")
        let numbers = fields.names(below: "levels", atMost: Limits.formFields).compactMap { Int($0) }.sorted()
        let rows = numbers.map { number in
            Level(reward: fields.typed("levels.\(number).reward"), points: fields.typed("levels.\(number).points"))
        }
        levels = Array(rows.prefix(Limits.contractLevels + 1))
    }

    /// The input for the service. A value that isn't a whole number is missing there, and the service reports it at the
    /// field. Blank rows aren't levels. A blank maximum is the sum of the levels.
    var input: ContractInput {
        let rows = filledRows.map { LevelInput(reward: levels[$0].reward, points: Self.whole(levels[$0].points)) }
        let isBlank = maxPoints.allSatisfy(\.isWhitespace)
        return ContractInput(
            maxPoints: isBlank ? ContractInput.sum(of: rows) : Self.whole(maxPoints),
            description: description.isEmpty ? nil : description, levels: rows)
    }

    /// The indices of the rows that aren't blank.
    private var filledRows: [Int] { levels.indices.filter { !levels[$0].isBlank } }

    /// Maps the errors of levels to the form's rows: the service counts levels without blank rows, so its
    /// `levels.0.points` may be the form's `levels.2.points`. The error of a contract without levels goes to the first
    /// row.
    func atRows(_ error: AppError) -> AppError {
        let rows = filledRows
        var fields: [String: String] = [:]
        for (name, message) in error.fields {
            let parts = name.split(separator: ".")
            if parts.count == 3, parts[0] == "levels", let level = Int(parts[1]), rows.indices.contains(level) {
                fields["levels.\(rows[level]).\(parts[2])"] = message
            } else {
                fields[name] = message
            }
        }
        if rows.isEmpty, let message = error.fields["levels"] {
            fields["levels"] = nil
            fields["levels.0.reward"] = message
        }
        return AppError(error.code, error.message, fields: fields)
    }

    private static func whole(_ text: String) -> Int64? { Int64(text.filter { !$0.isWhitespace }) }
}

/// The fields of one level in the form.
struct LevelField: Sendable {
    let rowIndex: Int
    let rowTitle: String
    let rewardValue: String
    let rewardMessage: String
    let isRewardInvalid: Bool
    let pointsValue: String
    let pointsMessage: String
    let isPointsInvalid: Bool
    let removeLabel: String

    init(_ level: ContractFormState.Level, index: Int, errors: FormErrors, t: Translator) {
        rowIndex = index
        let number = String(index + 1)
        rowTitle = t("Level {n}", ["n": number])
        rewardValue = level.reward
        rewardMessage = errors["levels.\(index).reward"] ?? ""
        isRewardInvalid = !rewardMessage.isEmpty
        pointsValue = level.points
        pointsMessage = errors["levels.\(index).points"] ?? ""
        isPointsInvalid = !pointsMessage.isEmpty
        removeLabel = t("Remove level {n}", ["n": number])
    }
}

/// A reward that a tap fills in.
struct RewardSuggestion: Sendable {
    let rewardName: String
}

extension StarterReward {
    /// The reward's name in the reader's language.
    func name(_ t: Translator) -> String {
        switch self {
        case .story: t("Another bedtime story")
        case .playground: t("A trip to the playground")
        case .iceCream: t("Ice cream")
        case .baking: t("Baking together")
        case .swimming: t("Swimming")
        case .zoo: t("A day at the zoo")
        case .cinema: t("Cinema")
        case .gameNight: t("A game night")
        case .laterBedtime: t("A later bedtime")
        case .friendOverNight: t("A sleepover with a friend")
        case .screenTime: t("An hour of screen time")
        case .mealOut: t("A meal out")
        case .musicOrGame: t("Music or a game")
        case .laterEvening: t("Stay out later once")
        }
    }
}

/// The page *Add contract*.
struct NewContractPage: Sendable {
    /// About one, two, four and ten days of chores.
    private static let presets: [Int64] = [5, 10, 20, 50]

    let shell: Shell
    let formAction: String
    let problem: String?
    let maximumField: FamilyField
    let descriptionField: FamilyField
    let levels: [LevelField]
    /// Suggestions for rewards by the child's age.
    let suggestions: [RewardSuggestion]
    /// Points that a tap fills in.
    let presets: [PointsChoice]
    let levelsMessage: String
    let canAddLevel: Bool
    let levelLimit: Int
    /// A note about the present contract, which the new one replaces; empty without one.
    let replacesText: String
    let hasPresent: Bool
    // Texts for the script that adds up the points during typing.
    let sumText: String
    let levelTitleText: String
    let removeText: String
    let tooHighText: String
    let sumTooHighText: String

    init(_ context: SignedInContext, _ child: Child, typed: ContractFormState, error: AppError?, t: Translator) {
        shell = .modal(context, title: t("Add contract"), back: FamilyPath.child(child.id), t)
        formAction = FamilyPath.contracts(of: child.id)
        let errors = FormErrors(error)
        problem = errors.message
        maximumField = FamilyField(
            "maxPoints", label: t("Maximum points"), value: typed.maxPoints, keyboard: "numeric",
            hint: t(
                "Leave this empty for the sum of the levels, or enter from {least} to {most}.",
                ["least": "1", "most": context.familyFormatter.number(Limits.contractPoints)]),
            message: errors["maxPoints"], isRequired: false)
        descriptionField = FamilyField(
            "description", label: t("Description"), value: typed.description,
            hint: t("Optional: what you have agreed on"), message: errors["description"], isRequired: false)
        let rows = typed.levels.isEmpty ? [ContractFormState.Level()] : typed.levels
        levels = rows.enumerated().map { LevelField($1, index: $0, errors: errors, t: t) }
        suggestions = StarterReward.suited(toYears: child.ageInYears(at: context.web.clock.now)).map {
            RewardSuggestion(rewardName: $0.name(t))
        }
        presets = Self.presets.map {
            PointsChoice(pointsValue: $0, choiceLabel: context.familyFormatter.points($0))
        }
        levelsMessage = errors["levels"] ?? ""
        canAddLevel = rows.count < Limits.contractLevels
        levelLimit = Limits.contractLevels
        hasPresent = child.contract != nil
        replacesText =
            hasPresent
            ? t(
                """
                {name}’s current contract ends and is kept in the history. Gained points start at 0 again; \
                achievement points stay.
                """,
                ["name": child.name]) : ""
        sumText = t("{n} of {max} points used")
        levelTitleText = t("Level {n}")
        removeText = t("Remove level {n}")
        tooHighText = context.t.message(FamilyMessage.levelAboveMaximum.text)
        sumTooHighText = context.t.message(FamilyMessage.levelsAboveMaximum.text)
    }
}

/// The list of a child's contracts, newest first.
struct ContractListPage: Sendable {
    let shell: Shell
    let contracts: [ContractView]
    let hasContracts: Bool
    let canAdd: Bool
    let newContractURL: String
    let reloadURL: String
    let profileURL: String
    let moreURL: String?

    init(
        _ context: SignedInContext, _ entries: ChildEntries<Contract>, after: String?, t: Translator,
        formatter: FamilyFormatter
    ) {
        let child = entries.child
        let page = entries.page
        let shell = Shell(
            context, title: t("Contracts"), menu: .family(t, for: context.account),
            tab: FamilyTab.family.rawValue, isLargeTitle: false, isRefreshable: true,
            back: ShellBack(url: FamilyPath.child(child.id), label: child.name)
        )
        self.shell = shell
        let isParent = context.account.role == .adult
        contracts = page.items.map {
            ContractView(
                $0, child: child.id, isParent: isParent, key: shell.idempotencyKey, t: t, formatter: formatter)
        }
        hasContracts = !page.items.isEmpty
        canAdd = isParent
        newContractURL = FamilyPath.newContract(of: child.id)
        let url = FamilyPath.contracts(of: child.id)
        reloadURL = url + (after.map { "?after=\(PercentEncoding.encoded($0))" } ?? "")
        profileURL = FamilyPath.child(child.id)
        moreURL = page.next.map { url + "?after=\(PercentEncoding.encoded($0))" }
    }
}
