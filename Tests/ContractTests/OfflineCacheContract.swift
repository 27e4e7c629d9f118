import HTTPTypes
import Server
import Testing
import WebCore

/// The responses that a browser may cache and show without a connection. A new route fails this test until it is in one
/// of the two lists. A route that may be cached must also be named by its module.
@Suite("What a browser may cache for use without a connection")
struct OfflineCacheContract {
    /// Pages, pictures and the parts that pages fetch.
    static let kept: Set<String> = [
        "/", "/pictures", "/pictures/{id}", "/account/choices/{choice}",
        "/tracking/items", "/tracking/items/new", "/tracking/items/{id}", "/tracking/items/{id}/edit",
        "/tracking/items/{id}/fixes", "/tracking/items/{id}/days", "/tracking/items/{id}/days/{date}",
        "/tracking/items/{id}/stays", "/tracking/map",
        "/family", "/family/menu", "/family/children/new", "/family/children/{id}", "/family/children/{id}/edit",
        "/family/children/{id}/menu", "/family/children/{id}/contracts", "/family/children/{id}/contracts/new",
        "/family/children/{id}/assignments", "/family/children/{id}/assignments/new", "/family/chores",
        "/family/chores/new",
        "/family/starter-chores", "/family/chores/{id}/schedule", "/family/today", "/family/requests",
        "/family/chores/{id}/requests/new", "/family/pauses", "/family/swaps", "/family/shop", "/family/shop/new",
        "/family/shop/{id}/edit", "/family/children/{id}/purchases",
        "/family/chores/{id}/edit", "/family/account", "/family/account/edit",
        "/family/tablet", "/family/tablet/children/{id}", "/family/tablet/children/{id}/chores/{choreId}",
        "/notifications", "/carrepsa/packages", "/carrepsa/packages/new", "/carrepsa/wallet",
        "/carrepsa/wallet/entries", "/carrepsa/trips",
    ]

