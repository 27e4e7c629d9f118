import Accounts
import Family
import Kernel
import Pictures
import WebCore

extension Field {
    /// Converts the field of a request to an edit.
    var edit: Edit<Value> {
        switch self {
        case .absent: .unchanged
        case .null: .clear
        case .value(let value): .set(value)
        }
    }
}

extension Edit {
    /// The value of `.set`; `nil` for other edits.
    var newValue: Value? {
        if case .set(let value) = self { return value }
        return nil
    }
}

extension Fields {
    /// Reads the steps of a chore: a list, or in a form the lines of a text.
    mutating func steps() -> Edit<[String]> {
        let edit = strings("steps").edit
        guard isForm, let texts = edit.newValue else { return edit }
        return .set(texts.flatMap { $0.split(whereSeparator: \.isNewline).map(String.init) })
    }

    /// Reads whether a chore needs a photo. A form leaves out a checkbox that isn't checked.
    mutating func needsPhoto() -> Edit<Bool> {
        let edit = boolean("needsPhoto").edit
        guard isForm, case .unchanged = edit else { return edit }
        if case .unchanged = strings("steps").edit { return .unchanged }
        return .set(false)
    }

    /// Reads a new contract from a JSON body.
    mutating func contractInput() -> ContractInput {
        let maximum = integer("maxPoints").value
        let description = string("description").value
        let levels = indices("levels").map { index in
            LevelInput(
                reward: string("levels.\(index).reward").value, points: integer("levels.\(index).points").value)
        }
        return ContractInput(maxPoints: maximum, description: description, levels: levels)
    }

    /// Reads chores with their points from a JSON body.
    mutating func assignmentInputs() -> [AssignmentInput] {
        indices("chores").map { index in
            AssignmentInput(
                choreID: id("chores.\(index).choreId", of: Chore.self).value,
                points: integer("chores.\(index).points").value,
                occurrence: string("chores.\(index).occurrence").value)
        }
    }

    /// Reads a reward of the shop from a JSON body.
    mutating func rewardInput() -> ShopRewardInput {
        ShopRewardInput(
            name: string("name").value, pictureID: id("pictureId", of: Picture.self).value,
            price: integer("price").value, stock: integer("stock").value, children: strings("childIds").value,
            cooldownDays: integer("cooldownDays").value, needsApproval: boolean("needsApproval").value ?? true)
    }

    /// Reads a new schedule from a JSON body.
    mutating func scheduleInput() -> ChoreScheduleInput {
        ChoreScheduleInput(
            children: strings("childIds").value ?? [], startsOn: string("startsOn").value,
            dueTime: string("dueTime").value,
            rule: string("rule").value, distribution: string("distribution").value,
            offeredPoints: integer("offeredPoints").value, graceMinutes: integer("graceMinutes").value,
            remindMinutesBefore: integer("remindMinutesBefore").value,
            remindsWhenOverdue: boolean("remindsWhenOverdue").value ?? false, timeZone: string("timeZone").value)
    }
}
