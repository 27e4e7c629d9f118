import Foundation
import Kernel
import TestSupport
import Testing

@testable import Tracking

/// Divides generated days with jitter into stays and trips, and compares the rule with a plain distance rule.
@Suite("Stays and trips of generated days")
struct EpisodeRuleTests {
    private static let daysOfEachScenario = 40
    /// A found stay counts as the true one up to this distance.
    private static let samePlaceMetres = 120.0

    /// Generated once for all tests.
    private static let allDays = Dictionary(
        uniqueKeysWithValues: JitteredDay.Scenario.allCases.map { scenario in
            (scenario, (1...UInt64(daysOfEachScenario)).map { JitteredDay(scenario, seed: $0) })
        })

    private static func days(_ scenario: JitteredDay.Scenario) -> [JitteredDay] { allDays[scenario] ?? [] }

    /// The counted results of some days.
    struct Tally: Equatable {
        var stays = 0
        var missed = 0
        /// Found stays that overlap no true one at their place.
        var falseStays = 0
        /// Further found stays of one true stay.
        var split = 0
        /// Found stays and trips that span a time without positions.
        var overSilence = 0

        static func + (left: Tally, right: Tally) -> Tally {
            Tally(
                stays: left.stays + right.stays, missed: left.missed + right.missed,
                falseStays: left.falseStays + right.falseStays, split: left.split + right.split,
                overSilence: left.overSilence + right.overSilence)
        }
    }

    /// All episodes of positions.
    static func episodes(_ samples: [EpisodeSample]) -> [Episode] {
        var segmenter = EpisodeSegmenter()
        return segmenter.add(samples) + segmenter.open
    }

    /// The rule of many apps: a position within 60 m of the first one belongs to its stay, and five minutes are a stay.
    static func plainEpisodes(_ samples: [EpisodeSample]) -> [Episode] {
        var episodes: [Episode] = []
        var group: [EpisodeSample] = []
        func close() {
            guard let first = group.first, let last = group.last, group.count > 1, last.seconds(since: first) >= 300
            else { return }
            episodes.append(
                Episode(
                    kind: .stay, startedAt: first.instant, endedAt: last.instant, place: first.coordinate,
                    fixCount: group.count))
        }
        for sample in samples {
            if let first = group.first, first.metres(to: sample) > Limits.stayRadiusMetres {
                close()
                group = []
            }
            group.append(sample)
        }
        close()
        return episodes
    }

    private func tally(_ day: JitteredDay, _ episodes: [Episode]) -> Tally {
        let found = episodes.filter { $0.kind == .stay }
        var tally = Tally(stays: day.stays.count)
        var matched = Set<Int>()
        for stay in day.stays {
            let (start, end) = (
                JitteredDay.instant(stay.seconds.lowerBound), JitteredDay.instant(stay.seconds.upperBound)
            )
            let matches = found.indices.filter { index in
                found[index].startedAt < end && found[index].endedAt > start
                    && found[index].place.distanceMetres(to: stay.place) < Self.samePlaceMetres
            }
            matched.formUnion(matches)
            if matches.isEmpty { tally.missed += 1 }
            // A silence divides a stay rightly.
            let silences = day.silences.count { $0.lowerBound > stay.seconds.lowerBound }
            tally.split += max(0, matches.count - 1 - silences)
        }
        tally.falseStays = found.count - matched.count
        tally.overSilence = episodes.count { episode in
            day.silences.contains { silence in
                let (start, end) = (JitteredDay.instant(silence.lowerBound), JitteredDay.instant(silence.upperBound))
                return episode.startedAt < start && episode.endedAt > end
            }
        }
        return tally
    }

    private func tally(_ scenario: JitteredDay.Scenario, _ rule: ([EpisodeSample]) -> [Episode]) -> Tally {
        Self.days(scenario).map { tally($0, rule($0.samples)) }.reduce(Tally(), +)
    }

    @Test("The same seed gives the same day, and another seed another one")
    func repeatable() {
        #expect(JitteredDay(.work, seed: 3).samples == JitteredDay(.work, seed: 3).samples)
        #expect(JitteredDay(.work, seed: 3).samples != JitteredDay(.work, seed: 4).samples)
    }

    @Test("Every stay is found once, and none is invented", arguments: JitteredDay.Scenario.allCases)
    func stays(scenario: JitteredDay.Scenario) {
        let sum = tally(scenario, Self.episodes)
        #expect(sum.missed == 0)
        #expect(sum.falseStays == 0)
        #expect(sum.split == 0)
    }

    @Test("No stay and no trip spans a time without positions", arguments: JitteredDay.Scenario.allCases)
    func gaps(scenario: JitteredDay.Scenario) {
        #expect(tally(scenario, Self.episodes).overSilence == 0)
    }

