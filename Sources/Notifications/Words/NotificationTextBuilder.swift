import Foundation
import Kernel

/// Formats notifications in one language.
package struct NotificationTextBuilder: Sendable {
    /// The label of the message's button that opens the page.
    package let openDetails: String
    /// The text of a message without details, for people who hide them on the lock screen.
    let hidden: NotificationText
    private let isGerman: Bool
    private let locale: Locale
    let sentences: NotificationTexts

    /// Creates a formatter for a language tag; English for unsupported languages.
    package init(language: String?) {
        isGerman = language == "de"
        sentences = isGerman ? .german : .english
        locale = Locale(identifier: isGerman ? "de_DE" : "en_GB")
        openDetails = sentences.openDetails
        hidden = NotificationText(sentences.hiddenTitle, sentences.hiddenBody)
    }

    /// Returns the label of a notification's button.
    func action(for kind: NoticeKind) -> String {
        kind == .choreRequested ? sentences.family.requested.action : openDetails
    }

    /// Returns the label of a kind in the notification settings.
    package func name(of kind: NoticeKind) -> String { sentences.name(kind) }

    /// Returns the text of a notification. Omits details that are missing.
    package func text(of notice: Notice) -> NotificationText {
        let fill = { (sentence: String) in filled(sentence, notice) }
        let details = notice.details
        if let event = details["event"].flatMap({ PackageEvent(rawValue: $0) }), event.kind == notice.kind {
            let (title, text) = isGerman ? event.german : event.english
            return NotificationText(title, fill(text))
        }
        switch notice.kind {
        case .itemTooFar:
            let title = details["distanceMetres"] == nil ? sentences.tooFar : sentences.tooFarBy
            let lastSeenAt = details["lastSeenAt"].flatMap { Instant(rfc3339: $0) }
            let body =
                switch (details["place"], lastSeenAt) {
                case (_?, _?): sentences.lastSeenThereThen
                case (_?, nil): sentences.lastSeenThere
                case (nil, _?): sentences.lastSeenThen
                case (nil, nil): ""
                }
            return NotificationText(fill(title), fill(body), time: lastSeenAt)
        case .switchNotConfirmed:
            let (title, body) = sentences.switches[details["outcome"] ?? ""] ?? sentences.switchPlain
            return NotificationText(fill(title), body)
        case .historyFull:
            let (title, body) = details["percent"] == "100" ? sentences.historyFull : sentences.historyNearlyFull
            return NotificationText(title, body)
        case .packageCancelled, .packageCancellationRequested, .packageDeliveryReported, .packageDisputed,
            .packageDecided, .packageLapsed, .packageNotFunded:
            return NotificationText(sentences.name(notice.kind), fill("SUBJECT"))
        case .packageAccepted, .packagePickedUp, .packageDelivered:
            let (title, withName, without) = sentences.parcel(notice.kind)
            return NotificationText(title, fill(details["who"] == nil ? without : withName))
        case .packageDeadlineNear:
            let deadline = details["deadline"].flatMap { Instant(rfc3339: $0) }
            let body = deadline == nil ? sentences.deadlineSoon : sentences.deadlineAt
            return NotificationText(sentences.deadlineNear, fill(body), time: deadline)
        case .choreAssigned:
            let title = details["points"] == "1" ? sentences.choreOnePoint : sentences.chorePoints
            return NotificationText(
                fill(details["points"] == nil ? "SUBJECT" : title),
                details["child"] == nil ? sentences.choreDone : fill(sentences.choreDoneBy)
            )
        case .levelReached:
            let title = details["level"] == nil ? sentences.levelReached : sentences.numberedLevelReached
            let body =
                switch (details["child"], details["reward"]) {
                case (_?, _?): sentences.levelOfChild
                case (nil, _?): sentences.levelReward
                case (_, nil): "SUBJECT"
                }
            return NotificationText(fill(title), fill(body))
        case .choreRequested, .choreDeclined, .pointsUndone, .contractAdded, .parentJoined, .parentLeft,
            .parentRemoval, .signInCodeMade, .childSignedIn, .childDeletion:
            return familyText(of: notice) ?? NotificationText(notice.subject, "")
        case .test: return NotificationText(sentences.testTitle, sentences.testBody)
        }
    }

    /// Replaces each placeholder once from left to right, so that a name which looks like a placeholder stays
    /// unchanged.
    func filled(_ sentence: String, _ notice: Notice) -> String {
        let values: [(mark: String, value: String)] = [
            ("SUBJECT", notice.subject), ("WHO", notice.details["who"] ?? sentences.someone),
            ("AMOUNT", amount(notice.details)),
            ("CHILD", notice.details["child"] ?? ""), ("REWARD", notice.details["reward"] ?? ""),
            ("LEVEL", notice.details["level"] ?? ""), ("POINTS", notice.details["points"] ?? ""),
            ("REASON", notice.details["reason"] ?? ""), ("DEVICE", notice.details["device"] ?? ""),
            ("PLACE", place(notice.details["place"] ?? "")),
            ("DISTANCE", distance(notice.details["distanceMetres"] ?? "")),
        ]
        var rest = sentence[...]
        var text = ""
        while !rest.isEmpty {
            if let (mark, value) = values.first(where: { rest.hasPrefix($0.mark) }) {
                // A name must not be mistaken for the time mark.
                text += value.replacing(NotificationText.timeMark, with: "")
                rest = rest.dropFirst(mark.count)
                // A name that ends with a full stop, like "Ole O.", also ends the sentence.
                if text.hasSuffix("."), rest.first == "." { rest = rest.dropFirst() }
            } else {
                text.append(rest.removeFirst())
            }
        }
        return text
    }

    /// Formats an amount of minor units in the reader's language.
    private func amount(_ details: [String: String]) -> String {
        guard let minor = details["amount"].flatMap({ Int64($0) }),
            let currency = details["currency"].flatMap({ Currency(code: $0) })
        else { return details["amount"] ?? "" }
        return currency.text(minor, in: isGerman ? .german : .english)
    }

    /// Formats `60.17,24.94` with five decimals, which is about a metre and the precision of a tracker.
    private func place(_ text: String) -> String {
        let numbers = text.split(separator: ",").compactMap { Double($0.trimmingCharacters(in: .whitespaces)) }
        guard numbers.count == 2 else { return text }
        let style = FloatingPointFormatStyle<Double>(locale: Locale(identifier: "en_GB"))
            .precision(.fractionLength(5)).grouping(.never)
        return numbers.map { $0.formatted(style) }.joined(separator: ", ")
    }

    private func distance(_ text: String) -> String {
        guard let metres = Double(text), metres.isFinite else { return "\(text)\u{a0}m" }
        let style = FloatingPointFormatStyle<Double>(locale: locale)
        if metres < 1_000 { return "\(metres.rounded().formatted(style.precision(.fractionLength(0))))\u{a0}m" }
        return "\((metres / 1_000).formatted(style.precision(.fractionLength(1))))\u{a0}km"
    }
}
