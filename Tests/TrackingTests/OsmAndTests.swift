import Kernel
import Testing
import TrackerProtocol

@testable import Tracking

@Suite("OsmAnd's and Traccar's formats")
struct OsmAndTests {
    private func decode(_ query: String, unit: SpeedUnit = .knots) -> DecodedMessage {
        let pairs = query.split(separator: "&").map { pair -> (name: String, value: String) in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (name: String(parts[0]), value: parts.count > 1 ? String(parts[1]) : "")
        }
        return OsmAndQuery(pairs).decoded(speedUnit: unit)
    }

    private func report(_ query: String, unit: SpeedUnit = .knots) throws -> Report {
        guard case .report(let report) = decode(query, unit: unit) else {
            Issue.record("no report in \(query): \(decode(query, unit: unit))")
            throw QuarantineReason.unexpectedShape
        }
        return report
    }

    @Test("The documented example is decoded completely")
    func example() throws {
        let report = try report(
            "id=1234&timestamp=1504763810&lat=40.7232948571&lon=-74.0061408571&bearing=7.19889788244&speed=40"
                + "&ignition=true&rpm=933&fuel=24&altitude=12.5&accuracy=3&batt=79.6&hdop=1.2&valid=true"
        )
        #expect(report.at == Instant(millisecondsSince1970: 1_504_763_810_000))
        #expect(report.coordinate == Coordinate(latitude: 40.7232948571, longitude: -74.0061408571))
        #expect(report.headingDegrees == 7.19889788244)
        #expect(abs(try #require(report.speedMetresPerSecond) - 20.5778) < 0.0001)
        #expect(report.altitudeMetres == 12.5)
        #expect(report.accuracyMetres == 3)
        #expect(report.batteryPercent == 80)
    }

    struct Time: Sendable {
        let text: String
        let milliseconds: Int64?
    }

    @Test(
        "A timestamp is seconds, milliseconds, ISO 8601, or a date in UTC",
        arguments: [
            Time(text: "1504763810", milliseconds: 1_504_763_810_000),
            Time(text: "2147483646", milliseconds: 2_147_483_646_000),
            Time(text: "2147483647", milliseconds: 2_147_483_647),
            Time(text: "1504763810123", milliseconds: 1_504_763_810_123),
            Time(text: "1504763810.5", milliseconds: 1_504_763_810_500),
            Time(text: "2017-09-07T05:56:50Z", milliseconds: 1_504_763_810_000),
            Time(text: "2017-09-07T05:56:50.123Z", milliseconds: 1_504_763_810_123),
            Time(text: "2017-09-07T07:56:50+02:00", milliseconds: 1_504_763_810_000),
            Time(text: "2017-09-07T07:56:50 02:00", milliseconds: 1_504_763_810_000),
            Time(text: "2017-09-07T07:56:50.000+0200", milliseconds: 1_504_763_810_000),
            Time(text: "2017-09-07T05:56:50", milliseconds: 1_504_763_810_000),
            Time(text: "2017-09-07 05:56:50", milliseconds: 1_504_763_810_000),
            Time(text: "yesterday", milliseconds: nil),
            Time(text: "2017-09-07", milliseconds: nil),
            Time(text: "2017-13-07 05:56:50", milliseconds: nil),
            Time(text: "99999999999999999999", milliseconds: nil),
            Time(text: "NaN", milliseconds: nil),
        ])
    func timestamps(_ time: Time) {
        let decoded = decode("lat=1&lon=2&timestamp=\(time.text)")
        guard let milliseconds = time.milliseconds else {
            #expect(decoded == .unusable(.unreadableTime))
            return
        }
        guard case .report(let report) = decoded else {
            Issue.record("no report: \(decoded)")
            return
        }
        #expect(report.at?.millisecondsSince1970 == milliseconds)
    }

    @Test("A position without a timestamp has the time of its receipt")
    func noTimestamp() throws {
        #expect(try report("lat=1&lon=2").at == nil)
        #expect(try report("lat=1&lon=2&timestamp=").at == nil)
    }

    struct Speed: Sendable {
        let unit: SpeedUnit
        let expected: Double
    }

    @Test(
        "The unit of speed is the source's",
        arguments: [
            Speed(unit: .knots, expected: 5.14444), Speed(unit: .kmh, expected: 2.77778),
            Speed(unit: .mps, expected: 10),
            Speed(unit: .mph, expected: 4.4704),
        ])
    func speeds(_ speed: Speed) throws {
        let metresPerSecond = try #require(report("lat=1&lon=2&speed=10", unit: speed.unit).speedMetresPerSecond)
        #expect(abs(metresPerSecond - speed.expected) < 0.00001)
    }

