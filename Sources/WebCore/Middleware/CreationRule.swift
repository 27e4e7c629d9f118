package import Accounts
import HTTPTypes
import Hummingbird

/// What limits the rows that one person creates with a route.
package enum CreationRule: Sendable, Hashable {
    /// Each creation is charged to a budget of the person, in its transaction.
    case budget(Budget)
    /// Something else limits it, which the text names.
    case limited(String)
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
