import Kernel
import Testing
import TrackerProtocol

@testable import homeward_tracker

@Suite struct GPSDTests {
    private let now = Instant(millisecondsSince1970: 1_772_366_405_000)  // 2026-03-01T12:00:05Z

    private func position(_ line: String) throws -> GPSDPosition {
        guard case .position(let position)? = GPSDReport(Array(line.utf8)) else { throw SimulationTests.MissingValue() }
        return position
    }

    private func fix(_ line: String, battery: Int? = nil) throws -> TrackerFix? {
        try position(line).fix(at: now, maximumAgeSeconds: 10, batteryPercent: battery)
    }

    @Test("Lines are split correctly at any chunk size") func lines() throws {
        let text = "{\"a\":1}\r\n\n{\"b\":2}\n{\"c\""
        for size in 1...9 {
            var splitter = LineSplitter(limit: 10)
            var lines: [String] = []
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                lines += try splitter.append(rest.prefix(size)).map { String(decoding: $0, as: UTF8.self) }
                rest = rest.dropFirst(size)
            }
            #expect(lines == ["{\"a\":1}", "{\"b\":2}"])
        }
    }

    @Test("A line above the limit is an error") func endless() throws {
        var splitter = LineSplitter(limit: 8)
        #expect(try splitter.append(Array("12345678".utf8)) == [])
        #expect(throws: LineSplitter.LineTooLong()) { try splitter.append(Array("9".utf8)) }
    }

    @Test("A complete report of gpsd 3.22 becomes a fix") func whole() throws {
        let read = try fix(
            #"{"class":"TPV","device":"/dev/pts/1","mode":3,"time":"2026-03-01T12:00:04.000Z","ept":0.005,"#
                + #""lat":52.520160000,"lon":13.405263000,"altHAE":79.0,"altMSL":35.0,"alt":35.0,"epx":8.1,"epy":8.3,"#
                + #""track":45.0,"speed":1.399,"climb":0.0,"eph":17.1,"sep":41.8}"#, battery: 80)
        #expect(
            read
                == (try TrackerFix(
                    at: Instant(millisecondsSince1970: 1_772_366_404_000), latitude: 52.52016, longitude: 13.405263,
                    accuracyMetres: 17.1, altitudeMetres: 35, speedMetresPerSecond: 1.4, headingDegrees: 45,
                    batteryPercent: 80)))
    }

    @Test("A receiver whose week counter rolled over has the right time; 0° N 0° E is no fix") func faults() throws {
        let rolled = #"{"class":"TPV","mode":3,"time":"2006-07-16T12:00:04.000Z","lat":52.5,"lon":13.4}"#
        #expect(try fix(rolled)?.at == Instant(millisecondsSince1970: 1_772_366_404_000))
        let old = #"{"class":"TPV","mode":3,"time":"2006-07-16T11:59:04.000Z","lat":52.5,"lon":13.4}"#
        #expect(try fix(old) == nil)
        let unset = #"{"class":"TPV","mode":2,"time":"2026-03-01T12:00:04.000Z","lat":0.0,"lon":0.0}"#
        #expect(try fix(unset) == nil)
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let what: String
        let line: String
        let isFix: Bool
        var accuracy: Double?
        var altitude: Double?
        var testDescription: String { what }
    }

    static let cases = [
        Case(what: "no fix", line: #"{"class":"TPV","mode":1}"#, isFix: false),
        Case(what: "no mode", line: #"{"class":"TPV","lat":1,"lon":2}"#, isFix: false),
        Case(what: "mode without place", line: #"{"class":"TPV","mode":2,"lat":1}"#, isFix: false),
        Case(
            what: "two dimensions: the altitude is an old one",
            line: #"{"class":"TPV","mode":2,"lat":1,"lon":2,"alt":35}"#, isFix: true),
        Case(what: "without time: now", line: #"{"class":"TPV","mode":2,"lat":1,"lon":2}"#, isFix: true),
        Case(
            what: "stale", line: #"{"class":"TPV","mode":3,"lat":1,"lon":2,"time":"2026-03-01T11:59:54.000Z"}"#,
            isFix: false),
        Case(
            what: "a receiver whose weeks rolled over",
            line: #"{"class":"TPV","mode":3,"lat":1,"lon":2,"time":"2006-07-16T12:00:04.000Z"}"#, isFix: true),
        Case(
            what: "a board whose clock was not set yet",
            line: #"{"class":"TPV","mode":3,"lat":1,"lon":2,"time":"2026-05-01T12:00:00.000Z"}"#, isFix: true),
        Case(
            what: "errors east and north alone",
            line: #"{"class":"TPV","mode":3,"lat":1,"lon":2,"epx":3,"epy":4}"#, isFix: true, accuracy: 5),
        Case(
            what: "a nonsense number costs itself alone",
            line: #"{"class":"TPV","mode":3,"lat":1,"lon":2,"eph":5,"altMSL":1e9,"speed":-4,"track":720}"#,
            isFix: true, accuracy: 5),
        Case(
            what: "altitude above the sea before that above the ellipsoid",
            line: #"{"class":"TPV","mode":3,"lat":1,"lon":2,"altHAE":79,"altMSL":35}"#, isFix: true, altitude: 35),
        Case(what: "off the globe", line: #"{"class":"TPV","mode":3,"lat":91,"lon":2}"#, isFix: false),
    ]

    @Test("Absent, outdated and invalid values are handled", arguments: cases) func absent(entry: Case) throws {
        let read = try fix(entry.line)
        #expect((read != nil) == entry.isFix)
        #expect(read?.accuracyMetres == entry.accuracy)
        #expect(read?.altitudeMetres == entry.altitude)
    }

    @Test(
        "Lines of another format are rejected", arguments: ["", "$GPRMC,1", "{", "[1]", #"{"class":3}"#, "{\"a\":1}"])
    func garbage(line: String) {
        #expect(GPSDReport(Array(line.utf8)) == nil)
    }

    @Test("Versions, receivers and errors are distinguished") func others() {
        #expect(GPSDReport(Array(#"{"class":"VERSION","release":"3.22","rev":"3.22"}"#.utf8)) == .version("3.22"))
        #expect(GPSDReport(Array(#"{"class":"DEVICES","devices":[{"path":"/dev/a"}]}"#.utf8)) == .devices(1))
        #expect(GPSDReport(Array(#"{"class":"ERROR","message":"no"}"#.utf8)) == .error("no"))
        #expect(GPSDReport(Array(#"{"class":"SKY"}"#.utf8)) == .other)
    }

    @Test("An accurate position is used at once, otherwise the best of a few seconds") func choice() throws {
        func fix(_ accuracy: Double?, _ second: Int64) throws -> TrackerFix {
            try TrackerFix(at: now.adding(seconds: second), latitude: 1, longitude: 2, accuracyMetres: accuracy)
        }
        var choice = FixChoice()
        #expect(choice.add(try fix(12, 0), at: now) == (try fix(12, 0)))

        choice = FixChoice()
        #expect(choice.add(try fix(nil, 0), at: now) == nil)
        #expect(choice.add(try fix(80, 1), at: now.adding(seconds: 1)) == nil)
        #expect(choice.add(try fix(300, 2), at: now.adding(seconds: 2)) == nil)
        #expect(choice.atLast == (try fix(80, 1)))
        #expect(choice.add(try fix(200, 8), at: now.adding(seconds: 8)) == (try fix(80, 1)))
    }
}
