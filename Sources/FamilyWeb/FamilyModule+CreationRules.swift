import Kernel
package import WebCore

extension FamilyModule {
    private static let objects = CreationRule.hourly("household objects", Limits.householdObjectsPerHour)
    private static let assignments = CreationRule.hourly("assignments", Limits.assignmentsPerHour)
    private static let requests = CreationRule.hourly("chore requests", Limits.choreRequestsPerHour)
    private static let turns = CreationRule.hourly("turns", Limits.turnChangesPerHour)
    private static let purchases = CreationRule.hourly("purchases", Limits.purchasesPerHour)
    private static let wishes = CreationRule.hourly("wishes", Limits.wishesPerHour)
    private static let codes = CreationRule.hourly("family codes", Limits.familyCodesPerHour)
    private static let removals = CreationRule.daily("removals", Limits.removalsPerDay)
    private static let oncePerRequest = CreationRule.limited("Once for each request.")
    private static let oncePerCode = CreationRule.limited("Once for each code; wrong codes count in a throttle.")

    package var creationRules: [String: CreationRule] {
        Self.householdRules.merging(Self.childRules) { first, _ in first }
    }

    private static let householdRules: [String: CreationRule] = [
        "POST /family/children": objects,
        "POST /family/children/{id}/restoration": .limited(
            "Once for each deletion; FloodRule limits the notifications."),
        "POST /family/children/{id}/contracts": objects,
        "PUT /family/children/{id}/contracts/{contractId}/levels/{level}/handover": .limited("Replaces a date."),
        "POST /family/chores": objects,
        "PUT /family/chores/{id}/schedule": .limited("Replaces the schedule of a chore."),
        "PUT /family/chores/{id}/skips/{date}": turns,
        "POST /family/chores/{id}/restoration": .limited("Once for each deletion."),
        "POST /family/starter-chores": objects,
        "POST /family/setup": objects,
        "POST /family/pauses": objects,
        "POST /family/shop": objects,
        "PUT /family/shop/{id}": .limited("Replaces a reward."),
        "POST /family/shop/{id}/restoration": .limited("Once for each deletion."),
        "POST /family/invitations": codes,
        "POST /family/parents": .limited("Once for each invitation; wrong ones count in a throttle."),
        "PUT /family/parents/{id}/removal": removals,
        "POST /family/children/{id}/sign-in-codes": codes,
        "POST /family/sign-in": oncePerCode,
        "POST /family/tablets/codes": codes,
        "POST /family/tablet/pairing": oncePerCode,
        "POST /family/tablet/children/{id}/picture-pin": .limited(
            "Stores nothing, and wrong PINs count in a throttle."),
        "PUT /family/children/{id}/picture-pin": .limited("Replaces the PIN."),
    ]

    private static let childRules: [String: CreationRule] = [
        "POST /family/children/{id}/assignments": assignments,
        "POST /family/children/{id}/requests": requests,
        "POST /family/tablet/children/{id}/requests": requests,
        "POST /family/children/{id}/requests/{requestId}/approval": oncePerRequest,
        "POST /family/requests/approvals": oncePerRequest,
        "PUT /family/children/{id}/turns/{choreId}/{date}": turns,
        "PUT /family/tablet/children/{id}/turns/{choreId}/{date}": turns,
        "POST /family/children/{id}/swaps": turns,
        "PUT /family/swaps/{id}/acceptance": .limited("Once for each swap."),
        "PUT /family/swaps/{id}/approval": .limited("Once for each swap."),
        "POST /family/children/{id}/purchases": purchases,
        "POST /family/children/{id}/purchases/{purchaseId}/approval": .limited("Once for each purchase."),
        "POST /family/children/{id}/purchases/{purchaseId}/refund": .limited("Once for each purchase."),
        "POST /family/children/{id}/wishes": wishes,
        "PUT /family/children/{id}/goal": wishes,
    ]
}