    /// The other routes, by the reason why they aren't cached.
    static let never: [String: Set<String>] = [
        "codes, secrets, and what leads to them": [
            "/family/children/{id}/sign-in-codes", "/family/children/{id}/sign-in-codes/{codeId}", "/family/sign-in",
            "/family/scan", "/family/tablet/pairing", "/family/tablets/codes", "/family/tablets/codes/{id}",
            "/family/children/{id}/picture-pin", "/family/invitations", "/family/invitations/{code}",
            "/tracking/items/{id}/tracker", "/tracking/items/{id}/label",
            "/tracking/sources", "/tracking/sources/new", "/tracking/sources/{id}", "/tracking/quarantine",
            "/password-resets/{code}", "/email-verifications/{code}", "/email-undos/{code}",
            "/carrepsa/packages/{id}", "/carrepsa/packages/{id}/edit", "/carrepsa/trips/new", "/carrepsa/trips/{id}",
            "/carrepsa/trips/{id}/edit",
            "/deliveries/{secret}",
            "/carrepsa/packages/{id}/questions/{action}", "/setup", "/invitations/{code}",
        ],
        "for administrators": [
            "/admin", "/admin/people", "/admin/people/{id}", "/admin/registration", "/admin/invitations", "/admin/jobs",
            "/admin/log", "/admin/checks", "/admin/mail",
            "/admin/backups", "/admin/providers", "/admin/push", "/admin/wallets", "/admin/payout-requests",
            "/admin/payment-instructions",
            "/admin/wallets/{id}", "/admin/ledger", "/admin/trackers", "/admin/trackers/{id}",
            "/admin/storage", "/admin/storage/{id}",
        ],
        "how people are reached": [
            "/carrepsa/packages/{id}/messages", "/carrepsa/packages/{id}/messages/{messageId}/report",
            "/carrepsa/packages/{id}/reviews", "/carrepsa/blocks", "/carrepsa/message-reports",
            "/carrepsa/people/{id}", "/carrepsa/packages/{id}/recipient", "/carrepsa/profile", "/carrepsa/money",
            "/carrepsa/disputes", "/account",
            "/account/edit",
            "/account/fields/{field}", "/account/apps/{app}", "/family/parents", "/family/parents/{id}",
            "/family/deleted-children", "/family/deleted-children/{id}",
        ],
        "what guards an account": [
            "/account/sessions", "/account/access-tokens", "/account/access-tokens/new", "/account/password",
            "/account/identities", "/account/identities/{provider}",
            "/account/delete", "/account/lock", "/account/lock/off", "/account/lock/passcode", "/account/passkeys",
            "/account/touch-id", "/account/proofs/{act}", "/family/children/{id}/devices", "/family/tablets", "/lock",
        ],
        "alerts, and safe places": [
            "/tracking/alerts", "/tracking/safe-places", "/tracking/safe-places/new", "/tracking/safe-places/{id}",
            "/tracking/settings", "/tracking/alerts/{id}", "/tracking/items/{id}/geofences",
            "/tracking/items/{id}/geofences/new", "/tracking/items/{id}/geofences/{geofenceId}",
        ],
        "whole downloads, and an import": [
            "/account/export", "/account/import", "/carrepsa/ledger", "/tracking/items/{id}/trips/{start}",
        ],
        "the way in": [
            "/sign-in", "/register", "/forgotten-password", "/carrepsa", "/sign-in/apple", "/sign-in/apple/callback",
            "/sign-in/google", "/sign-in/google/callback", "/sign-in/facebook", "/sign-in/facebook/callback",
            "/sign-in/oidc", "/sign-in/oidc/callback", "/tracking/invitations/{code}",
        ],
        "only now": [
            "/account/storage", "/tracking/items/{id}/people",
            "/events", "/notifications/bell", "/account/notifications", "/tracking/items/{id}/navigation",
            "/tracking/items/{id}/commands", "/family/children/{id}/requests/{requestId}",
            "/family/children/{id}/swaps/new", "/family/setup/new",
            "/family/children/{id}/purchases/{purchaseId}", "/family/children/{id}/wishes/{wishId}",
        ],
        "needs a connection": ["/tracking/items/{id}/delete"],
        "leads elsewhere": ["/tracking"],
        "the item of another account": [
            "/found", "/found/picture", "/found/items/{secret}", "/found/items/{secret}/picture",
            "/found/reports/{secret}", "/offers/{id}/{secret}", "/live/{secret}", "/live/{secret}/events",
        ],
        "the positions of people": [
            "/my-position", "/tracking/people", "/tracking/people/{person}", "/tracking/people/{person}/rules/new",
            "/tracking/people/{person}/rules/{ruleId}",
        ],
        "live links": ["/tracking/live-links", "/tracking/live-links/new", "/tracking/live-links/{id}"],
        "lost mode, and what finders write": [
            "/tracking/items/{id}/lost", "/tracking/items/{id}/finder-reports",
            "/tracking/items/{id}/finder-reports/{reportId}",
            "/tracking/items/{id}/finder-reports/{reportId}/navigation",
        ],
        "for programs": [
            "/family/children", "/family/children/{id}/requests", "/family/chores/{id}",
            "/family/themes", "/family/shop/{id}", "/family/children/{id}/wishes",
        ],
        "the worker's own": ["/offline"],
    ]

    @Test("Every readable route is either cached or not, as its module and the lists say")
    func everyRoute() async throws {
        try await withContractServer { contract in
            let readable = contract.server.web.routes.filter { $0.method == .get && $0.access != .device }
            let paths = Set(readable.map(\.path))
            let refused = Self.never.values.reduce(into: Set<String>()) { $0.formUnion($1) }
            #expect(paths.subtracting(Self.kept).subtracting(refused).sorted() == [], "not listed")
            #expect(Self.kept.intersection(refused).sorted() == [])
            #expect(Self.kept.union(refused).subtracting(paths).sorted() == [], "these are no longer there")
            #expect(contract.server.web.offlinePaths == Self.kept)
        }
    }

    @Test("Pages with a code or another person's address are never cached")
    func words() {
        let telling = [
            "code", "sign-in", "invitation", "password", "export", "people", "profile", "secret", "lock", "session",
        ]
        for path in Self.kept {
            #expect(!telling.contains { path.contains($0) }, "\(path)")
        }
    }
}
