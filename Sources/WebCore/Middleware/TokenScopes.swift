package import Accounts
import Hummingbird
import HTTPTypes
import Kernel

/// The access tokens that a group of routes serves.
package enum TokenAccess: Sendable {
    /// No token: the default.
    case none
    /// Tokens with any scope.
    case any
    /// Tokens that may change the data of any app.
    case anyWrite
    /// Tokens with one scope.
    case scope(AccessScope)
    /// Tokens that may read the app, for GET; for other methods those that may change it.
    case app(AppName)

    /// The last parts of the paths of pages, which a program doesn't read.
    private static let pageNames: Set<Substring> = ["new", "edit", "delete", "menu"]

    /// The scopes for a route, one of which a token needs; empty where no token is served, as on pages with a form.
    func scopes(for method: HTTPRequest.Method, _ path: String) -> Set<AccessScope> {
        let steps = path.split(separator: "/")
        guard !steps.contains("questions"), !Self.pageNames.contains(steps.last ?? "") else { return [] }
        return switch self {
        case .none: []
        case .any: Set(AccessScope.allCases)
        case .anyWrite: Set(AppName.allCases.map { $0.scope(for: .post) })
        case .scope(let scope): [scope]
        case .app(let app): [app.scope(for: method)]
        }
    }
}

extension AppName {
    fileprivate func scope(for method: HTTPRequest.Method) -> AccessScope {
        let isReading = method == .get || method == .head
        return switch self {
        case .tracking: isReading ? .trackingRead : .trackingWrite
        case .family: isReading ? .familyRead : .familyWrite
        case .carrepsa: isReading ? .carrepsaRead : .carrepsaWrite
        }
    }
}

/// Rejects requests with an access token that lacks the scope of their route. Every route has this responder.
struct TokenScopeResponder<Base: HTTPResponder>: HTTPResponder where Base.Context: WebContext {
    let base: Base
    let scopes: Set<AccessScope>

    func respond(to request: Request, context: Base.Context) async throws -> Response {
        if let granted = context.identity?.session.scopes { try check(granted, context) }
        return try await base.respond(to: request, context: context)
    }

    private func check(_ granted: Set<AccessScope>, _ context: Base.Context) throws {
        guard !scopes.isEmpty else {
            throw AppError(.forbidden, context.t("Access tokens can’t be used here."))
        }
        guard !scopes.contains(where: { $0.isIncluded(in: granted) }) else { return }
        throw AppError(
            .forbidden, context.t("This access token doesn’t include the scope {scope}.", ["scope": scopes.text]))
    }
}
