import Accounts
import Hummingbird
import Kernel
import WebCore

/// Builds the part of a page that asks for a proof other than the password.
struct ConfirmationPartBuilder: Sendable {
    let providers: ProviderCatalog
    let sendsMail: Bool

    /// Returns the part that replaces the password field; `nil` where that field is shown.
    func partInPlaceOfPassword(
        _ context: SignedInContext, for act: SensitiveAct, methods: SignInMethods, destination: String
    ) -> ConfirmationPart? {
        guard !methods.hasPassword || methods.isConfirmed else { return nil }
        return partBesidePassword(context, for: act, methods: methods, destination: destination)
    }

    /// Returns the part for a page that also shows the password field.
    func partBesidePassword(
        _ context: SignedInContext, for act: SensitiveAct, methods: SignInMethods, destination: String
    ) -> ConfirmationPart {
        ConfirmationPart(
            context, act: act, methods: methods, providers: providers, sendsMail: sendsMail, destination: destination)
    }
}
