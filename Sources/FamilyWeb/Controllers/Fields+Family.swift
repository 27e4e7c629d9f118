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
        lines("steps", atMost: Limits.choreSteps, excess: FamilyMessage.tooManySteps.text).edit
    }

    /// Reads whether a chore needs a photo. A form leaves out a checkbox that isn't checked.
    mutating func needsPhoto() -> Edit<Bool> {
        let edit = boolean("needsPhoto").edit
        guard isForm, case .unchanged = edit else { return edit }
        return contains("steps") ? .set(false) : .unchanged
    }

    /// Reads the ids of children.
    mutating func childIDs() -> Field<[String]> {
        strings("childIds", atMost: Limits.childrenPerHousehold, excess: FamilyMessage.tooManyChildren.text)
    }

    /// Reads a new contract from a JSON body.
    mutating func contractInput() -> ContractInput {
        let maximum = integer("maxPoints").value
        let description = string("description").value
        let numbers = indices("levels", atMost: Limits.contractLevels, excess: FamilyMessage.levelsTooMany.text)
        let levels = numbers.map { index in
            LevelInput(
                reward: string("levels.\(index).reward").value, points: integer("levels.\(index).points").value)
        }
        return ContractInput(maxPoints: maximum, description: description, levels: levels)
    }

    /// Reads chores with their points from a JSON body.
    mutating func assignmentInputs() -> [AssignmentInput] {
        indices("chores", atMost: Limits.assignmentEntries, excess: FamilyMessage.tooManyChores.text).map { index in
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
            price: integer("price").value, stock: integer("stock").value, children: childIDs().value,
            cooldownDays: integer("cooldownDays").value, needsApproval: boolean("needsApproval").value ?? true)
    }

    /// Reads a new schedule from a JSON body.
    mutating func scheduleInput() -> ChoreScheduleInput {
        ChoreScheduleInput(
            children: childIDs().value ?? [], startsOn: string("startsOn").value,
            dueTime: string("dueTime").value,
            rule: string("rule").value, distribution: string("distribution").value,
            offeredPoints: integer("offeredPoints").value, graceMinutes: integer("graceMinutes").value,
            remindMinutesBefore: integer("remindMinutesBefore").value,
            remindsWhenOverdue: boolean("remindsWhenOverdue").value ?? false, timeZone: string("timeZone").value)
    }
}
