import Kernel
import TestSupport
import Testing
import Translations

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

    private static func texts(_ language: Language) -> NotificationTextBuilder {
        NotificationTextBuilder(Translations.translator(language))
    }

    @Test("The separation alert has name, distance, position and time")
    func tooFar() {
        let notice = Self.notice(
            .itemTooFar, "Keys",
            ["distanceMetres": "1234.5", "place": "60.17,-24.941234567", "lastSeenAt": "2026-03-01T12:00:00.000Z"])
        let english = Self.texts(.english).text(of: notice)
        #expect(english.title == "Keys is 1.2\u{a0}km away")
        #expect(english.body == "Last seen {time} at 60.17000, -24.94123.")
        #expect(english.plainBody == "Last seen 2026-03-01 12:00 UTC at 60.17000, -24.94123.")
        #expect(english.parts.before == "Last seen ")
        #expect(english.parts.after == " at 60.17000, -24.94123.")
        let german = Self.texts(.german).text(of: notice)
        #expect(german.title == "Keys ist 1,2\u{a0}km entfernt")
        #expect(german.body == "Zuletzt gesehen {time} bei 60.17000, -24.94123.")
    }

    @Test("T-6-3-2, T-6-4-1, T-6-4-2, T-6-4-3: The alerts about an item say what happened to it")
    func items() {
        let english = Self.texts(.english)
        func title(_ kind: NoticeKind, _ details: [String: String]) -> String {
            english.text(of: Self.notice(kind, "Bike", details)).title
        }
        #expect(title(.batteryLow, ["percent": "15"]) == "The battery of Bike is at 15\u{a0}%")
        #expect(title(.itemSilent, ["silentHours": "2"]) == "Bike has not reported for 2 hours")
        #expect(title(.itemMoved, ["distanceMetres": "500"]) == "Bike is 500\u{a0}m from where it was parked")
        #expect(title(.itemNotArrived, ["rulePlace": "Home", "by": "08:00"]) == "Bike wasn’t at Home by 08:00")
    }

    /// The values of each detail that changes a text. One of each gives every combination that notifications have.
    private static let details: [[String: String]] =
        [
            [:],
            ["who": "Ada", "child": "Mia", "reward": "Cinema", "reason": "Wet", "device": "Phone", "level": "2"],
            ["points": "1", "percent": "100", "distanceMetres": "12", "place": "60.17,24.94"],
            ["reward": "Cinema", "reason": "Wet", "points": "3", "distanceMetres": "1234.5"],
            ["lastSeenAt": at.rfc3339, "deadline": at.rfc3339, "place": "60.17,24.94", "isYou": "true"],
        ] + ["stillOn", "stillOff", "onLate", "offLate"].map { ["outcome": $0] }
        + ["announced", "withdrawn", "refused", "removed", "deleted", "restored", "erased"].flatMap { step in
            [
                ["step": step], ["step": step, "who": "Ada", "until": at.rfc3339],
                ["step": step, "who": "Ada", "until": at.rfc3339, "isYou": "true"],
            ]
        }

    @Test("A name that is read from right to left reorders nothing in any text", arguments: Language.allCases)
    func rightToLeft(language: Language) {
        let name = "דוד"
        let texts = Self.texts(language)
        let events =
            PackageEvent.allCases.map(\.rawValue) + [
                "shared", "asked", "ruleSet", "arrived", "written", "replied", "opened", "joined", "removed",
                "requested",
            ]
        for kind in NoticeKind.allCases {
            for details in Self.details + events.map({ ["event": $0, "who": name, "rulePlace": name, "trip": name] }) {
                let named = details.mapValues { ["Ada", "Mia", "Cinema", "Wet", "Phone"].contains($0) ? name : $0 }
                let text = texts.text(of: Self.notice(kind, name, named))
                for part in [text.title, text.body] where part != name {
                    #expect(!DirectionIsolate(part).isNeeded, "\(kind) \(named): \(part)")
                }
            }
        }
    }

    @Test("Each kind has a label and a text without placeholders in each language", arguments: Language.allCases)
    func kinds(language: Language) {
        let texts = Self.texts(language)
        for kind in NoticeKind.allCases {
            #expect(!kind.label(texts.t).isEmpty)
            #expect(texts.pointsActions(for: kind).allSatisfy { !$0.label.isEmpty })
            for details in Self.details { check(texts.text(of: Self.notice(kind, "Thing", details))) }
        }
        check(texts.hidden)
    }

    @Test("Each event of a package has a text without placeholders in each language", arguments: Language.allCases)
    func packageEvents(language: Language) {
        for event in PackageEvent.allCases {
            for name in ["Ada", nil] {
                let details = event.details(name: name, amount: 2_50, currency: .euro)
                let text = Self.texts(language).text(of: Self.notice(event.kind, "Thing", details))
                check(text)
                #expect(text.body.contains("Thing"))
                #expect(text.body.contains(Currency.euro.text(2_50, in: language)))
                guard event.namesParts else { continue }
                let parts = event.details(name: name, amount: 2_50, reward: 1_10, deposit: 1_40, currency: .euro)
                let partText = Self.texts(language).text(of: Self.notice(event.kind, "Thing", parts))
                check(partText)
                for amount: Int64 in [1_10, 1_40] {
                    #expect(partText.body.contains(Currency.euro.text(amount, in: language)), "\(event)")
                }
            }
        }
    }

    /// Checks that a text has no braces except those of the time mark, which requires a time.
    private func check(_ text: NotificationText) {
        #expect(!text.title.isEmpty)
        #expect(!text.title.contains(/[{}]/), "\(text)")
        #expect(!text.body.replacing(NotificationText.timeMark, with: "").contains(/[{}]/), "\(text)")
        #expect(text.body.contains(NotificationText.timeMark) == (text.time != nil), "\(text)")
        #expect(!"\(text.title) \(text.body)".contains(/\b[A-Z]{3,}\b/), "\(text)")
    }

    @Test("A person without a name is someone in the reader's language")
    func withoutName() {
        let details = PackageEvent.statementAdded.details(name: nil, amount: 2_50, currency: .euro)
        let notice = Self.notice(.packageDisputed, "Lamp", details)
        #expect(
            Self.texts(.english).text(of: notice)
                == NotificationText(
                    "New statement", "Someone added a statement about “Lamp”. Reward and deposit (€2.50) stay held."))
        #expect(
            Self.texts(.german).text(of: notice)
                == NotificationText(
                    "Neue Stellungnahme",
                    "Jemand hat sich zu „Lamp“ geäußert. Vergütung und Pfand (2,50\u{a0}€) bleiben hinterlegt."))
    }

    @Test("A message that administrators can read messages doesn't replace the message about the problem")
    func openedToAdministrators() {
        let opened = Self.notice(.packageDisputed, "Lamp", ["event": "opened"])
        #expect(
            Self.texts(.english).text(of: opened)
                == NotificationText(
                    "Administrators can read your messages",
                    "Until the dispute about “Lamp” is settled, administrators can read your messages."))
        #expect(opened.tag == opened.id.description)
        #expect(Self.notice(.packageDisputed, "Lamp", ["event": "disputed"]).tag == "packageDisputed /x")
        let reported = Self.notice(.packageDisputed, "Lamp", ["event": "reported"])
        #expect(
            Self.texts(.english).text(of: reported).body
                == "A message about “Lamp” was reported. Read it and decide what to do.")
    }

    @Test("A device is named in the reader's language")
    func device() {
        let notice = Self.notice(.childSignedIn, "Mia", ["device": "Chrome on Android"])
        #expect(Self.texts(.english).text(of: notice).body == "Chrome on Android. Open this to sign it out.")
        #expect(Self.texts(.german).text(of: notice).body.hasPrefix("Chrome auf Android. "))
    }

    @Test("An announcement without its time says only what was announced")
    func withoutTime() {
        let removal = Self.notice(.parentRemoval, "Ben", ["step": "announced", "who": "Ada"])
        #expect(Self.texts(.english).text(of: removal) == NotificationText("Ada wants to remove Ben", ""))
        let deletion = Self.notice(.childDeletion, "Mia", ["step": "deleted", "who": "Ada"])
        #expect(Self.texts(.english).text(of: deletion) == NotificationText("Ada deleted Mia", ""))
    }

    @Test("A name that looks like a placeholder stays unchanged")
    func strangeNames() {
        let text = Self.texts(.english).text(
            of: Self.notice(.packageAccepted, "WHO {time} PLACE", ["who": "SUBJECT"]))
        #expect(text.body == "SUBJECT will carry “WHO  PLACE”.")
        let braces = Self.texts(.english).text(
            of: Self.notice(.packageAccepted, "{who} {ti{time}me}", ["who": "{subject}"]))
        #expect(braces.body == "{subject} will carry “{who} ”.")
    }

    @Test("Texts for chores and levels")
    func family() {
        let texts = Self.texts(.english)
        let chore = texts.text(of: Self.notice(.choreAssigned, "Dishes", ["points": "2", "child": "Mia"]))
        #expect(chore == NotificationText("Dishes: 2 points", "Well done, Mia!"))
        let one = texts.text(of: Self.notice(.choreAssigned, "Dishes", ["points": "1"]))
        #expect(one == NotificationText("Dishes: 1 point", "Well done!"))
        let german = Self.texts(.german)
        #expect(german.text(of: Self.notice(.choreAssigned, "Abwasch", ["points": "1"])).title == "Abwasch: 1 Punkt")
        #expect(german.text(of: Self.notice(.choreAssigned, "Abwasch", ["points": "2"])).title == "Abwasch: 2 Punkte")
        let level = texts.text(
            of: Self.notice(.levelReached, "Mia", ["reward": "Cinema", "child": "Mia", "level": "2"]))
        #expect(level == NotificationText("Level 2 is reached", "Mia has earned: Cinema"))
    }

    @Test("A name with a final full stop ends the sentence without a second one")
    func fullStops() {
        let texts = Self.texts(.english)
        let delivered = texts.text(of: Self.notice(.packageDelivered, "Lamp", ["who": "Ole O."]))
        #expect(delivered.body == "“Lamp” has arrived, brought by Ole O.")
        let inside = texts.text(of: Self.notice(.packageAccepted, "Lamp", ["who": "Ole O."]))
        #expect(inside.body == "Ole O. will carry “Lamp”.")
    }

    @Test("A parent reads who asks for points; a child reads why a request was declined")
    func requests() {
        let texts = Self.texts(.english)
        let asked = texts.text(of: Self.notice(.choreRequested, "Dishes", ["child": "Mia"]))
        #expect(
            asked == NotificationText("Mia has done “Dishes”", "Give 1, 2 or 3 points for “Dishes”, or decline."))
        #expect(texts.pointsActions(for: .choreRequested).map(\.label) == ["1 point", "2 points"])
        #expect(texts.pointsActions(for: .levelReached).isEmpty)
        let declined = texts.text(of: Self.notice(.choreDeclined, "Dishes", ["who": "Ada", "reason": "Still WHO wet"]))
        #expect(declined == NotificationText("No points for “Dishes”", "Ada: Still WHO wet"))
        let plain = texts.text(of: Self.notice(.choreDeclined, "Dishes", ["who": "Ada"]))
        #expect(plain.body == "Ada declined your request.")
        let undone = texts.text(of: Self.notice(.pointsUndone, "Dishes", ["points": "2", "who": "Ada"]))
        #expect(undone == NotificationText("“Dishes”: 2 points taken back", "Undone by Ada."))
    }

    @Test("A parent who is to be removed reads until when they can refuse")
    func removal() {
        let texts = Self.texts(.english)
        let details = ["step": "announced", "who": "Ada", "until": "2026-03-08T12:00:00.000Z"]
        let others = texts.text(of: Self.notice(.parentRemoval, "Ben", details))
        #expect(others.title == "Ada wants to remove Ben")
        let own = texts.text(of: Self.notice(.parentRemoval, "Ben", details.merging(["isYou": "true"]) { $1 }))
        #expect(own.title == "Ada wants to remove you from the family")
        #expect(own.plainBody == "You leave the family on 2026-03-08 12:00 UTC. You can refuse until then.")
        #expect(texts.text(of: Self.notice(.parentJoined, "Ben", ["who": "Ada"])).title == "Ben joined your family")
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
