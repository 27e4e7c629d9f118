import Testing

@testable import Family

@Suite("Permissions in a household")
struct PolicyTests {
    /// The expected permissions of one action: for a parent, for a child about itself, for a child about its siblings
    /// and the household, for a parent about themselves, and for the parent who created the household.
    struct Expected: Sendable {
        let action: FamilyAction
        let parent: FamilyDecision
        let oneself: FamilyDecision
        let sibling: FamilyDecision
        /// The same as `parent` if `nil`.
        var themselves: FamilyDecision?
        /// The same as `parent` if `nil`.
        var maker: FamilyDecision?
    }

    private static let table: [Expected] = [
        Expected(action: .seeChild, parent: .allowed, oneself: .allowed, sibling: .allowed),
        Expected(action: .seeContracts, parent: .allowed, oneself: .allowed, sibling: .allowed),
        Expected(action: .seeAssignments, parent: .allowed, oneself: .allowed, sibling: .allowed),
        Expected(action: .seeChores, parent: .allowed, oneself: .forbidden, sibling: .allowed),
        Expected(action: .seeParents, parent: .allowed, oneself: .forbidden, sibling: .allowed),
        Expected(action: .seeRequests, parent: .allowed, oneself: .allowed, sibling: .forbidden),
        Expected(action: .seeDevices, parent: .allowed, oneself: .allowed, sibling: .forbidden),
        Expected(action: .seeCode, parent: .allowed, oneself: .forbidden, sibling: .forbidden),
        Expected(action: .addChild, parent: .allowed, oneself: .forbidden, sibling: .forbidden),
        Expected(action: .editChild, parent: .allowed, oneself: .allowed, sibling: .forbidden),
        Expected(action: .deleteChild, parent: .allowed, oneself: .forbidden, sibling: .forbidden),
        Expected(action: .seeDeletedChildren, parent: .allowed, oneself: .forbidden, sibling: .forbidden),
        Expected(action: .eraseChild, parent: .allowed, oneself: .forbidden, sibling: .forbidden),
        Expected(action: .restoreChild, parent: .allowed, oneself: .forbidden, sibling: .forbidden),
        Expected(action: .addContract, parent: .allowed, oneself: .forbidden, sibling: .forbidden),
        Expected(action: .handOver, parent: .allowed, oneself: .forbidden, sibling: .forbidden),
        Expected(action: .addChore, parent: .allowed, oneself: .forbidden, sibling: .forbidden),
        Expected(action: .editChore, parent: .allowed, oneself: .forbidden, sibling: .forbidden),
        Expected(action: .deleteChore, parent: .allowed, oneself: .forbidden, sibling: .forbidden),
        Expected(action: .restoreChore, parent: .allowed, oneself: .forbidden, sibling: .forbidden),
        Expected(action: .assign, parent: .allowed, oneself: .forbidden, sibling: .forbidden),
        Expected(action: .claim, parent: .allowed, oneself: .allowed, sibling: .forbidden),
        Expected(action: .seeSwaps, parent: .allowed, oneself: .forbidden, sibling: .allowed),
        Expected(action: .swap, parent: .forbidden, oneself: .allowed, sibling: .forbidden),
        Expected(action: .acceptSwap, parent: .forbidden, oneself: .allowed, sibling: .forbidden),
        Expected(action: .approveSwap, parent: .allowed, oneself: .forbidden, sibling: .forbidden),
        Expected(action: .declineSwap, parent: .allowed, oneself: .allowed, sibling: .forbidden),
        Expected(action: .pause, parent: .allowed, oneself: .forbidden, sibling: .forbidden),
        Expected(action: .undo, parent: .allowed, oneself: .forbidden, sibling: .forbidden),
        Expected(action: .request, parent: .forbidden, oneself: .allowed, sibling: .forbidden),
        Expected(action: .approve, parent: .allowed, oneself: .forbidden, sibling: .forbidden),
        Expected(action: .decline, parent: .allowed, oneself: .forbidden, sibling: .forbidden),
        Expected(action: .seeShop, parent: .allowed, oneself: .forbidden, sibling: .allowed),
        Expected(action: .addReward, parent: .allowed, oneself: .forbidden, sibling: .forbidden),
        Expected(action: .editReward, parent: .allowed, oneself: .forbidden, sibling: .forbidden),
        Expected(action: .deleteReward, parent: .allowed, oneself: .forbidden, sibling: .forbidden),
        Expected(action: .restoreReward, parent: .allowed, oneself: .forbidden, sibling: .forbidden),
        Expected(action: .seePurchases, parent: .allowed, oneself: .allowed, sibling: .forbidden),
        Expected(action: .buy, parent: .forbidden, oneself: .allowed, sibling: .forbidden),
        Expected(action: .seeWishes, parent: .allowed, oneself: .allowed, sibling: .forbidden),
        Expected(action: .addWish, parent: .forbidden, oneself: .allowed, sibling: .forbidden),
        Expected(action: .withdrawWish, parent: .forbidden, oneself: .allowed, sibling: .forbidden),
        Expected(action: .declineWish, parent: .allowed, oneself: .forbidden, sibling: .forbidden),
        Expected(action: .grantWish, parent: .allowed, oneself: .forbidden, sibling: .forbidden),
        Expected(action: .chooseGoal, parent: .forbidden, oneself: .allowed, sibling: .forbidden),
        Expected(action: .cancelPurchase, parent: .forbidden, oneself: .allowed, sibling: .forbidden),
        Expected(action: .approvePurchase, parent: .allowed, oneself: .forbidden, sibling: .forbidden),
        Expected(action: .declinePurchase, parent: .allowed, oneself: .forbidden, sibling: .forbidden),
        Expected(action: .refundPurchase, parent: .allowed, oneself: .forbidden, sibling: .forbidden),
        Expected(action: .makeCode, parent: .allowed, oneself: .forbidden, sibling: .forbidden),
        Expected(action: .voidCodes, parent: .allowed, oneself: .forbidden, sibling: .forbidden),
        Expected(action: .removeDevice, parent: .allowed, oneself: .allowed, sibling: .forbidden),
        Expected(action: .skip, parent: .allowed, oneself: .forbidden, sibling: .forbidden),
        Expected(action: .seeTablets, parent: .allowed, oneself: .forbidden, sibling: .forbidden),
        Expected(action: .pairTablet, parent: .allowed, oneself: .forbidden, sibling: .forbidden),
        Expected(action: .removeTablet, parent: .allowed, oneself: .forbidden, sibling: .forbidden),
        Expected(action: .setPicturePIN, parent: .allowed, oneself: .forbidden, sibling: .forbidden),
        Expected(action: .invite, parent: .allowed, oneself: .forbidden, sibling: .forbidden),
        Expected(action: .join, parent: .allowed, oneself: .forbidden, sibling: .forbidden),
        Expected(action: .withdrawRequest, parent: .forbidden, oneself: .allowed, sibling: .forbidden),
        Expected(action: .seeInvitations, parent: .allowed, oneself: .forbidden, sibling: .forbidden),
        Expected(action: .revokeInvitation, parent: .allowed, oneself: .forbidden, sibling: .forbidden),
        Expected(
            action: .leave, parent: .forbidden, oneself: .forbidden, sibling: .forbidden, themselves: .allowed),
        Expected(
            action: .removeParent, parent: .forbidden, oneself: .forbidden, sibling: .forbidden, maker: .allowed),
        Expected(
            action: .announceRemoval, parent: .allowed, oneself: .forbidden, sibling: .forbidden,
            themselves: .forbidden),
        Expected(
            action: .withdrawRemoval, parent: .allowed, oneself: .forbidden, sibling: .forbidden,
            themselves: .forbidden),
        Expected(
            action: .refuseRemoval, parent: .forbidden, oneself: .forbidden, sibling: .forbidden,
            themselves: .allowed),
    ]

    @Test("Every action has the permissions of this table, and none is missing")
    func exhaustive() {
        #expect(Set(Self.table.map(\.action)) == Set(FamilyAction.allCases))
        #expect(Self.table.count == FamilyAction.allCases.count)
        for row in Self.table {
            #expect(FamilyPolicy.verdict(.parent, .household, row.action) == row.parent, "\(row.action)")
            #expect(FamilyPolicy.verdict(.child, .oneself, row.action) == row.oneself, "\(row.action)")
            #expect(FamilyPolicy.verdict(.child, .household, row.action) == row.sibling, "\(row.action)")
            #expect(
                FamilyPolicy.verdict(.maker, .household, row.action) == row.maker ?? row.parent, "\(row.action)")
            for standing: HouseholdRole in [.parent, .maker] {
                #expect(
                    FamilyPolicy.verdict(standing, .oneself, row.action) == row.themselves ?? row.parent,
                    "\(row.action)")
            }
        }
    }

    @Test("For a stranger nothing exists, whatever their role and the action", arguments: FamilyAction.allCases)
    func strangers(action: FamilyAction) {
        for standing in HouseholdRole.allCases {
            #expect(FamilyPolicy.verdict(standing, .stranger, action) == .notFound)
        }
    }
}
