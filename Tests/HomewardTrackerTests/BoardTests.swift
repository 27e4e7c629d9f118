import Foundation
import Logging
import Testing

@testable import homeward_tracker

@Suite struct BoardTests {
    private func settings(
        flags: [BoardSetting: String] = [:], environment: [String: String] = [:], file: String = ""
    ) throws -> BoardSettings {
        try BoardSettings(
            try BoardSettingSources(
                flags: flags, environment: environment, file: try BoardSettingSources.read(Array(file.utf8))))
    }

    @Test("A flag overrides the environment, and the environment overrides the file") func order() throws {
        let file = "# remark\nHOMEWARD_TRACKER_SERVER=https://file.example\nHOMEWARD_TRACKER_POLL = '30'\n"
        #expect(try settings(file: file).server == "https://file.example")
        #expect(try settings(file: file).pollSeconds == 30)
        let environment = ["HOMEWARD_TRACKER_SERVER": "https://environment.example"]
        #expect(try settings(environment: environment, file: file).server == "https://environment.example")
        let flags = [BoardSetting.server: "https://flag.example"]
        #expect(try settings(flags: flags, environment: environment, file: file).server == "https://flag.example")
    }

    @Test("Settings have defaults") func standards() throws {
        let settings = try settings(flags: [.server: "http://127.0.0.1:8080"])
        #expect(settings.state == "/var/lib/homeward-tracker")
        #expect(settings.gpsd == Endpoint("127.0.0.1:2947"))
        #expect(settings.battery == .supplies(folder: "/sys/class/power_supply"))
        #expect(settings.bluetooth == .adapter(nil))
        #expect(settings.hologram == nil)
        #expect(settings.pollSeconds == 60)
        #expect(settings.intervalSeconds == nil)
        #expect(settings.monthlyBytes == nil)
    }

    struct Wrong: CustomTestStringConvertible, Sendable {
        let setting: BoardSetting
        let value: String
        var testDescription: String { "\(setting.name)=\(value)" }
    }

    private static let pairs: [(BoardSetting, String)] = [
        (.server, "homeward.example"), (.server, "ftp://homeward.example"), (.road, "carrier pigeon"), (.poll, "0"),
        (.poll, "x"), (.interval, "86401"), (.gpsd, "localhost"), (.gpsd, ":2947"), (.gpsd, "host:70000"),
        (.gpsd, "::1:2947"), (.fixTimeout, "-1"), (.battery, "i2c:"), (.battery, "sys"), (.sounder, "beep"),
        (.sounder, "command:aplay"), (.bluetooth, "hci"), (.bluetooth, "hciX"), (.megabytes, "0"), (.logLevel, "loud"),
    ]
    static let wrong = pairs.map { Wrong(setting: $0.0, value: $0.1) }

    @Test("An invalid setting is named in the error", arguments: wrong) func refused(entry: Wrong) {
        let flags = [BoardSetting.server: "http://a.example"].merging([entry.setting: entry.value]) { $1 }
        let failure = #expect(throws: BoardSettings.Failure.self) { try settings(flags: flags) }
        #expect(failure?.description.contains("(\(entry.setting.name))") == true)
    }

    @Test("The server is required; Hologram also needs its key and device") func required() throws {
        #expect(throws: BoardSettings.Failure(description: "--server (HOMEWARD_TRACKER_SERVER) must be set")) {
            try settings()
        }
        var flags = [BoardSetting.server: "http://a.example", .road: "hologram"]
        #expect(throws: BoardSettings.Failure.self) { try settings(flags: flags) }
        flags[.hologramKey] = "ABCDEFGH"
        #expect(throws: BoardSettings.Failure.self) { try settings(flags: flags) }
        flags[.hologramDevice] = "1234567"
        let whole = try settings(flags: flags)
        #expect(whole.hologram?.device == 1_234_567)
        #expect(whole.hologram?.socket == Endpoint("cloudsocket.hologram.io:9999"))
        #expect(whole.hologram?.listen == Endpoint("0.0.0.0:4010"))
        #expect(whole.pollSeconds == 3_600)
    }

    @Test("An unknown name or an invalid line in the file is an error") func mistyped() {
        #expect(throws: BoardSettings.Failure.self) { try settings(file: "HOMEWARD_TRACKER_SEVRER=https://a.example") }
        #expect(throws: BoardSettings.Failure(description: "line 2: not NAME=value")) {
            try settings(file: "\nserver https://a.example")
        }
    }

    @Test("Other editors' files are read, and an error suggests the nearest name") func otherEditors() throws {
        let lines = "\u{feff}# remark\r\nexport HOMEWARD_TRACKER_SERVER=\"https://a.example\" # ours\r\n"
        #expect(try settings(file: lines).server == "https://a.example")
        let failure = #expect(throws: BoardSettingSources.Failure.self) {
            try settings(file: "HOMEWARD_TRACKER_SEVRER=https://a.example")
        }
        #expect(failure?.description.hasSuffix("Did you mean HOMEWARD_TRACKER_SERVER?") == true)
    }

    @Test("Endpoints are parsed into host and port") func endpoints() {
        #expect(Endpoint("[::1]:2947")?.host == "::1")
        #expect(Endpoint("gps.local:2947")?.port == 2_947)
    }

    @Test("The system's battery is read, not a mouse's") func battery() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "supplies-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        func supply(_ name: String, _ files: [String: String]) throws {
            let place = folder.appending(path: name)
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            for (file, text) in files { try Data((text + "\n").utf8).write(to: place.appending(path: file)) }
        }
        let battery = try #require(BatterySensor(folder.path))
        #expect(battery.percent == nil)
        try supply("ac", ["type": "Mains", "online": "1"])
        try supply("hid-mouse", ["type": "Battery", "scope": "Device", "capacity": "12"])
        #expect(battery.percent == nil)
        try supply("max170xx", ["type": "Battery", "capacity": "87"])
        #expect(battery.percent == 87)
        try supply("max170xx", ["type": "Battery", "capacity": "104"])
        #expect(battery.percent == 100)
        try supply("max170xx", ["type": "Battery", "capacity": "full"])
        #expect(battery.percent == nil)
    }

    @Test("A fuel gauge's bytes give the percentage") func fuelGauge() {
        #expect(BatterySensor.percent(ofCharge: [87, 0]) == 87)
        #expect(BatterySensor.percent(ofCharge: [87, 128]) == 88)
        #expect(BatterySensor.percent(ofCharge: [101, 255]) == 100)
        #expect(BatterySensor("i2c:/dev/i2c-1") == .fuelGauge(bus: "/dev/i2c-1"))
        #expect(BatterySensor.fuelGauge(bus: "/dev/null").percent == nil)
    }

    @Test("A sounder is switched on and off again") func sounder() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "sounder-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("0".utf8).write(to: file)
        let sounder = try #require(Sounder("file:\(file.path)"))
        await sounder.sound(seconds: 0, logger: TrackerRunService.logger(.critical))
        #expect(try String(contentsOf: file, encoding: .utf8) == "0")
        let sounding = Task { await sounder.sound(seconds: 3_600, logger: TrackerRunService.logger(.critical)) }
        while try String(contentsOf: file, encoding: .utf8) != "1" { await Task.yield() }
        sounding.cancel()
        await sounding.value
        #expect(try String(contentsOf: file, encoding: .utf8) == "0")
        #expect(Sounder("command:/usr/bin/aplay -q a.wav") == .command(["/usr/bin/aplay", "-q", "a.wav"]))
    }
}
