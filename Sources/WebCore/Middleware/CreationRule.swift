package import Accounts
import HTTPTypes
import Hummingbird
import Kernel

/// What limits the rows that one person creates with a route.
package enum CreationRule: Sendable, Hashable {
    /// Each creation is charged to a budget of the person, in its transaction.
    case budget(Budget)
    /// Something else limits it, which the text names.
    case limited(String)

    /// A budget of an hour.
    package static func hourly(_ name: String, _ limit: Int) -> CreationRule {
        .budget(Budget(name, limit: limit, windowSeconds: Limits.hourSeconds))
    }

    /// A budget of a day.
    package static func daily(_ name: String, _ limit: Int) -> CreationRule {
        .budget(Budget(name, limit: limit, windowSeconds: Limits.daySeconds))
    }
}

extension WebContext {
    /// The budget of the request's route; `nil` for a route with another limit.
    var budget: Budget? {
        guard let path = endpointPath,
            case .budget(let budget) = web.creationRules["\(app.head.method.rawValue) \(path)"]
        else { return nil }
        return budget
    }
}
