import Crypto
import Foundation
import Kernel

/// What our service worker is told, before it is encrypted.
struct PushMessage: Encodable, Equatable {
    struct Action: Encodable, Equatable {
        let action: String
        let title: String
    }

    /// The notice, which is marked as read when somebody opens it.
    let id: String
    let title: String
    /// May hold the mark of a time.
    let body: String
    /// What the mark stands for; the device says it by its own clock.
    let time: String?
    /// The page that it leads to.
    let url: String
    /// A newer message with the same tag takes the place of the older one.
    let tag: String
    let lang: String
    /// When it happened, in milliseconds, as browsers take it.
    let timestamp: Int64
    let actions: [Action]

    init(_ delivery: Delivery) {
        let notice = delivery.entry.notice
        let language = delivery.language ?? delivery.subscription.language
        let words = NoticeWords(language: language)
        let text = delivery.hidesDetails && notice.kind != .test ? words.hidden : words.text(of: notice)
        id = notice.id.description
        title = String(text.title.prefix(Limits.pushTitleCharacters))
        body = String(text.body.prefix(Limits.pushBodyCharacters))
        time = text.time?.rfc3339
        url = notice.resource
        tag = notice.tag
        lang = language
        timestamp = notice.at.millisecondsSince1970
        let isHidden = delivery.hidesDetails && notice.kind != .test
        actions = [Action(action: "open", title: isHidden ? words.openDetails : words.action(for: notice.kind))]
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
    }

    /// As JSON, at most ``Limits/pushMessageBytes``: characters that take many bytes cost some of the words.
    func encoded() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var message = self
        while true {
            let bytes = Array(try encoder.encode(message))
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
    /// What makes a newer message take the place of an older one: for a thing and for a step of a parcel only the latest
    /// counts, while each chore and each level is news of its own.
    var tag: String {
        switch kind {
        case .itemTooFar, .switchNotConfirmed, .historyFull, .packageAccepted, .packagePickedUp, .packageDelivered,
            .packageDeadlineNear,
            .packageCancelled,
            .packageCancellationRequested, .packageDeliveryReported, .packageDisputed, .packageDecided, .packageLapsed,
            .packageNotFunded:
            "\(kind.rawValue) \(resource)"
        case .choreRequested, .childSignedIn, .childDeletion: "\(kind.rawValue) \(resource)"
        case .choreAssigned, .levelReached, .choreDeclined, .pointsUndone, .contractAdded, .parentJoined, .parentLeft,
            .parentRemoval, .signInCodeMade, .test:
            id.description
        }
    }

    /// The tag for push services, which replace what they still hold (RFC 8030, 5.4): at most 32 characters of
    /// base64url, and nothing that tells them what it is about.
    func topic(for subscription: ID<PushSubscription>) -> String {
        let digest = SHA256.hash(data: Array("\(subscription) \(tag)".utf8))
        return Base64URL.text(digest.prefix(24))
    }

    /// How much a device's battery may be asked for it (RFC 8030, 5.3).
    var urgency: String {
        switch kind {
        case .itemTooFar, .switchNotConfirmed, .packageDeadlineNear, .packageCancelled, .packageCancellationRequested,
            .packageDeliveryReported, .packageDisputed, .packageDecided, .packageLapsed, .packageNotFunded,
            .parentJoined, .parentRemoval, .signInCodeMade, .childSignedIn, .childDeletion, .test:
            "high"
        default: "normal"
        }
    }
}
