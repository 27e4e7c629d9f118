import Kernel
import TestSupport
import Testing
import Translations
import WebCore

@testable import Tracking
@testable import TrackingWeb

/// Formatted numbers and times.
@Suite("Tracking's texts")
struct TrackingFormatterTests {
    private static let now = Instant(millisecondsSince1970: 1_767_225_600_000)

    struct DistanceCase: Sendable {
        let metres: Double
        let english: String
        let german: String
    }

    @Test(
        "Distances are metres up to a kilometre, then kilometres in the reader's locale",
        arguments: [
            DistanceCase(metres: 0, english: "0\u{a0}m", german: "0\u{a0}m"),
            DistanceCase(metres: 2.4, english: "2\u{a0}m", german: "2\u{a0}m"),
            DistanceCase(metres: 999.4, english: "999\u{a0}m", german: "999\u{a0}m"),
            DistanceCase(metres: 999.6, english: "1.0\u{a0}km", german: "1,0\u{a0}km"),
            DistanceCase(metres: 1_234, english: "1.2\u{a0}km", german: "1,2\u{a0}km"),
            DistanceCase(metres: 9_960, english: "10\u{a0}km", german: "10\u{a0}km"),
            DistanceCase(metres: 20_015_000, english: "20,015\u{a0}km", german: "20.015\u{a0}km"),
        ])
    func distances(_ example: DistanceCase) {
        #expect(
            TrackingFormatter(Translations.translator(.english), now: Self.now).distance(example.metres)
                == example.english)
        #expect(
            TrackingFormatter(Translations.translator(.german), now: Self.now).distance(example.metres)
                == example.german)
    }

    @Test("A missed arrival is explained by the last position, and by arrivals since the start of the day")
    func missedArrival() {
        func reasons(_ metres: Double?, start: String? = nil) -> [String] {
            let coordinate = Coordinate(latitude: 0, longitude: 0)
            let positions =
                metres == nil
                ? []
                : coordinate.map { place in
                    [AlertEvidence.Position(role: .item, at: Self.now, coordinate: place, accuracyMetres: 200)]
                }
            var evidence = AlertEvidence(positions: positions ?? [], distanceMetres: metres)
            evidence.start = start
            let alert = ItemAlert(
                id: ID(at: Self.now, random: SeededRandom(seed: 1)),
                item: ID(at: Self.now, random: SeededRandom(seed: 2)),
                kind: .notArrived, at: Self.now, evidence: evidence)
            let t = Translations.translator(.english)
            return AlertExplanation(alert, itemName: "Bike", t: t, formatter: TrackingFormatter(t, now: Self.now))
                .reasons
        }
        #expect(reasons(nil) == ["There was no position of it.", "It had not arrived since 00:00."])
        #expect(
            reasons(40, start: "01:00") == [
                "Its last position was 40\u{a0}m outside the place’s border.", "It had not arrived since 01:00.",
            ])
        for metres in [0.3, 0, -20] {
            #expect(
                reasons(metres).first
                    == "Its last position was inside the place’s border, but it was too inaccurate, or no second "
                    + "position confirmed it.")
        }
    }

    struct AgeCase: Sendable {
        let secondsAgo: Int64
        let english: String
    }

    @Test(
        "Ages are in the largest unit that fits",
        arguments: [
            AgeCase(secondsAgo: -300, english: "now"),
            AgeCase(secondsAgo: -30, english: "now"),
            AgeCase(secondsAgo: 0, english: "now"),
            AgeCase(secondsAgo: 59, english: "now"),
            AgeCase(secondsAgo: 60, english: "1\u{a0}min ago"),
            AgeCase(secondsAgo: 3_599, english: "59\u{a0}min ago"),
            AgeCase(secondsAgo: 3_600, english: "1\u{a0}hr ago"),
            AgeCase(secondsAgo: 86_399, english: "23\u{a0}hr ago"),
            AgeCase(secondsAgo: 86_400, english: "1\u{a0}day ago"),
            AgeCase(secondsAgo: 5 * 86_400, english: "5\u{a0}days ago"),
        ])
    func ages(_ example: AgeCase) {
        let formatter = TrackingFormatter(Translations.translator(.english), now: Self.now)
        #expect(formatter.times.age(Self.now.adding(seconds: -example.secondsAgo)) == example.english)
    }

    @Test("Accuracy, battery and position are formatted for display")
    func numbers() throws {
        let formatter = TrackingFormatter(Translations.translator(.english), now: Self.now)
        let place = try #require(Coordinate(latitude: -0.000004, longitude: 179.999996))
        #expect(formatter.accuracy(6.2) == "±6\u{a0}m")
        #expect(formatter.percent(82) == "82\u{a0}%")
        #expect(formatter.place(place) == "0.00000, 180.00000")
        #expect(formatter.times.exact(Self.now) == "2026-01-01 00:00 UTC")
    }
}

/// The `Authorization` header of phones.
@Suite("Basic credentials")
struct BasicCredentialTests {
    struct Header: Sendable {
        let text: String?
        let user: String?
        let password: String?
    }

    @Test(
        "Only the Basic scheme with a colon is accepted",
        arguments: [
            Header(text: nil, user: nil, password: nil),
            Header(text: "", user: nil, password: nil),
            Header(text: "Bearer dTpw", user: nil, password: nil),
            Header(text: "Basic", user: nil, password: nil),
            Header(text: "Basic !!", user: nil, password: nil),
            Header(text: "Basic dXNlcg==", user: nil, password: nil),
            Header(text: "Basic dTpw", user: "u", password: "p"),
            Header(text: "basic  dTpw ", user: "u", password: "p"),
            Header(text: "Basic dTpwOnE=", user: "u", password: "p:q"),
            Header(text: "Basic Og==", user: "", password: ""),
        ])
    func headers(_ header: Header) {
        let credential = BasicCredential(header.text)
        #expect(credential?.user == header.user)
        #expect(credential?.password == header.password)
    }
}
