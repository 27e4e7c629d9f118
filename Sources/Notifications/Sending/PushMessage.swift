import Crypto
import Kernel
import Translations

/// The content of a push message for the service worker, before encryption.
struct PushMessage: Encodable, Equatable {
    struct Action: Encodable, Equatable {
        let action: String
        let title: String
    }

    /// The notification's id. The service worker marks it as read when the person opens it.
    let id: String
    let title: String
    /// May contain ``NotificationText/timeMark``.
    let body: String
    /// The time that replaces the mark; the device formats it in its own time zone.
    let time: String?
    /// The path of the page that it opens.
    let url: String
    /// A newer message with the same tag replaces the older one.
    let tag: String
    let lang: String
    /// The time of the event in milliseconds, as browsers expect it.
    let timestamp: Int64
    let actions: [Action]
    /// What the service worker says if an action fails; `nil` if all of them open the page.
    let failure: String?
    /// The path of a page that the person may not see any more, also without a connection; `nil` for none.
    let forgets: String?

    init(_ message: OutgoingPushMessage) {
        let notice = message.entry.notice
        let language = Language(rawValue: message.language ?? message.subscription.language) ?? .english
        let texts = NotificationTextBuilder(Translations.translator(language))
        let isHidden = message.hidesDetails && notice.kind != .test
        let text = isHidden ? texts.hidden : texts.text(of: notice)
        id = notice.id.description
        title = String(text.title.prefix(Limits.pushTitleCharacters))
        body = String(text.body.prefix(Limits.pushBodyCharacters))
        time = text.time?.rfc3339
        url = notice.resource
        tag = notice.tag
        lang = language.rawValue
        timestamp = notice.at.millisecondsSince1970
        // Most browsers show two buttons. Without details, the points could go to another chore than meant.
        let points = isHidden ? [] : texts.pointsActions(for: notice.kind)
        actions =
            points.isEmpty
            ? [Action(action: "open", title: texts.openDetails)]
            : points.map { Action(action: "points-\($0.points)", title: $0.label) }
        failure = points.isEmpty ? nil : texts.pointsFailure
        forgets = notice.details["forgets"]
    }

    private init(_ message: PushMessage, body: String, title: String) {
        id = message.id
        self.title = title
        self.body = body
        time = message.time
        url = message.url
        tag = message.tag
        lang = message.lang
        timestamp = message.timestamp
        actions = message.actions
        failure = message.failure
        forgets = message.forgets
    }

    /// Encodes the message as JSON of at most ``Limits/pushMessageBytes``. Shortens body and title if they exceed it.
    func encoded() throws -> [UInt8] {
        var message = self
        while true {
            let bytes = try message.json()
            guard bytes.count > Limits.pushMessageBytes else { return bytes }
            guard !message.title.isEmpty || !message.body.isEmpty else {
                throw AppError(.tooLarge, "A message is too long.")
            }
            message = PushMessage(
                message, body: String(message.body.prefix(message.body.count / 2)),
                title: message.body.isEmpty
                    ? String(message.title.prefix(message.title.count / 2)) : message.title
            )
        }
    }
}

extension Notice {
    /// The tag by which a newer message replaces an older one. Only the latest message counts for an item or a
    /// package event; each chore and each level keeps its own message.
    var tag: String {
        switch kind {
        // It comes with the message that a problem is reported, and must not replace it.
        case .packageDisputed where details["event"] == "opened": id.description
        case .itemTooFar, .batteryLow, .itemSilent, .itemMoved, .itemReturned, .switchNotConfirmed, .historyFull,
            .packageAccepted, .packagePickedUp, .packageDelivered, .packageDeadlineNear, .packageCancelled,
            .packageCancellationRequested, .packageDeliveryReported, .packageDisputed, .packageDecided, .packageLapsed,
            .packageNotFunded, .packageMessage:
            "\(kind.rawValue) \(resource)"
        case .choreRequested, .rewardBought, .childSignedIn, .childDeletion: "\(kind.rawValue) \(resource)"
        case .itemArrived, .itemLeft, .itemNotArrived, .itemShared, .itemFound, .liveLinkMet, .positionShared,
            .personCrossed, .choreAssigned,
            .choreCounted, .levelReached, .choreDeclined, .pointsUndone, .contractAdded, .purchaseDecided, .goalReached,
            .wishAdded, .wishDecided, .parentJoined, .parentLeft, .parentRemoval, .signInCodeMade, .walletPayment,
            .payoutRequest, .packageOnTrip, .packageReview, .choreTurn, .choreDue, .weekReviewed, .chorePause,
            .test:
            id.description
        }
    }

    /// Returns the `Topic` by which push services replace queued messages (RFC 8030, 5.4): at most 32 characters of
    /// base64url. A hash, so that it reveals nothing to the push service.
    func topic(for subscription: ID<PushSubscription>) -> String {
        let digest = SHA256.hash(data: Array("\(subscription) \(tag)".utf8))
        return Base64URL.encoded(digest.prefix(24))
    }

    /// The `Urgency`, which lets devices save battery (RFC 8030, 5.3).
    var urgency: String {
        switch kind {
        case .itemTooFar, .itemMoved, .itemNotArrived, .itemFound, .itemReturned, .personCrossed,
            .switchNotConfirmed, .packageDeadlineNear, .packageCancelled, .packageCancellationRequested,
            .packageDeliveryReported,
            .packageDisputed, .packageDecided, .packageLapsed, .packageNotFunded, .packageMessage,
            .parentJoined, .parentRemoval, .signInCodeMade, .childSignedIn, .childDeletion, .test:
            "high"
        default: "normal"
        }
    }
}
