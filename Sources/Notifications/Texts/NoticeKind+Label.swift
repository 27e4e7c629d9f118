package import Kernel

extension NoticeKind {
    /// Returns the label in the notification settings.
    package func label(_ t: Translator) -> String {
        switch self {
        case .itemTooFar: t("An item is too far away")
        case .switchNotConfirmed: t("A tracker did not turn on or off in time")
        case .historyFull: t("The history is full")
        case .itemShared: t("An item is shared")
        case .packageAccepted: t("A package is accepted")
        case .packagePickedUp: t("A package is picked up")
        case .packageDelivered: t("A package is delivered")
        case .packageDeadlineNear: t("A package’s deadline is near")
        case .packageCancelled: t("A delivery is cancelled")
        case .packageCancellationRequested: t("The other side asks to cancel")
        case .packageDeliveryReported: t("A carrier reports a delivery")
        case .packageDisputed: t("A problem is reported")
        case .packageDecided: t("An administrator decides")
        case .packageLapsed: t("A package wasn’t picked up in time")
        case .packageNotFunded: t("Your wallet doesn’t cover a reward")
        case .walletPayment: t("A payment into or out of your wallet was recorded")
        case .choreAssigned: t("Points for a chore")
        case .choreCounted: t("Points are given automatically")
        case .levelReached: t("A level is reached")
        case .choreRequested: t("A child asks for points")
        case .choreDeclined: t("A request is declined")
        case .pointsUndone: t("Points are taken back")
        case .contractAdded: t("A new contract")
        case .rewardBought: t("A child buys a reward")
        case .purchaseDecided: t("A parent decides on a purchase")
        case .goalReached: t("A saving goal is reached")
        case .wishAdded: t("A child wishes for a reward")
        case .wishDecided: t("A parent decides on a wish")
        case .parentJoined: t("A parent joins the family")
        case .parentLeft: t("A parent leaves the family")
        case .parentRemoval: t("The removal of a parent")
        case .signInCodeMade: t("A parent creates a child’s sign-in code")
        case .childSignedIn: t("A device signs in as a child")
        case .childDeletion: t("A child is deleted or restored")
        case .choreTurn: t("Whose turn a chore is")
        case .choreDue: t("A chore is due soon or overdue")
        case .weekReviewed: t("The week of a child")
        case .chorePause: t("A pause begins or ends")
        case .test: t("Test")
        }
    }
}
