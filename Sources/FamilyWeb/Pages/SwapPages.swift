import Accounts
import Family
import Kernel
import Pictures
import Recurrence
import WebCore

/// The chosen turns of the form, each as `chore date`.
struct SwapFormState: Sendable {
    var own: String
    var other: String

    var input: TurnSwapInput {
        let offered = Self.turn(own)
        let wanted = Self.turn(other)
        return TurnSwapInput(
            choreID: offered?.chore, occurrence: offered?.date, otherChoreID: wanted?.chore,
            otherOccurrence: wanted?.date)
    }

    static func value(_ turn: SwappableTurn) -> String { "\(turn.choreID) \(turn.date.text)" }

    private static func turn(_ text: String) -> (chore: ID<Chore>, date: String)? {
        let parts = text.split(separator: " ")
        guard parts.count == 2, let chore = ID<Chore>(parts[0]) else { return nil }
        return (chore, String(parts[1]))
    }
}

/// The page on which a child asks for a swap.
struct NewSwapPage: Sendable {
    let shell: Shell
    let formAction: String
    let problem: String?
    let ownTurns: [ScheduleChoice]
    let ownMessage: String
    let otherTurns: [ScheduleChoice]
    let otherMessage: String
    let hasTurns: Bool

    init(
        _ context: SignedInContext, _ choices: SwapChoices, of child: PersonID, typed: SwapFormState, error: AppError?
    ) {
        let t = context.t
        let formatter = ScheduleFormatter(context)
        shell = .modal(context, title: t("Swap turns"), back: FamilyPath.today, t)
        formAction = FamilyPath.swaps(of: child)
        let errors = FormErrors(error)
        problem = errors.message
        ownTurns = choices.own.map { turn in
            let value = SwapFormState.value(turn)
            return ScheduleChoice(
                choiceValue: value, choiceLabel: turn.name, choiceNote: formatter.day(turn.date, today: choices.today),
                isChosen: typed.own == value || choices.own.count == 1)
        }
        ownMessage = errors["choreId"] ?? errors["occurrence"] ?? ""
        otherTurns = choices.others.map { turn in
            let value = SwapFormState.value(turn)
            return ScheduleChoice(
                choiceValue: value, choiceLabel: t("{name}: {chore}", ["name": turn.child.name, "chore": turn.name]),
                choiceNote: formatter.day(turn.date, today: choices.today), isChosen: typed.other == value)
        }
        otherMessage = errors["otherChoreId"] ?? errors["otherOccurrence"] ?? ""
        hasTurns = !choices.own.isEmpty && !choices.others.isEmpty
    }
}

/// The swaps that wait.
struct SwapsPage: Sendable {
    let shell: Shell
    let swaps: [SwapRow]
    let isEmpty: Bool

    init(_ context: SignedInContext, _ swaps: [TurnSwap], today: LocalDate) {
        let t = context.t
        shell = Shell(
            context, title: t("Swaps"), menu: .family(t, for: context.account), tab: FamilyTab.family.rawValue,
            isLargeTitle: false, isRefreshable: true, back: ShellBack(url: FamilyPath.today, label: t("Today")))
        let key = shell.idempotencyKey
        self.swaps = swaps.map { SwapRow($0, today: today, context, key: key) }
        isEmpty = swaps.isEmpty
    }
}

/// A swap that waits.
struct SwapRow: Sendable {
    let swapID: String
    let offeredText: String
    let wantedText: String
    let stateText: String
    /// The address at which the reader agrees; `nil` if the reader doesn't have to.
    let agreeURL: String?
    let removeURL: String
    let removeText: String
    let agreeLabel: String
    let removeLabel: String
    let idempotencyKey: String

    init(_ swap: TurnSwap, today: LocalDate, _ context: SignedInContext, key: String) {
        let t = context.t
        let formatter = ScheduleFormatter(context)
        let reader = context.actor.person
        func text(_ turn: SwappableTurn, by child: Member) -> String {
            t(
                "{name} does “{chore}”, {date}",
                ["name": child.name, "chore": turn.name, "date": formatter.day(turn.date, today: today)])
        }
        swapID = swap.id.description
        offeredText = text(swap.offered, by: swap.wanted.child)
        wantedText = text(swap.wanted, by: swap.offered.child)
        let isOther = reader == swap.wanted.child.id
        stateText =
            swap.isAccepted
            ? t("Waiting for a parent") : t("Waiting for {name}", ["name": swap.wanted.child.name])
        let url = FamilyPath.swap(swap.id)
        agreeURL =
            if swap.isAccepted {
                context.isChild ? nil : url + "/approval?_method=put"
            } else {
                isOther ? url + "/acceptance?_method=put" : nil
            }
        removeURL = url + "?_method=delete"
        removeText = reader == swap.offered.child.id ? t("Withdraw") : t("Decline")
        let turns = [offeredText, wantedText].isolated(separator: "; ")
        agreeLabel = t("Agree: {turns}", ["turns": turns])
        removeLabel = t("{action}: {turns}", ["action": removeText, "turns": turns])
        idempotencyKey = key
    }
}
