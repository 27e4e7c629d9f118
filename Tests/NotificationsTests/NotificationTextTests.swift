import Kernel
import TestSupport
import Testing

@testable import Notifications

@Suite("Texts of notifications")
struct NotificationTextTests {
    private static let at = TestClock().now

    static func notice(_ kind: NoticeKind, _ subject: String, _ details: [String: String] = [:]) -> Notice {
        let random = SeededRandom()
        return Notice(
            id: ID(at: at, random: random), person: PersonID(at: at, random: random), kind: kind, resource: "/x",
            subject: subject, details: details, at: at)
    }

    @Test("The separation alert has name, distance, position and time")
    func tooFar() {
        let notice = Self.notice(
            .itemTooFar, "Keys",
            ["distanceMetres": "1234.5", "place": "60.17,-24.941234567", "lastSeenAt": "2026-03-01T12:00:00.000Z"])
        let english = NotificationTextBuilder(language: "en").text(of: notice)
        #expect(english.title == "Keys is 1.2\u{a0}km away")
        #expect(english.body == "Last seen {time} at 60.17000, -24.94123.")
        #expect(english.plainBody == "Last seen 2026-03-01 12:00 UTC at 60.17000, -24.94123.")
        #expect(english.parts.before == "Last seen ")
        #expect(english.parts.after == " at 60.17000, -24.94123.")
        let german = NotificationTextBuilder(language: "de").text(of: notice)
        #expect(german.title == "Keys ist 1,2\u{a0}km entfernt")
        #expect(german.body == "Zuletzt gesehen {time} bei 60.17000, -24.94123.")
    }

    @Test("Texts without details leave no placeholder", arguments: NoticeKind.allCases, ["en", "de"])
    func withoutDetails(kind: NoticeKind, language: String) {
        let text = NotificationTextBuilder(language: language).text(of: Self.notice(kind, "Thing"))
        #expect(!text.title.isEmpty)
        let marks = ["SUBJECT", "WHO", "CHILD", "REWARD", "LEVEL", "POINTS", "REASON", "PLACE", "DISTANCE", "{time}"]
        for mark in marks { #expect(!"\(text.title) \(text.body)".contains(mark)) }
        #expect(!NotificationTextBuilder(language: language).name(of: kind).isEmpty)
    }

    @Test("A name that looks like a placeholder stays unchanged")
    func strangeNames() {
        let text = NotificationTextBuilder(language: "en").text(
            of: Self.notice(.packageAccepted, "WHO {time} PLACE", ["who": "SUBJECT"]))
        #expect(text.body == "SUBJECT will carry “WHO  PLACE”.")
    }

    @Test("Texts for chores and levels")
    func family() {
        let words = NotificationTextBuilder(language: "en")
        let chore = words.text(of: Self.notice(.choreAssigned, "Dishes", ["points": "2", "child": "Mia"]))
        #expect(chore == NotificationText("Dishes: 2 points", "Well done, Mia!"))
        let one = words.text(of: Self.notice(.choreAssigned, "Dishes", ["points": "1"]))
        #expect(one == NotificationText("Dishes: 1 point", "Well done!"))
        let level = words.text(
            of: Self.notice(.levelReached, "Mia", ["reward": "Cinema", "child": "Mia", "level": "2"]))
        #expect(level == NotificationText("Level 2 is reached", "Mia has earned: Cinema"))
    }

    @Test("A name with a final full stop ends the sentence without a second one")
    func fullStops() {
        let words = NotificationTextBuilder(language: "en")
        let delivered = words.text(of: Self.notice(.packageDelivered, "Lamp", ["who": "Ole O."]))
        #expect(delivered.body == "“Lamp” has arrived, brought by Ole O.")
        let inside = words.text(of: Self.notice(.packageAccepted, "Lamp", ["who": "Ole O."]))
        #expect(inside.body == "Ole O. will carry “Lamp”.")
    }

    @Test("A parent reads who asks for points; a child reads why a request was declined")
    func requests() {
        let words = NotificationTextBuilder(language: "en")
        let asked = words.text(of: Self.notice(.choreRequested, "Dishes", ["child": "Mia"]))
        #expect(
            asked == NotificationText("Mia has done “Dishes”", "Give 1, 2 or 3 points for “Dishes”, or decline."))
        #expect(words.action(for: .choreRequested) == "Give points")
        #expect(words.action(for: .levelReached) == words.openDetails)
        let declined = words.text(of: Self.notice(.choreDeclined, "Dishes", ["who": "Ada", "reason": "Still WHO wet"]))
        #expect(declined == NotificationText("No points for “Dishes”", "Ada: Still WHO wet"))
        let plain = words.text(of: Self.notice(.choreDeclined, "Dishes", ["who": "Ada"]))
        #expect(plain.body == "Ada declined your request.")
        let undone = words.text(of: Self.notice(.pointsUndone, "Dishes", ["points": "2", "who": "Ada"]))
        #expect(undone == NotificationText("“Dishes”: 2 points taken back", "Undone by Ada."))
    }

    @Test("A parent who is to be removed reads until when they can refuse")
    func removal() {
        let words = NotificationTextBuilder(language: "en")
        let details = ["step": "announced", "who": "Ada", "until": "2026-03-08T12:00:00.000Z"]
        let others = words.text(of: Self.notice(.parentRemoval, "Ben", details))
        #expect(others.title == "Ada wants to remove Ben")
        let own = words.text(of: Self.notice(.parentRemoval, "Ben", details.merging(["isYou": "true"]) { $1 }))
        #expect(own.title == "Ada wants to remove you from the family")
        #expect(own.plainBody == "You leave the family on 2026-03-08 12:00 UTC. You can refuse until then.")
        #expect(words.text(of: Self.notice(.parentJoined, "Ben", ["who": "Ada"])).title == "Ben joined your family")
    }

    @Test("The latest alert about an item replaces the previous one; chores don't")
    func tags() {
        #expect(Self.notice(.itemTooFar, "a").tag == "itemTooFar /x")
        let chore = Self.notice(.choreAssigned, "a")
        #expect(chore.tag == chore.id.description)
        let subscription = ID<PushSubscription>(at: Self.at, random: SeededRandom(seed: 9))
        let topic = chore.topic(for: subscription)
        #expect(topic.count == 32)
        #expect(topic.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
    }
}
