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
        let (setting, methods) = try await touchID.settingWithSignInMethods(of: context.actor)
        let here = destination.carried(to: "/account/touch-id")
        return TouchIDPage(
            context, touchID: setting, destination: destination,
            confirmation: confirmations.partInPlaceOfPassword(
                context, for: .addPasskey, methods: methods, destination: here), error: error)
    }

    func passkeysPage(
        _ context: SignedInContext, error: AppError? = nil, isRegistering: Bool = false
    ) async throws -> PasskeysPage {
        let (passkeys, methods) = try await passkeys.listWithSignInMethods(context.actor)
        return PasskeysPage(
            context, passkeys: passkeys,
            confirmation: confirmations.partInPlaceOfPassword(
                context, for: .addPasskey, methods: methods, destination: "/account/passkeys"),
            error: error, isRegistering: isRegistering)
    }
}
