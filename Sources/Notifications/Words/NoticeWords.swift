import Foundation
import Kernel

/// Says notices in one language.
package struct NoticeWords: Sendable {
    /// The button on a message that leads to what it is about.
    package let openDetails: String
    /// A message for who doesn't want others to read more on the lock screen.
    let hidden: NoticeText
    private let isGerman: Bool
    private let locale: Locale
    let sentences: NoticeSentences

    /// Words in a language by its tag; English for one that we don't speak.
    package init(language: String?) {
        isGerman = language == "de"
        sentences = isGerman ? .german : .english
        locale = Locale(identifier: isGerman ? "de_DE" : "en_GB")
        openDetails = sentences.openDetails
        hidden = NoticeText(sentences.hiddenTitle, sentences.hiddenBody)
    }

    /// The label of the button on a notification of a kind.
    func action(for kind: NoticeKind) -> String {
        kind == .choreRequested ? sentences.family.requested.action : openDetails
    }

    /// What a kind is called among the settings.
    package func name(of kind: NoticeKind) -> String { sentences.name(kind) }

    /// A notice in words. Details that are missing are left out.
    package func text(of notice: Notice) -> NoticeText {
        let fill = { (sentence: String) in filled(sentence, notice) }
        let details = notice.details
        if let event = details["event"].flatMap({ PackageEvent(rawValue: $0) }), event.kind == notice.kind {
            let (title, text) = isGerman ? event.german : event.english
            return NoticeText(title, fill(text))
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
            return NoticeText(fill(title), fill(body), time: lastSeenAt)
        case .switchNotConfirmed:
            let (title, body) = sentences.switches[details["outcome"] ?? ""] ?? sentences.switchPlain
            return NoticeText(fill(title), body)
        case .historyFull:
            let (title, body) = details["percent"] == "100" ? sentences.historyFull : sentences.historyNearlyFull
            return NoticeText(title, body)
        case .packageCancelled, .packageCancellationRequested, .packageDeliveryReported, .packageDisputed,
            .packageDecided, .packageLapsed, .packageNotFunded:
            return NoticeText(sentences.name(notice.kind), fill("SUBJECT"))
        case .packageAccepted, .packagePickedUp, .packageDelivered:
            let (title, withName, without) = sentences.parcel(notice.kind)
            return NoticeText(title, fill(details["who"] == nil ? without : withName))
        case .packageDeadlineNear:
            let deadline = details["deadline"].flatMap { Instant(rfc3339: $0) }
            let body = deadline == nil ? sentences.deadlineSoon : sentences.deadlineAt
            return NoticeText(sentences.deadlineNear, fill(body), time: deadline)
        case .choreAssigned:
            let title = details["points"] == "1" ? sentences.choreOnePoint : sentences.chorePoints
            return NoticeText(
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
            return NoticeText(fill(title), fill(body))
        case .choreRequested, .choreDeclined, .pointsUndone, .contractAdded, .parentJoined, .parentLeft,
            .parentRemoval, .signInCodeMade, .childSignedIn, .childDeletion:
            return familyText(of: notice) ?? NoticeText(notice.subject, "")
        case .test: return NoticeText(sentences.testTitle, sentences.testBody)
        }
    }

    /// Each mark is filled once, from left to right, so that a name which looks like a mark stays a name.
    func filled(_ sentence: String, _ notice: Notice) -> String {
        let values: [(mark: String, value: String)] = [
            ("SUBJECT", notice.subject), ("WHO", notice.details["who"] ?? sentences.somebody),
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
                // Somebody's name must not be taken for the place of the time.
                text += value.replacing(NoticeText.timeMark, with: "")
                rest = rest.dropFirst(mark.count)
                // A name that ends with a full stop, such as "Ole O.", ends the sentence, too.
                if text.hasSuffix("."), rest.first == "." { rest = rest.dropFirst() }
            } else {
                text.append(rest.removeFirst())
            }
        }
        return text
    }

    /// The amount of minor units in the reader's language.
    private func amount(_ details: [String: String]) -> String {
        guard let minor = details["amount"].flatMap({ Int64($0) }),
            let currency = details["currency"].flatMap({ Currency(code: $0) })
        else { return details["amount"] ?? "" }
        return currency.text(minor, language: isGerman ? "de" : "en")
    }

    /// `60.17,24.94` with as many digits as make sense for a tracker: five are a metre.
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
