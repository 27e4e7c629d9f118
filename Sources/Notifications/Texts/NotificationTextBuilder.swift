package import Kernel

/// Formats notifications in one language.
package struct NotificationTextBuilder: Sendable {
    let t: Translator
    private let tracking: TrackingNotificationTexts
    private let people: PeopleNotificationTexts
    private let carrepsa: CarrepsaNotificationTexts
    private let family: FamilyNotificationTexts

    package init(_ t: Translator) {
        self.t = t
        tracking = TrackingNotificationTexts(t: t)
        people = PeopleNotificationTexts(t: t)
        carrepsa = CarrepsaNotificationTexts(t: t)
        family = FamilyNotificationTexts(t: t)
    }

    /// The label of the message's button that opens the page.
    package var openDetails: String { t("Open details") }

    /// The text of a message without details, for people who hide them on the lock screen.
    var hidden: NotificationText {
        NotificationText("Homeward", t("Something new happened. Open the app to see it."))
    }

    /// Returns the buttons that give points without opening a page: for a child's request, otherwise none.
    func pointsActions(for kind: NoticeKind) -> [(points: Int, label: String)] {
        kind == .choreRequested ? [1, 2].map { ($0, family.points($0)) } : []
    }

    /// The text of the message after such a button failed.
    var pointsFailure: String { family.pointsFailure }

    /// Returns the text of a notification, with the number of those that it replaced. Omits details that are missing.
    package func text(of notice: Notice) -> NotificationText {
        let text = ownText(of: notice)
        guard notice.further > 0 else { return text }
        let more = t("And {n} more.", plural: "And {n} more.", count: notice.further)
        return NotificationText(text.title, text.body.isEmpty ? more : "\(text.body) \(more)", time: text.time)
    }

    private func ownText(of notice: Notice) -> NotificationText {
        let details = NotificationDetails(notice, t)
        return switch notice.kind {
        case .itemTooFar: tracking.itemTooFar(details)
        case .batteryLow: tracking.batteryLow(details)
        case .itemSilent: tracking.itemSilent(details)
        case .itemMoved: tracking.itemMoved(details)
        case .itemArrived: tracking.itemArrived(details)
        case .itemLeft: tracking.itemLeft(details)
        case .itemNotArrived: tracking.itemNotArrived(details)
        case .switchNotConfirmed: tracking.switchNotConfirmed(details)
        case .historyFull: tracking.historyFull(details)
        case .itemShared: tracking.itemShared(details)
        case .itemFound: tracking.itemFound(details)
        case .itemReturned: tracking.itemReturned(details)
        case .liveLinkMet: tracking.liveLinkMet()
        case .positionShared: people.positionShared(details)
        case .personCrossed: people.personCrossed(details)
        case .packageAccepted, .packagePickedUp, .packageDelivered, .packageCancelled, .packageCancellationRequested,
            .packageDeliveryReported, .packageDisputed, .packageDecided, .packageLapsed, .packageNotFunded:
            carrepsa.package(notice.kind, details)
        case .packageDeadlineNear: carrepsa.deadlineNear(details)
        case .walletPayment: carrepsa.walletPayment(details)
        case .payoutRequest: carrepsa.payoutRequest(details)
        case .packageOnTrip: carrepsa.onTrip(details)
        case .packageMessage: carrepsa.message(details)
        case .packageReview: carrepsa.review(details)
        case .choreAssigned: family.choreAssigned(details)
        case .choreCounted: family.choreCounted(details)
        case .levelReached: family.levelReached(details)
        case .choreRequested: family.choreRequested(details)
        case .choreDeclined: family.choreDeclined(details)
        case .pointsUndone: family.pointsUndone(details)
        case .contractAdded: family.contractAdded(details)
        case .rewardBought: family.rewardBought(details)
        case .purchaseDecided: family.purchaseDecided(details)
        case .goalReached: family.goalReached(details)
        case .wishAdded: family.wishAdded(details)
        case .wishDecided: family.wishDecided(details)
        case .parentJoined: family.parentJoined(details)
        case .parentLeft: family.parentLeft(details)
        case .parentRemoval: family.parentRemoval(details)
        case .signInCodeMade: family.signInCodeMade(details)
        case .childSignedIn: family.childSignedIn(details)
        case .childDeletion: family.childDeletion(details)
        case .choreTurn: family.choreTurn(details)
        case .choreDue: family.choreDue(details)
        case .weekReviewed: family.weekReviewed(details)
        case .chorePause: family.chorePause(details)
        case .test: NotificationText(t("Notifications work"), t("This is how Homeward notifies you."))
        }
    }
}
