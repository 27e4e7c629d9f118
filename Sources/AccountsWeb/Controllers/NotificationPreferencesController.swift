import Accounts
import Hummingbird
import Kernel
import Notifications
import WebCore

/// `/account/notifications`: the kinds of notifications that a person receives.
struct NotificationPreferencesController: Sendable {
    let notifications: NotificationService
    let usedApps: UsedAppsReader

    func addRoutes(to account: RouterGroup<SignedInContext>) {
        account
            .get("notifications", use: show)
            .patch("notifications", use: update)
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        guard context.face != .json else {
            let (settings, isOnHere) = try await notifications.settings(of: context.actor)
            return try Responses.json(context, json(settings, isOnHere: isOnHere, isChild: context.isChild))
        }
        let (settings, apps) = try await notifications.settingsWithUsedApps(of: context.actor, usedApps)
        return try Responses.page(
            context, template: "notifications-settings",
            NotificationSettingsPage(context, settings, apps: apps, publicKey: notifications.publicKey))
    }

    @Sendable func update(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var fields = try await Fields.read(request, context)
        let hides = fields.boolean("hidesDetails")
        let kinds = fields.strings("kinds", atMost: NoticeKind.allCases.count)
        // A form sends nothing for a switch that is off.
        let hidesDetails = fields.isForm ? hides.value ?? false : hides.value
        let names = fields.isForm ? kinds.value ?? [] : kinds.value
        let offered = NoticeKind.offered(toChild: context.isChild)
        let accepted = NoticeKind.accepted(fromChild: context.isChild)
        // A form changes only the kinds that it shows. JSON contains all of them.
        let sent = fields.isForm ? fields.strings("shown", atMost: NoticeKind.allCases.count).value : nil
        let named = sent?.compactMap(NoticeKind.init(rawValue:))
        let shown = Set(fields.isForm ? named ?? NoticeKind.shownByOldForms : offered)
        let wanted = names.map { names in
            names.compactMap { name -> NoticeKind? in
                let kind = NoticeKind(rawValue: name)
                guard let kind, accepted.contains(kind) else {
                    fields.addError("kinds", context.t("There are no such notifications."))
                    return nil
                }
                return kind
            }
        }
        try fields.check()
        let settings = try await notifications.changeSettings(by: context.change(fields)) { settings in
            if let hidesDetails { settings.hidesDetails = hidesDetails }
            if let wanted {
                settings.muted = settings.muted.subtracting(shown).subtracting(wanted).union(shown.subtracting(wanted))
            }
        }
        let isOnHere = try await notifications.settings(of: context.actor).isOnHere
        return try Responses.changed(
            context, version: nil, json: { json(settings, isOnHere: isOnHere, isChild: context.isChild) },
            seeOther: "/account/notifications", toast: ShellToast(context.t("Saved"))
        )
    }

    private func json(_ settings: NotificationPreferences, isOnHere: Bool, isChild: Bool) -> NotificationSettingsJSON {
        NotificationSettingsJSON(
            kinds: NoticeKind.offered(toChild: isChild).filter { !settings.muted.contains($0) }.map(\.rawValue),
            hidesDetails: settings.hidesDetails, subscribed: isOnHere, publicKey: notifications.publicKey
        )
    }
}
