import Accounts
import Hummingbird
import Kernel
import Notifications
import WebCore

/// `/notifications/subscription` and `/notifications/test`: notifications on this device.
struct PushSubscriptionController: Sendable {
    let notifications: NotificationService

    func addRoutes(to feed: RouterGroup<SignedInContext>) {
        feed
            .put("subscription", use: update)
            .delete("subscription", use: destroy)
            .post("test", use: createTest)
    }

    @Sendable func update(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var fields = try await Fields.read(request, context)
        let description = PushDescription(
            endpoint: fields.string("endpoint").value, publicKey: fields.string("keys.p256dh").value,
            secret: fields.string("keys.auth").value
        )
        return try await context.translating {
            try fields.check()
            try await notifications.subscribe(description, language: context.language.rawValue, by: context.actor)
            return Responses.noContent(context)
        }
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await notifications.unsubscribe(by: context.actor)
        return Responses.removed(context, seeOther: "/account/notifications")
    }

    @Sendable func createTest(_ request: Request, _ context: SignedInContext) async throws -> Response {
        _ = try await Fields.read(request, context, emptyAllowed: true)
        return try await context.translating {
            try await notifications.sendTest(by: context.actor)
            let toast = ShellToast(context.t("Sent. It should appear in a moment."))
            return Responses.removed(context, seeOther: "/account/notifications", toast: toast)
        }
    }
}