    @Test("Episodes are in order and don't overlap", arguments: JitteredDay.Scenario.allCases)
    func order(scenario: JitteredDay.Scenario) {
        for day in Self.days(scenario) {
            let episodes = Self.episodes(day.samples)
            for (one, next) in zip(episodes, episodes.dropFirst()) { #expect(one.endedAt <= next.startedAt) }
            #expect(episodes.allSatisfy { $0.startedAt <= $0.endedAt && $0.distanceMetres.isFinite })
        }
    }

    @Test("The length of the trips is near the true one", arguments: [JitteredDay.Scenario.shop, .work, .tram])
    func length(scenario: JitteredDay.Scenario) {
        for (seed, day) in zip(1..., Self.days(scenario).prefix(10)) {
            let metres = Self.episodes(day.samples).reduce(0) { $0 + $1.distanceMetres }
            #expect(abs(metres - day.metres) < 0.2 * day.metres, "seed \(seed): \(metres) of \(day.metres)")
        }
    }

    @Test("Where the positions are divided into parts doesn't matter", arguments: JitteredDay.Scenario.allCases)
    func incremental(scenario: JitteredDay.Scenario) throws {
        let samples = JitteredDay(scenario, seed: 5).samples
        let whole = Self.episodes(samples)
        for size in [1, 7, 100] {
            var state = EpisodeSegmenter()
            var episodes: [Episode] = []
            for start in stride(from: 0, to: samples.count, by: size) {
                episodes += state.add(Array(samples[start..<min(start + size, samples.count)]))
                // The state is stored between two parts.
                state = try JSONDecoder().decode(EpisodeSegmenter.self, from: JSONEncoder().encode(state))
            }
            #expect(episodes + state.open == whole)
        }
    }

    @Test("The state of a long trip stays small")
    func stateSize() throws {
        var segmenter = EpisodeSegmenter()
        let samples = (0..<20_000).map { index in
            EpisodeSample(at: Int64(index) * 10_000, latitude: 50, longitude: Double(index) * 0.002, metres: 5)
        }
        #expect(segmenter.add(samples).isEmpty)
        #expect(try JSONEncoder().encode(segmenter).count < 60_000)
        let trip = try #require(segmenter.open.first)
        #expect(trip.kind == .trip)
        #expect(trip.path.count <= Limits.tripPoints + 1)
    }

    @Test("Positions that are too inaccurate don't count")
    func inaccurate() {
        let place = JitteredDay.coordinate(0, 0)
        #expect(EpisodeSample(at: JitteredDay.start, coordinate: place, accuracyMetres: 201) == nil)
        #expect(EpisodeSample(at: JitteredDay.start, coordinate: place, accuracyMetres: 200) != nil)
        #expect(EpisodeSample(at: JitteredDay.start, coordinate: place, accuracyMetres: nil)?.metres == 15)
    }

    @Test("A stay on the antimeridian is one stay with a mean near it")
    func antimeridian() throws {
        let samples = (0..<20).map { index in
            EpisodeSample(
                at: Int64(index) * 60_000, latitude: 0, longitude: index.isMultiple(of: 2) ? 179.9999 : -179.9999,
                metres: 5)
        }
        let stay = try #require(Self.episodes(samples).first)
        #expect(stay.kind == .stay)
        #expect(abs(stay.place.longitude) > 179.999)
    }

    @Test("docs/days.md contains the measured numbers")
    func page() throws {
        let page = try DaysDocument.text()
        var table = """
            | days | stays | missed | false | split | over silence | plain rule: missed | false | split | over silence |
            | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |

            """
        for scenario in JitteredDay.Scenario.allCases {
            let (ours, plain) = (tally(scenario, Self.episodes), tally(scenario, Self.plainEpisodes))
            table += "| \(scenario.rawValue) | \(ours.stays) | \(cells(ours)) | \(cells(plain)) |\n"
        }
        let written = try DaysDocument.replacing(table, in: page)
        if DaysDocument.isWriting {
            try DaysDocument.write(written)
        } else {
            #expect(written == page, "write it anew with HOMEWARD_WRITE_DOCUMENTS=1")
        }
    }

    private func cells(_ tally: Tally) -> String {
        [tally.missed, tally.falseStays, tally.split, tally.overSilence].map(String.init).joined(separator: " | ")
    }
}

/// `docs/days.md`; the tests write its table.
private enum DaysDocument {
    private static let begin = "<!-- days -->\n"
    private static let end = "<!-- end of days -->"
    private static let file = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "docs/days.md")

    static let isWriting = ProcessInfo.processInfo.environment["HOMEWARD_WRITE_DOCUMENTS"] == "1"

    static func text() throws -> String { try String(contentsOf: file, encoding: .utf8) }

    static func write(_ text: String) throws { try text.write(to: file, atomically: true, encoding: .utf8) }

    static func replacing(_ table: String, in page: String) throws -> String {
        let from = try #require(page.range(of: begin)).upperBound
        let to = try #require(page.range(of: end)).lowerBound
        return page.replacingCharacters(in: from..<to, with: table)
    }
}
