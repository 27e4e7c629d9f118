import Accounts
import WebCore

extension Field {
    /// The edit that the JSON or form field requests.
    var edit: Edit<Value> {
        switch self {
        case .absent: .unchanged
        case .null: .clear
        case .value(let value): .set(value)
        }
    }
}
