import Kernel
package import WebCore

extension TrackingModule {
    private static let objects = CreationRule.hourly("tracking objects", Limits.trackingObjectsPerHour)
    private static let commands = CreationRule.hourly("commands", Limits.commandsPerHour)
    private static let links = CreationRule.hourly("tracking links", Limits.trackingLinksPerHour)
    private static let shares = CreationRule.hourly("shares", Limits.sharesPerHour)
    private static let states = CreationRule.hourly("item states", Limits.itemStatesPerHour)
    private static let device = CreationRule.limited("IngestRate, and the account's quota of positions.")
    private static let replay = CreationRule.limited("Stores nothing.")

    package var creationRules: [String: CreationRule] {
        [
            "POST /trackers": .limited("A throttle: Limits.firstContactsPerAddress."),
            "POST /trackers/{id}/messages": Self.device, "POST /ingest/owntracks": Self.device,
            "POST /ingest/osmand": Self.device, "POST /ingest/hologram": Self.device,
            "POST /ingest/hologram/{secret}": Self.device,
            "POST /tracking/items": Self.objects,
            "PUT /tracking/items/{id}/tracker": .limited("One for each item; wrong codes count in a throttle."),
            "POST /tracking/items/{id}/registration": .limited("Limits.pendingRegistrationsPerAccount."),
            "POST /tracking/items/{id}/commands": Self.commands,
            "PUT /tracking/items/{id}/lost": Self.states,
            "PUT /tracking/items/{id}/parking": Self.states,
            "POST /tracking/items/{id}/label": .limited("A throttle: Limits.labelsPerAccount."),
            "PUT /tracking/items/{id}/finder-reports/{reportId}/reply": .limited("Replaces the reply to a report."),
            "POST /tracking/items/{id}/navigation": .limited("Stores nothing but the maps app of the person."),
            "POST /tracking/items/{id}/finder-reports/{reportId}/navigation": .limited(
                "Stores nothing but the maps app of the person."),
            "POST /tracking/items/{id}/people": Self.shares,
            "POST /tracking/items/{id}/invitations": Self.links,
            "POST /tracking/invitations": .limited("Once for each invitation; wrong links count in a throttle."),
            "POST /tracking/items/{id}/geofences": Self.objects,
            "PUT /tracking/items/{id}/geofences/{geofenceId}": .limited("Replaces a rule."),
            "POST /tracking/items/{id}/geofences/replay": Self.replay, "POST /tracking/items/{id}/replay": Self.replay,
            "POST /tracking/items/{id}/membership/replay": Self.replay, "POST /tracking/alerts/replay": Self.replay,
            "POST /tracking/safe-places/replay": Self.replay,
            "PUT /tracking/position": .limited("Replaces the position of the session."),
            "POST /tracking/sources": Self.objects,
            "PUT /tracking/sources/{id}/secret": .limited("Replaces the secret of a source."),
            "POST /tracking/safe-places": Self.objects,
            "POST /tracking/live-links": Self.links,
            "POST /live/{secret}/position": .limited("Replaces the position of a recipient, who has no account."),
            "PUT /my-position": .limited("Replaces the position of the session."),
            "POST /my-position/shares": Self.shares,
            "PUT /tracking/people/{person}/request": Self.shares,
            "POST /tracking/people/{person}/rules": Self.shares,
            "PUT /tracking/people/{person}/rules/{ruleId}": Self.shares,
            "POST /found": .limited("A throttle: Limits.finderReportsPerNetwork and finderReportsPerItem."),
            "POST /found/items/{secret}": .limited(
                "A throttle: Limits.finderReportsPerNetwork and finderReportsPerItem."),
        ]
    }
}
