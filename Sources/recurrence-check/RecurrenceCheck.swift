import Foundation
import Kernel
import Recurrence

/// `recurrence-check` reads schedules as JSON lines from standard input, and writes the occurrences of each as a JSON
/// array of date and due instant. Tests compare them with those of other programs.
///
/// `recurrence-check --time` writes the mean time of an expansion instead.
@main
struct RecurrenceCheck {
    /// A line of the input. Other keys are ignored.
    struct Case: Decodable {
        let rule: String?
        let start: String
        let time: String?
        let zone: String
        let excluded: [String]
        let additional: [String]
        let from: String
        let to: String
    }

    struct InvalidDate: Error {
        let text: String
    }

    /// Expansions of each schedule that are timed.
    private static let timedRounds = 20

    static func main() throws {
        let cases = Lines().lazy.map { Data($0.utf8) }
        if CommandLine.arguments.dropFirst().first == "--time" {
            write(try time(cases.map { try JSONDecoder().decode(Case.self, from: $0) }))
            return
        }
        var zones = Zones()
        for line in cases {
            let found = try occurrences(of: JSONDecoder().decode(Case.self, from: line), in: &zones)
            let pairs = found.map { "[\"\($0.date.text)\",\"\($0.due.rfc3339)\"]" }
            write("[" + pairs.joined(separator: ",") + "]")
        }
    }

    private static func occurrences(of read: Case, in zones: inout Zones) throws -> [Occurrence] {
        try schedule(read, in: &zones).occurrences(in: date(read.from)..<date(read.to))
    }

    private static func schedule(_ read: Case, in zones: inout Zones) throws -> Schedule {
        let exceptions = try ScheduleExceptions(
            excluded: Set(read.excluded.map(date)), additional: Set(read.additional.map(date)))
        return Schedule(
            start: try date(read.start), dueTime: read.time.flatMap { LocalTime($0) },
            rule: try read.rule.map { try RecurrenceText($0).rule }, exceptions: exceptions,
            timeZone: try zones.zone(read.zone))
    }

    /// Times parsing the rule and expanding it, without reading the input.
    private static func time(_ cases: [Case]) throws -> String {
        var zones = Zones()
        var count = 0
        let clock = ContinuousClock()
        let duration = try clock.measure {
            for read in cases {
                for _ in 0..<timedRounds { count += try occurrences(of: read, in: &zones).count }
            }
        }
        let rounds = cases.count * timedRounds
        let microseconds = duration / .microseconds(1)
        return "\(cases.count) schedules, \(count / timedRounds) occurrences, "
            + "\(microseconds / Double(max(1, rounds))) µs for each schedule, "
            + "\(1_000 * microseconds / Double(max(1, count))) ns for each occurrence"
    }

    private static func date(_ text: String) throws -> LocalDate {
        guard let date = LocalDate(text) else { throw InvalidDate(text: text) }
        return date
    }

    private static func write(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }
}

/// The lines of standard input.
private struct Lines: Sequence, IteratorProtocol {
    mutating func next() -> String? { readLine() }
}

/// The time zones of the input, each created once.
private struct Zones {
    private var zones: [String: LocalTimeZone] = [:]

    mutating func zone(_ identifier: String) throws -> LocalTimeZone {
        if let zone = zones[identifier] { return zone }
        let zone = try LocalTimeZone(identifier)
        zones[identifier] = zone
        return zone
    }
}