    struct Case: Sendable {
        let query: String
        let expected: DecodedMessage
    }

    @Test(
        "Unusable messages give a reason; messages without a position are ignored",
        arguments: [
            Case(query: "id=1", expected: .nothing),
            Case(query: "lat=&lon=", expected: .nothing),
            Case(query: "batt=5&timestamp=1504763810", expected: .nothing),
            Case(query: "lat=91&lon=0", expected: .unusable(.placeOutOfRange)),
            Case(query: "lat=0&lon=180.1", expected: .unusable(.placeOutOfRange)),
            Case(query: "lat=NaN&lon=0", expected: .unusable(.unreadableNumber)),
            Case(query: "lat=inf&lon=0", expected: .unusable(.unreadableNumber)),
            Case(query: "lat=0x10&lon=0", expected: .unusable(.unreadableNumber)),
            Case(query: "lat=1e999&lon=0", expected: .unusable(.unreadableNumber)),
            Case(query: "lat=52,5&lon=13,4", expected: .unusable(.unreadableNumber)),
            Case(query: "lat=1", expected: .unusable(.unreadableNumber)),
            Case(query: "lon=1", expected: .unusable(.unreadableNumber)),
            Case(query: "location=1", expected: .unusable(.unreadableNumber)),
            Case(query: "location=1,2,3", expected: .unusable(.unreadableNumber)),
            Case(query: "location=91,2", expected: .unusable(.placeOutOfRange)),
            Case(query: "lat=1&lon=2&valid=false", expected: .unusable(.markedInvalid)),
            Case(query: "lat=1&lon=2&valid=0", expected: .unusable(.markedInvalid)),
            Case(query: "lat=1&lon=2&speed=fast", expected: .unusable(.unreadableNumber)),
            Case(query: "lat=1&lon=2&batt=101", expected: .unusable(.numberOutOfRange)),
            Case(query: "lat=1&lon=2&hdop=x", expected: .unusable(.unreadableNumber)),
        ])
    func unusable(_ example: Case) {
        #expect(decode(example.query) == example.expected)
    }

