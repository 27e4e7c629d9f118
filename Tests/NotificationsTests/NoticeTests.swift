import Testing

@testable import Notifications

@Suite("Kinds of notifications")
struct NoticeTests {
    @Test("The stored names of kinds are unchanged")
    func names() {
        #expect(
            NoticeKind.allCases.map(\.rawValue) == [
                "itemTooFar", "batteryLow", "itemSilent", "itemMoved", "itemArrived", "itemLeft", "itemNotArrived",
                "switchNotConfirmed", "historyFull", "itemShared", "itemFound", "itemReturned", "liveLinkMet",
                "positionShared", "personCrossed",
                "packageAccepted", "packagePickedUp",
                "packageDelivered",
                "packageDeadlineNear",
                "packageCancelled", "packageCancellationRequested", "packageDeliveryReported", "packageDisputed",
                "packageDecided", "packageLapsed", "packageNotFunded", "walletPayment", "payoutRequest",
                "packageOnTrip",
                "packageMessage", "packageReview",
                "choreAssigned", "choreCounted", "levelReached", "choreRequested", "choreDeclined", "pointsUndone",
                "contractAdded", "rewardBought", "purchaseDecided", "goalReached", "wishAdded", "wishDecided",
                "parentJoined", "parentLeft", "parentRemoval", "signInCodeMade", "childSignedIn", "childDeletion",
                "choreTurn", "choreDue", "weekReviewed", "chorePause",
                "test",
            ])
    }
}
