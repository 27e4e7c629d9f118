import Accounts
import Family
import Hummingbird
import Kernel
import WebCore

/// Responds to actions of parents and children on a child's resources.
struct ChildActionResponder: Sendable {
    let children: ChildService

    /// Performs an action. If it is too late, redirects to a page with the present state and the reason.
    /// - Parameters:
    ///   - path: the path of that page; `nil` for the child's.
    ///   - throwsInvalid: whether the caller shows errors of fields in its form.
    func redirectingErrors(
        _ id: PersonID, _ context: SignedInContext, to path: String? = nil, throwsInvalid: Bool = false,
        _ perform: () async throws -> Response
    ) async throws -> Response {
        do {
            return try await perform()
        } catch let error as AppError {
            guard context.face != .json, [.conflict, .notFound, .invalid].contains(error.code) else { throw error }
            if throwsInvalid, error.code == .invalid { throw error }
            _ = try await children.child(id, for: context.actor)
            return Responses.seeOther(context, to: path ?? FamilyPath.child(id), toast: context.failureToast(error))
        }
    }

    /// Returns the name of a request's chore for a toast; empty for JSON, and for a request that isn't open.
    func choreName(
        of request: ID<ChoreRequest>, of child: PersonID, _ requests: ChoreRequestService, _ context: SignedInContext
    ) async -> String {
        guard context.face != .json else { return "" }
        return (try? await requests.request(request, of: child, for: context.actor))?.name ?? ""
    }

    /// Returns the page to return to after a decision on a request.
    func returnPath(of child: PersonID, _ fields: Fields) -> String {
        switch fields.typed("from") {
        case RequestRow.dashboard: FamilyPath.root
        case RequestRow.today: FamilyPath.today
        case RequestRow.waiting: FamilyPath.waiting
        default: FamilyPath.child(child)
        }
    }
}
