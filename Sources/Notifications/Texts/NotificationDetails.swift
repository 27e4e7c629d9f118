import Foundation
import Kernel

/// The details of a notification, formatted for its text.
struct NotificationDetails: Sendable {
    /// The name of the subject.
    let subject: String
    private let details: [String: String]
    private let language: Language
    /// Instead of the name of a person whose account was deleted.
    private let formerMember: String

    init(_ notice: Notice, _ t: Translator) {
        formerMember = t("Former member")
        // Every subject has a name until its person is deleted.
        subject = notice.subject.isEmpty ? formerMember : Self.withoutTimeMark(notice.subject)
        details = notice.details.mapValues(Self.withoutTimeMark)
        language = t.language
    }

    /// The person who acted.
    var who: String? { name("who") }
    var child: String? { name("child") }
    var reward: String? { details["reward"] }
    /// The beginning of a message.
    var quote: String? { details["quote"] }
    /// What a message has: `text`, `picture` or `place`.
    var content: String? { details["content"] }
    var reason: String? { details["reason"] }
    var device: String? { details["device"] }
    /// The ends of a trip, in notifications of the version before.
    var trip: String? { details["trip"] }
    /// The number of a level.
    var level: String? { details["level"] }
    /// A date: `2018-07-31`.
    var date: String? { details["date"] }
    var points: Int? { details["points"].flatMap { Int($0) } }
    var chores: Int? { details["chores"].flatMap { Int($0) } }
    /// The percentage of the history that is used.
    var percent: String? { details["percent"] }
    /// The hours for which a tracker has been silent.
    var silentHours: Int? { details["silentHours"].flatMap { Int($0) } }
    /// The name of the place of a rule.
    var rulePlace: String { details["rulePlace"] ?? "" }
    /// The time of the day by which an item should have arrived: `08:00`.
    var by: String { details["by"] ?? "" }
    /// The time at which an item crossed the border of a place.
    var crossedAt: Instant? { time("crossedAt") }
    /// The outcome of a switch command.
    var outcome: String? { details["outcome"] }
    /// What happened to a shared item.
    var event: String? { details["event"] }
    /// What a person may do with a shared item.
    var access: String? { details["access"] }
    /// The kind of a rule about a person.
    var rule: String? { details["rule"] }
    /// The step of a removal or a deletion.
    var step: String? { details["step"] }
    /// Whether the subject is the reader.
    var isYou: Bool { details["isYou"] == "true" }
    var packageEvent: PackageEvent? { details["event"].flatMap { PackageEvent(rawValue: $0) } }

    /// Whether a payment went out of the wallet.
    var isPayout: Bool { details["payment"] == "pay_out" }

    var lastSeenAt: Instant? { time("lastSeenAt") }
    var deadline: Instant? { time("deadline") }
    /// The time until which the event can be undone.
    var until: Instant? { time("until") }

    private func name(_ key: String) -> String? { details[key].map { $0.isEmpty ? formerMember : $0 } }

    private func time(_ name: String) -> Instant? { details[name].flatMap { Instant(rfc3339: $0) } }

    /// The amount in the reader's language; empty without one.
    var amount: String { money("amount") ?? details["amount"] ?? "" }

    /// The parts of the amount that are reward and deposit of a package; `nil` in notifications of the version before.
    var parts: (reward: String, deposit: String)? {
        guard let reward = money("rewardPart"), let deposit = money("depositPart") else { return nil }
        return (reward, deposit)
    }

    private func money(_ name: String) -> String? {
        guard let minor = details[name].flatMap({ Int64($0) }),
            let currency = details["currency"].flatMap({ Currency(code: $0) })
        else { return nil }
        return currency.text(minor, in: language)
    }

    /// The position in words, `340 m north of Home`; `nil` if only its degrees are known.
    func placeWords(_ t: Translator) -> String? {
        guard let name = details["placeName"] else { return nil }
        guard let metres = details["placeMetres"].flatMap({ Double($0) }),
            let direction = details["placeDirection"].flatMap({ CompassDirection(rawValue: $0) })
        else { return Self.withoutTimeMark(name) }
        return direction.text(metres: metres, of: Self.withoutTimeMark(name), t)
    }

    /// The position `60.17,24.94` with five decimals, which is about a metre and the precision of a tracker. The same
    /// in all languages.
    var position: String? {
        guard let text = details["place"] else { return nil }
        let numbers = text.split(separator: ",").compactMap { Double($0.trimmingCharacters(in: .whitespaces)) }
        guard numbers.count == 2 else { return text }
        let style = FloatingPointFormatStyle<Double>(locale: Locale(identifier: Language.english.locale))
            .precision(.fractionLength(5)).grouping(.never)
        return numbers.map { $0.formatted(style) }.joined(separator: ", ")
    }

    var distanceMetres: Double? { details["distanceMetres"].flatMap { Double($0) } }

    /// Removes the time mark, so that a name isn't mistaken for it.
    private static func withoutTimeMark(_ value: String) -> String {
        var value = value
        // A mark inside a mark would leave one.
        while value.contains(NotificationText.timeMark) { value = value.replacing(NotificationText.timeMark, with: "") }
        return value
    }
}
