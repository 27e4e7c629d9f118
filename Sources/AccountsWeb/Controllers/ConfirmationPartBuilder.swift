import Accounts
import Hummingbird
import Kernel
import WebCore

/// Builds the part of a page that asks for a proof other than the password.
struct ConfirmationPartBuilder: Sendable {
    let providers: ProviderSignIn
    let sendsMail: Bool

    /// Returns the part that replaces the password field; `nil` where that field is shown.
    func part(
        _ context: SignedInContext, for act: SensitiveAct, destination: String
    ) async throws -> ConfirmationPart? {
        let ways = try await providers.ways(of: context.actor, for: act)
        guard !ways.hasPassword || ways.isConfirmed else { return nil }
        return ConfirmationPart(
            context, act: act, ways: ways, providers: providers, sendsMail: sendsMail,
            destination: destination)
    }
}
