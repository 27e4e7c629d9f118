import Accounts
import Kernel
import Testing

@testable import Tracking

@Suite("Settings, navigation, battery, silence and number formats")
struct SmallRulesTests {
    private static let now = Instant(millisecondsSince1970: 1_772_366_400_000)

    struct Setting: Sendable {
        let patch: SettingsPatch
        let field: String?
    }

    @Test(
        "A setting out of range is named by its path",
        arguments: [
            Setting(patch: SettingsPatch(locateMinutes: .set(1)), field: nil),
            Setting(patch: SettingsPatch(locateMinutes: .set(1_440)), field: nil),
            Setting(patch: SettingsPatch(locateMinutes: .set(0)), field: "settings.locateMinutes"),
            Setting(patch: SettingsPatch(locateMinutes: .set(1_441)), field: "settings.locateMinutes"),
            Setting(patch: SettingsPatch(lostMetres: .set(1)), field: nil),
            Setting(patch: SettingsPatch(lostMetres: .set(100_000)), field: nil),
            Setting(patch: SettingsPatch(lostMetres: .set(0)), field: "settings.lostMetres"),
            Setting(patch: SettingsPatch(lostMetres: .set(100_001)), field: "settings.lostMetres"),
            Setting(patch: SettingsPatch(alertMetres: .set(0)), field: "settings.alertMetres"),
            Setting(patch: SettingsPatch(alertMetres: .set(100_001)), field: "settings.alertMetres"),
            Setting(patch: SettingsPatch(walkMetres: .set(0)), field: nil),
            Setting(patch: SettingsPatch(walkMetres: .set(-1)), field: "settings.walkMetres"),
            Setting(patch: SettingsPatch(walkMetres: .set(100_001)), field: "settings.walkMetres"),
        ])
    func settings(_ setting: Setting) {
        var problems = FieldErrors<TrackingErrorMessage>()
        _ = SettingsRule.apply(setting.patch, to: .standard, defaults: .standard, problems: &problems)
        #expect(Array(problems.fields.keys) == [setting.field].compactMap(\.self))
    }

    @Test("Null restores a default, and an absent field keeps its value")
    func defaults() {
        var problems = FieldErrors<TrackingErrorMessage>()
        let changed = ItemSettings(locateMinutes: 1, lostMetres: 2, alertMetres: 3, walkMetres: 4)
        let patch = SettingsPatch(locateMinutes: .clear, alertMetres: .clear, walkMetres: .set(9))
        let result = SettingsRule.apply(patch, to: changed, defaults: .standard, problems: &problems)
        #expect(result == ItemSettings(locateMinutes: 10, lostMetres: 2, alertMetres: 10, walkMetres: 9))
        #expect(
            ItemSettings.standard == ItemSettings(locateMinutes: 10, lostMetres: 5, alertMetres: 10, walkMetres: 2_000))
    }

    struct Link: Sendable {
        let app: MapsApp
        let distance: Double?
        let url: String
    }

    @Test(
        "Navigation opens exactly these URLs",
        arguments: [
            Link(app: .apple, distance: 2_000, url: "https://maps.apple.com/?daddr=52.520008,13.404954&dirflg=w"),
            Link(app: .apple, distance: 2_000.5, url: "https://maps.apple.com/?daddr=52.520008,13.404954&dirflg=r"),
            Link(app: .apple, distance: nil, url: "https://maps.apple.com/?daddr=52.520008,13.404954&dirflg=w"),
            Link(
                app: .google, distance: 10,
                url: "https://www.google.com/maps/dir/?api=1&destination=52.520008,13.404954&travelmode=walking"
                    + "&dir_action=navigate"
            ),
            Link(
                app: .google, distance: 9_000,
                url: "https://www.google.com/maps/dir/?api=1&destination=52.520008,13.404954&travelmode=transit"
                    + "&dir_action=navigate"
            ),
        ])
    func navigation(_ link: Link) throws {
        let place = try #require(Coordinate(latitude: 52.520008, longitude: 13.404954))
        let made = NavigationLink(app: link.app, destination: place, distanceMetres: link.distance, walkMetres: 2_000)
        #expect(made.url == link.url)
    }

    struct Number: Sendable {
        let value: Double
        let text: String
    }

    @Test(
        "Numbers are plain decimals that read back to the same value",
        arguments: [
            Number(value: 0, text: "0"), Number(value: -0.5, text: "-0.5"), Number(value: 13, text: "13"),
            Number(value: 1e-7, text: "0.0000001"), Number(value: -1.25e-5, text: "-0.0000125"),
            Number(value: 1e16, text: "10000000000000000"), Number(value: 1.5e17, text: "150000000000000000"),
            Number(value: 179.9999999, text: "179.9999999"),
            Number(value: .leastNonzeroMagnitude, text: "0." + String(repeating: "0", count: 323) + "5"),
        ])
    func decimals(_ number: Number) {
        #expect(PlainDecimal.text(number.value) == number.text)
        #expect(Double(PlainDecimal.text(number.value)) == number.value)
    }

    @Test("A battery is low at 20 % and below; an unknown one isn't")
    func battery() {
        #expect(!Battery.isLow(nil))
        #expect(!Battery.isLow(21))
        #expect(Battery.isLow(20))
        #expect(Battery.isLow(0))
    }

    @Test("Only an active tracker that is overdue by two intervals is silent")
    func silence() {
        func isSilent(_ state: TrackerState, secondsAgo: Int64?) -> Bool {
            Silence.isSilent(
                state: state, lastSeenAt: secondsAgo.map { Self.now.adding(seconds: -$0) }, locateMinutes: 10,
                now: Self.now
            )
        }
        #expect(!isSilent(.active, secondsAgo: 1_200))
        #expect(isSilent(.active, secondsAgo: 1_201))
        #expect(!isSilent(.off, secondsAgo: 9_999))
        #expect(!isSilent(.bound, secondsAgo: 9_999))
        #expect(!isSilent(.active, secondsAgo: nil))
    }

    @Test("Fixes are accepted from 2000 to ten minutes ahead")
    func times() {
        let start = Instant(millisecondsSince1970: 946_684_800_000)
        #expect(start.rfc3339 == "2000-01-01T00:00:00.000Z")
        #expect(FixAcceptance.isAcceptable(start, now: Self.now))
        #expect(!FixAcceptance.isAcceptable(start.adding(seconds: -1), now: Self.now))
        #expect(FixAcceptance.isAcceptable(Self.now.adding(seconds: 600), now: Self.now))
        #expect(!FixAcceptance.isAcceptable(Self.now.adding(seconds: 601), now: Self.now))
        #expect(!FixAcceptance.isAcceptable(Instant(millisecondsSince1970: 0), now: Self.now))
        #expect(!FixAcceptance.isAcceptable(Self.now.adding(seconds: 365 * 86_400), now: Self.now))
    }

    @Test("Each kind of invalid name has its own message")
    func names() {
        var problems = FieldErrors<TrackingErrorMessage>()
        #expect(problems.name("  Köfferchen 🧳 ") == "Köfferchen 🧳")
        #expect(problems.name(String(repeating: "👨‍👩‍👧‍👦", count: 50)) != nil)
        let marks = "x" + String(repeating: "\u{301}", count: 25)
        #expect(problems.name(String(repeating: marks, count: 50)) == nil)
        #expect(problems.fields["name"] == TrackingErrorMessage.nameTooManyBytes.text)
        var others = FieldErrors<TrackingErrorMessage>()
        #expect(others.name("\u{2003}\u{00a0}") == nil)
        #expect(others.fields["name"] == TrackingErrorMessage.nameMissing.text)
    }
}
