import Kernel
import Recurrence
import Testing
import Translations
import WebCore

@testable import Family
@testable import FamilyWeb

/// The values that the templates of *Today* look up without reflection.
@Suite("Family: template values of an entry")
struct FamilyLookupTests {
    private static let now = Instant(millisecondsSince1970: 1_767_225_600_000)
    private static func id<Entity>(_ number: Int64) -> ID<Entity> { ID(at: now, series: number) }

    private static func entry(
        _ state: TodayEntry.State, child: PersonID? = id(1), request: ChoreRequest? = nil, isClaimed: Bool = false
    ) -> TodayEntry {
        TodayEntry(
            state: state, childID: child, candidates: child == nil ? [id(1)] : [], isClaimed: isClaimed,
            isSwappable: true, choreID: id(2), name: "Dishes", pictureID: id(3), date: LocalDate("2026-01-01"),
            dueTime: LocalTime("18:00"), request: request, offeredPoints: 2, points: state == .done ? 3 : nil)
    }

    private static let request = ChoreRequest(
        id: id(4), childID: id(1), choreID: id(2), name: "Dishes", pictureID: id(3), at: now, occurrence: nil,
        automaticAt: now, photoID: nil)

    @Test("Every stored property is found under its own name only")
    func names() throws {
        let t = Translations.translator(.english)
        let formatter = FamilyFormatter(t, now: Self.now)
        let kim = Member(
            id: Self.id(1), name: "Kim", dateOfBirth: nil, theme: "ocean", avatarPictureID: nil, role: .child,
            version: 1)
        let declined = DeclinedRequest(
            childID: kim.id, choreID: Self.id(2), occurrence: nil, reason: "Not yet", byName: "Ada", at: Self.now)
        let today = try #require(LocalDate("2026-01-01"))
        var present: Set<String> = []
        for entry in [
            Self.entry(.due), Self.entry(.overdue, child: nil), Self.entry(.waiting, request: Self.request),
            Self.entry(.done), Self.entry(.next), Self.entry(.due, isClaimed: true),
        ] {
            for (reader, needsProof) in [(nil, false), (kim.id, false), (kim.id, true)] {
                let view = TodayEntryView(
                    entry, declined: declined, needsProof: needsProof, today: today, reader: reader, children: [kim],
                    t: t, formatter: formatter, ScheduleFormatter(t, formatter))
                present.formUnion(try found(in: view, view.child))
                for choice in view.choices { present.formUnion(try found(in: choice, choice.child)) }
            }
        }
        // Each value was there in one of the entries.
        #expect(
            present.isSuperset(of: ["giveURL", "approvalURL", "askURL", "doneURL", "swapURL", "releaseURL", "claims"]))
    }

    /// Compares the properties, and returns the names of those with a value.
    private func found(in value: some Sendable, _ child: (String) -> Any?) throws -> Set<String> {
        var names: Set<String> = []
        for property in Mirror(reflecting: value).children {
            let name = try #require(property.label)
            let mirror = Mirror(reflecting: property.value)
            let stored: Any? = mirror.displayStyle == .optional ? mirror.children.first?.value : property.value
            var found = child(name)
            if let value = found {
                let mirror = Mirror(reflecting: value)
                if mirror.displayStyle == .optional { found = mirror.children.first?.value }
            }
            #expect(found.map { "\($0)" } == stored.map { "\($0)" }, "\(name)")
            if found != nil { names.insert(name) }
        }
        let nothing = child("nothing")
        #expect(nothing == nil)
        return names
    }
}
