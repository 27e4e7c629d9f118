package import WebCore

extension AdminModule {
    private static let recorded = CreationRule.limited("Administrators alone; the log of their acts has each.")
    private static let throttled = CreationRule.limited("Administrators alone, with a throttle.")

    package var creationRules: [String: CreationRule] {
        [
            "PUT /admin/people/{id}/disabling": Self.recorded, "PUT /admin/people/{id}/administrator": Self.recorded,
            "POST /admin/people/{id}/reset-links": Self.recorded, "PUT /admin/registration": Self.recorded,
            "POST /admin/invitations": .limited("Limits.serverInvitations."),
            "POST /admin/mail/tests": Self.throttled, "POST /admin/providers/{provider}/tests": Self.throttled,
            "POST /admin/push/tests": Self.throttled, "PUT /admin/storage/{id}": Self.recorded,
            "POST /admin/wallets/{id}/payments": Self.recorded,
            "POST /admin/payout-requests/{id}/refusal": .limited("Once for each request."),
            "PUT /admin/payment-instructions": Self.recorded,
            "POST /admin/ledger/verifications": .limited("One verification at a time."),
            "POST /admin/jobs/{id}/retries": Self.recorded,
        ]
    }
}
