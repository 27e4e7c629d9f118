import Accounts
import Family
import Hummingbird
import Kernel
import WebCore

/// Responds to actions of parents on parents and invitations.
struct ParentActionResponder: Sendable {
    let parents: ParentService

    /// Returns a parent's page.
    func page(
        _ id: PersonID, _ context: SignedInContext, error: AppError? = nil
    ) async throws -> ParentPage {
        let details = try await parents.details(of: id, for: context.actor)
        return ParentPage(context, details, error: error, formatter: context.familyFormatter)
    }

    /// Performs an action that requires a proof. If there is none, returns the parent's page, which asks for it.
    func performWithProof(
        _ id: PersonID, _ context: SignedInContext, _ perform: () async throws -> Response
    ) async throws -> Response {
        try await Responses.form(
            context, template: "family-parent", fragment: "family-parent-status",
            page: { error in try await page(id, context, error: context.translated(error)) },
            perform: { try await Self.redirectingErrors(context, perform) })
    }

    /// Performs an action. If it is too late or not permitted, redirects to the account page with the reason.
    static func redirectingErrors(
        _ context: SignedInContext, to path: String = FamilyPath.account, _ perform: () async throws -> Response
    ) async throws -> Response {
        do {
            return try await perform()
        } catch let error as AppError {
            guard context.face != .json, [.conflict, .notFound, .forbidden].contains(error.code) else { throw error }
            return Responses.seeOther(context, to: path, toast: context.failureToast(error))
        }
    }
}
