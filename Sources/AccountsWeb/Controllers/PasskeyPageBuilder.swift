import Accounts
import Hummingbird
import Kernel
import WebCore

/// Builds the pages of passkeys and Touch ID.
struct PasskeyPageBuilder: Sendable {
    let passkeys: PasskeyService
    let touchID: TouchIDService
    let confirmations: ConfirmationPartBuilder

    func touchIDPage(
        _ context: SignedInContext, destination: Destination, error: AppError? = nil
    ) async throws -> TouchIDPage {
        let here = destination.carried(to: "/account/touch-id")
        return TouchIDPage(
            context, touchID: try await touchID.setting(of: context.actor), destination: destination,
            confirmation: try await confirmations.part(context, for: .addPasskey, destination: here), error: error)
    }

    func passkeysPage(
        _ context: SignedInContext, error: AppError? = nil, isRegistering: Bool = false
    ) async throws -> PasskeysPage {
        PasskeysPage(
            context, passkeys: try await passkeys.list(context.actor),
            confirmation: try await confirmations.part(context, for: .addPasskey, destination: "/account/passkeys"),
            error: error, isRegistering: isRegistering)
    }
}
