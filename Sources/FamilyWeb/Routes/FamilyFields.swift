import Accounts
import Family
import Kernel
import WebCore

extension Field {
    /// What a change makes of the field.
    var edit: Edit<Value> {
        switch self {
        case .absent: .keep
        case .null: .clear
        case .value(let value): .set(value)
        }
    }
}

extension Fields {
    /// A new contract, as programs send it.
    mutating func contractInput() -> ContractInput {
        let maximum = integer("maxPoints").value
        let description = string("description").value
        let levels = indices("levels").map { index in
            LevelInput(
                reward: string("levels.\(index).reward").value, points: integer("levels.\(index).points").value)
        }
        return ContractInput(maxPoints: maximum, description: description, levels: levels)
    }

    /// Chores with their points, as programs send them.
    mutating func assignmentInputs() -> [AssignmentInput] {
        indices("chores").map { index in
            AssignmentInput(
                choreID: id("chores.\(index).choreId", of: Chore.self).value,
                points: integer("chores.\(index).points").value)
        }
    }
}
