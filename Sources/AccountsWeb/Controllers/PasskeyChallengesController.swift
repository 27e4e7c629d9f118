import Accounts
import Hummingbird
import Kernel
import WebCore

/// `/lock/passkeys/challenge` and `/lock/passkeys/unlocking`: challenges of a signed-in client, and unlocking by a
/// passkey.
struct PasskeyChallengesController: Sendable {
    let registrations: PasskeyRegistrationService
    let unlocks: PasskeyUnlockService

    func addRoutes(to whileLocked: RouteGroup<SignedInContext>) {
        whileLocked
            .post("lock/passkeys/challenge", use: create)
            .post("lock/passkeys/unlocking", use: unlock)
    }

    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var fields = try await Fields.read(request, context)
        let purpose = fields.requireChoice("purpose", of: PasskeyPurpose.self)
        let isForLock = fields.boolean("touchId").value ?? false
        let password = fields.string("password").value
        return try await context.translating {
            try fields.check()
            let options: PasskeyOptions
            switch purpose {
            case .unlock, nil:
                options = try await unlocks.begin(by: context.actor, clientAddress: context.clientAddress)
            case .register:
                // This route also serves locked sessions, which may not register passkeys.
                guard !context.session.isLocked else { throw AppError.locked }
                options = try await registrations.begin(
                    by: context.actor, isForLock: isForLock, password: password, clientAddress: context.clientAddress)
            }
            return try Responses.json(context, options, status: .created)
        }
    }

    @Sendable func unlock(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var fields = try await Fields.read(request, context)
        let assertion = fields.passkeyAssertion()
        return try await context.translating {
            try fields.check()
            try await context.web.metrics.countingFailures(of: .passkey) {
                try await unlocks.unlock(assertion, by: context.actor, clientAddress: context.clientAddress)
            }
            var response = Responses.noContent(context)
            response.recordUnlock(context)
            return response
        }
    }
}

/// The purposes for which a signed-in client can request a challenge.
enum PasskeyPurpose: String, Sendable {
    case register, unlock
}
