import Kernel
package import WebCore

extension CarrepsaModule {
    private static let offers = CreationRule.daily("offers", Limits.offersPerDay)
    private static let trips = CreationRule.daily("trips", Limits.tripsPerDay)
    private static let payouts = CreationRule.daily("payout requests", Limits.payoutRequestsPerDay)
    private static let cancellations = CreationRule.hourly("cancellation requests", Limits.cancellationRequestsPerHour)
    private static let recipients = CreationRule.hourly("recipients", Limits.recipientChangesPerHour)
    private static let blocks = CreationRule.hourly("blocks", Limits.blocksPerHour)
    private static let oncePerDelivery = CreationRule.limited("Once for each delivery.")

    package var creationRules: [String: CreationRule] {
        [
            "POST /carrepsa/packages": Self.offers,
            "PUT /carrepsa/packages/{id}": .limited("A throttle: Limits.offerEdits."),
            "POST /carrepsa/price-suggestions": .limited("Stores nothing."),
            "POST /carrepsa/place-searches": .limited("Stores nothing, and a throttle: Limits.placeSearches."),
            "POST /carrepsa/trips": Self.trips,
            "PUT /carrepsa/trips/{id}": .limited("Replaces the terms of a trip."),
            "POST /carrepsa/packages/{id}/acceptance": .limited("AcceptanceLimiter: Limits.acceptancesPerDay."),
            "POST /carrepsa/packages/{id}/handover-codes": .limited("A code replaces the one before."),
            "POST /carrepsa/packages/{id}/pickup": Self.oncePerDelivery,
            "POST /carrepsa/packages/{id}/delivery": Self.oncePerDelivery,
            "POST /carrepsa/packages/{id}/delivery-report": Self.oncePerDelivery,
            "POST /carrepsa/packages/{id}/cancellation-request": Self.cancellations,
            "POST /carrepsa/packages/{id}/dispute": Self.oncePerDelivery,
            "POST /carrepsa/packages/{id}/statements": .limited("Limits.disputeStatements for each dispute."),
            "POST /carrepsa/packages/{id}/split-offer": .limited("Limits.disputeStatements for each dispute."),
            "POST /carrepsa/packages/{id}/split-offer/acceptance": Self.oncePerDelivery,
            "POST /carrepsa/packages/{id}/decision": .limited("An administrator decides once, and after an appeal."),
            "POST /carrepsa/packages/{id}/decision/acceptance": Self.oncePerDelivery,
            "POST /carrepsa/packages/{id}/appeal": Self.oncePerDelivery,
            "POST /carrepsa/packages/{id}/proofs": .limited("Limits.packageProofs for each package."),
            "PUT /carrepsa/packages/{id}/recipient": Self.recipients,
            "POST /carrepsa/packages/{id}/recipient/link": Self.recipients,
            "PUT /carrepsa/packages/{id}/recipient/meeting": .limited("Replaces a text of the package."),
            "PUT /deliveries/{secret}/instructions": .limited("Limits.recipientInstructions for each package."),
            "POST /deliveries/{secret}/refusal": Self.oncePerDelivery,
            "POST /carrepsa/packages/{id}/messages": .limited("A throttle: Limits.messagesAtOnce."),
            "PUT /carrepsa/packages/{id}/messages/reading": .limited("Replaces a number."),
            "POST /carrepsa/packages/{id}/messages/{messageId}/report": .limited(
                "A throttle: Limits.messageReportsAtOnce."),
            "POST /carrepsa/packages/{id}/reviews": Self.oncePerDelivery,
            "POST /carrepsa/packages/{id}/reviews/reply": Self.oncePerDelivery,
            "PUT /carrepsa/people/{id}/block": Self.blocks,
            "POST /carrepsa/payout-requests": Self.payouts,
        ]
    }
}
