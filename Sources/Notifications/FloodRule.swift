import Crypto
import Kernel

/// How many notifications of a kind one person gets. Further ones don't send a push message: the newest notification
/// of the matter takes their content and counts them.
package struct FloodRule: Sendable, Equatable {
    /// Notifications about one matter (``Notice/matter``) in ``Limits/noticeMatterSeconds``.
    package let perMatter: Int
    /// Notifications of the kind in a day.
    package let perDay: Int

    /// Another person can cause them at will.
    static let others = FloodRule(perMatter: 1, perDay: 100)
    /// Each may need an answer at once: messages of the other person of a delivery, or of finders.
    static let messages = FloodRule(perMatter: 20, perDay: 300)
    /// The server finds them by its own rules, from positions.
    static let alerts = FloodRule(perMatter: 10, perDay: 400)
    /// Members of a household, people who share an item, and administrators cause them.
    static let members = FloodRule(perMatter: 3, perDay: 100)
    /// The person causes them; a throttle limits such tests.
    static let own = FloodRule(perMatter: 60, perDay: 400)
    /// New offers on the ways of a person: one matter for all trips and offers.
    static let digest = FloodRule(perMatter: 1, perDay: 6)
}

extension NoticeKind {
    package var floodRule: FloodRule {
        switch self {
        case .itemTooFar, .batteryLow, .itemSilent, .itemMoved, .itemArrived, .itemLeft, .itemNotArrived,
            .switchNotConfirmed, .historyFull, .itemReturned, .personCrossed:
            .alerts
        case .itemFound, .packageMessage: .messages
        case .liveLinkMet, .packageAccepted, .packagePickedUp, .packageDelivered,
            .packageDeadlineNear, .packageCancelled, .packageCancellationRequested, .packageDeliveryReported,
            .packageDisputed, .packageDecided, .packageLapsed, .packageNotFunded, .payoutRequest, .packageReview:
            .others
        case .packageOnTrip: .digest
        case .walletPayment, .itemShared, .positionShared, .choreAssigned, .choreCounted, .levelReached,
            .choreRequested, .choreDeclined,
            .pointsUndone, .contractAdded, .rewardBought, .purchaseDecided, .goalReached, .wishAdded, .wishDecided,
            .parentJoined, .parentLeft, .parentRemoval, .signInCodeMade, .childSignedIn, .childDeletion, .choreTurn,
            .choreDue, .weekReviewed, .chorePause:
            .members
        case .test: .own
        }
    }
}

extension Notice {
    /// The details that say what happened, to what and by whom. The others say how much, and when.
    private static let matterDetails = [
        "event", "step", "outcome", "who", "child", "rule", "rulePlace", "level", "date", "access", "payment",
    ]

    /// Identifies what the notification is about, among the notifications of its person: a digest of its kind, its
    /// object and what happened.
    var matter: String {
        // A person stays the same under another name. An object has its path, and may be renamed for each message; only
        // chores are on the pages of their family.
        let object = resource.hasPrefix("/family") ? subject : ""
        let about = people[Self.subjectKey]?.description ?? object
        let what = Self.matterDetails.map { people[$0]?.description ?? details[$0] ?? "" }
        let parts = kind == .packageOnTrip ? [kind.rawValue] : [kind.rawValue, resource, about] + what
        var hash = SHA256()
        for part in parts {
            hash.update(data: Array("\(part.utf8.count):".utf8))
            hash.update(data: Array(part.utf8))
        }
        return Base64URL.encoded(hash.finalize().prefix(12))
    }
}
