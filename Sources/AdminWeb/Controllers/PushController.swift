import Accounts
import Hummingbird
import Kernel
import Notifications
import WebCore

/// `/admin/push`: the key of push messages, and a test message to one of the administrator's devices.
struct PushController: Sendable {
    let push: PushAdministrationService

    func addRoutes(to routes: RouterGroup<SignedInContext>) {
        routes
            .get(use: index)
            .post("tests", use: createTest)
    }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let details = try await push.details(for: context.actor)
        return try Responses.of(
            context, template: "admin-push",
            page: { PushPage(context, details) },
            json: { PushJSON(details, context.actor) }
        )
    }

    @Sendable func createTest(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var fields = try await Fields.read(request, context)
        let device = fields.requireID("device", of: PushSubscription.self)
        return try await Responses.form(
            context, template: "admin-push",
            page: { error in
                PushPage(
                    context, try await push.details(for: context.actor),
                    error: error.translated(to: context.language))
            },
            perform: { [fields] in
                try fields.check()
                guard let device else { throw AppError.notFound }
                let result = try await push.sendTest(to: device, by: context.actor)
                guard result == .accepted else { throw AppError(.conflict, result.text(.english)) }
                return try Responses.created(
                    context, location: AdminPath.push, json: { PushTestJSON(result: "accepted") },
                    seeOther: AdminPath.push,
                    toast: ShellToast(context.t("The push service accepted it. It should appear in a moment.")))
            }
        )
    }
}

/// The key and the administrator's devices.
struct PushJSON: Encodable {
    struct Device: Encodable {
        let id: ID<PushSubscription>
        let name: String
        let service: String
        let subscribedAt: Instant
        let current: Bool
    }

    let publicKey: String
    let devices: [Device]

    init(_ details: PushAdministrationService.Details, _ actor: Actor) {
        publicKey = details.publicKey
        devices = details.devices.map {
            Device(
                id: $0.id, name: $0.name, service: $0.service, subscribedAt: $0.subscribedAt,
                current: $0.session == actor.session)
        }
    }
}

/// A message that a push service accepted.
struct PushTestJSON: Encodable {
    let result: String
}