    @Test("Other spellings are equivalent")
    func spellings() throws {
        #expect(
            try report("location=1.5,%202".replacing("%20", with: " ")).coordinate
                == Coordinate(latitude: 1.5, longitude: 2))
        #expect(try report("lat=1&lon=2&heading=90").headingDegrees == 90)
        #expect(try report("lat=1&lon=2&valid=1").coordinate == Coordinate(latitude: 1, longitude: 2))
        #expect(OsmAndQuery([(name: "deviceid", value: "d")]).deviceID == "d")
        #expect(OsmAndQuery([(name: "id", value: "i"), (name: "deviceid", value: "d")]).deviceID == "i")
        #expect(OsmAndQuery([(name: "id", value: "")]).deviceID == nil)
    }

    @Test("−1 is read as unknown, and HDOP isn't an accuracy")
    func unknowns() throws {
        let report = try report("lat=1&lon=2&speed=-1&bearing=-1&accuracy=-1&batt=-1&hdop=2")
        #expect(report.speedMetresPerSecond == nil)
        #expect(report.headingDegrees == nil)
        #expect(report.accuracyMetres == nil)
        #expect(report.batteryPercent == nil)
        #expect(try self.report("lat=1&lon=2&bearing=360").headingDegrees == 0)
        #expect(try self.report("lat=1&lon=2&batt=-100").batteryPercent == nil)
    }

    private static let traccar = """
        {"location":{"timestamp":"2021-07-21T08:06:34.444Z","coords":{"latitude":-6.1148096,"longitude":106.6837015,\
        "accuracy":3.8,"speed":18.67,"heading":63,"altitude":35.7},"is_moving":false,"odometer":0,\
        "event":"motionchange","activity":{"type":"still"},"battery":{"level":0.79,"is_charging":false},"extras":{}},\
        "device_id":"8737767034"}
        """

    @Test("Traccar's JSON is in metres per second")
    func traccarExample() throws {
        let message = try TraccarJSON(Array(Self.traccar.utf8))
        #expect(message.deviceID == "8737767034")
        guard case .report(let report) = message.decoded().first else {
            Issue.record("no report")
            return
        }
        #expect(report.at == Instant(rfc3339: "2021-07-21T08:06:34.444Z"))
        #expect(report.coordinate == Coordinate(latitude: -6.1148096, longitude: 106.6837015))
        #expect(report.speedMetresPerSecond == 18.67)
        #expect(report.headingDegrees == 63)
        #expect(report.altitudeMetres == 35.7)
        #expect(report.accuracyMetres == 3.8)
        #expect(report.batteryPercent == 79)
    }

    @Test("−1 in Traccar's JSON is read as unknown")
    func traccarUnknowns() throws {
        let text = Self.traccar.replacing("18.67", with: "-1").replacing(":63", with: ":-1")
            .replacing("0.79", with: "-1").replacing("3.8", with: "-1")
        guard case .report(let report) = try TraccarJSON(Array(text.utf8)).decoded().first else {
            Issue.record("no report")
            return
        }
        #expect(report.speedMetresPerSecond == nil)
        #expect(report.headingDegrees == nil)
        #expect(report.accuracyMetres == nil)
        #expect(report.batteryPercent == nil)
    }

    struct JSONCase: Sendable {
        let body: String
        let expected: DecodedMessage
    }

    @Test(
        "Traccar's JSON with an unexpected shape",
        arguments: [
            JSONCase(body: #"{"device_id":"1"}"#, expected: .nothing),
            JSONCase(body: #"{"device_id":"1","location":null}"#, expected: .nothing),
            JSONCase(body: #"{"location":{"coords":{}}}"#, expected: .nothing),
            JSONCase(body: #"{"location":7}"#, expected: .unusable(.unexpectedShape)),
            JSONCase(body: #"{"location":[7]}"#, expected: .unusable(.unexpectedShape)),
            JSONCase(
                body: #"{"location":[{"coords":{"latitude":91,"longitude":2}}]}"#, expected: .unusable(.placeOutOfRange)
            ),
            JSONCase(body: #"{"location":{"coords":{"latitude":1}}}"#, expected: .unusable(.unreadableNumber)),
            JSONCase(
                body: #"{"location":{"coords":{"latitude":"1","longitude":2}}}"#, expected: .unusable(.unreadableNumber)
            ),
            JSONCase(
                body: #"{"location":{"coords":{"latitude":91,"longitude":2}}}"#, expected: .unusable(.placeOutOfRange)),
            JSONCase(
                body: #"{"location":{"timestamp":"soon","coords":{"latitude":1,"longitude":2}}}"#,
                expected: .unusable(.unreadableTime)
            ),
            JSONCase(
                body: #"{"location":{"timestamp":true,"coords":{"latitude":1,"longitude":2}}}"#,
                expected: .unusable(.unreadableTime)
            ),
        ])
    func traccarShapes(_ example: JSONCase) throws {
        #expect(try TraccarJSON(Array(example.body.utf8)).decoded() == [example.expected])
    }

    @Test("Several positions in one message of Traccar Client are decoded one by one, up to a limit")
    func traccarBatch() throws {
        func message(_ entries: [String]) throws -> [DecodedMessage] {
            let body = #"{"device_id":"1","location":[\#(entries.joined(separator: ","))]}"#
            return try TraccarJSON(Array(body.utf8)).decoded()
        }
        func entry(_ latitude: Int) -> String { #"{"coords":{"latitude":\#(latitude),"longitude":2}}"# }
        let read = try message([entry(1), "null", entry(91), #"{"coords":{}}"#, entry(3)])
        let one = Report(coordinate: try #require(Coordinate(latitude: 1, longitude: 2)))
        let three = Report(coordinate: try #require(Coordinate(latitude: 3, longitude: 2)))
        let expected: [DecodedMessage] = [
            .report(one), .unusable(.unexpectedShape), .unusable(.placeOutOfRange), .nothing, .report(three),
        ]
        #expect(read == expected)
        #expect(try message([]).isEmpty)
        let most = Array(repeating: entry(1), count: Limits.fixesPerMessage)
        #expect(try message(most).count == Limits.fixesPerMessage)
        #expect(try message(most + [entry(1)]) == [.unusable(.unexpectedShape)])
    }

    @Test("Invalid JSON and JSON that isn't an object give different errors")
    func brokenJSON() {
        for broken in ["", "{", "{\"a\":}", "nonsense", "\u{0}"] {
            #expect(throws: LooseFields.Failure.notJSON) { try TraccarJSON(Array(broken.utf8)) }
        }
        for other in ["[]", "3", "\"x\"", "null", "true"] {
            #expect(throws: LooseFields.Failure.notAnObject) { try TraccarJSON(Array(other.utf8)) }
        }
    }
}
