import Foundation
import Kernel

/// A setting of the tracker, from a flag, an environment variable or a line of the configuration file.
struct BoardSetting: Hashable, Sendable {
    static let prefix = "HOMEWARD_TRACKER_"

    /// The name in the environment and in the file.
    let name: String
    let meaning: String
    let standard: String

    private init(_ name: String, _ meaning: String, standard: String = "") {
        self.name = Self.prefix + name
        self.meaning = meaning
        self.standard = standard
    }

    /// The corresponding flag of `run`.
    var flag: String {
        "--" + name.dropFirst(Self.prefix.count).lowercased().replacing("_", with: "-")
    }

    var help: String { standard.isEmpty ? meaning : "\(meaning) (default: \(standard))" }

    static let server = BoardSetting("SERVER", "The server's address, such as https://homeward.example.")
    static let state = BoardSetting(
        "STATE", "The folder for the tracker's state.", standard: "/var/lib/homeward-tracker"
    )
    static let road = BoardSetting(
        "ROAD", "How messages travel: internet, or hologram for positions through Hologram's cloud.",
        standard: "internet"
    )
    static let poll = BoardSetting(
        "POLL", "Seconds between two checks for commands: 60 over the internet, 3600 with hologram."
    )
    static let interval = BoardSetting("INTERVAL", "Seconds between two positions, instead of the item's setting.")
    static let gpsd = BoardSetting("GPSD", "Where gpsd listens.", standard: "127.0.0.1:2947")
    static let fixTimeout = BoardSetting("FIX_TIMEOUT", "Seconds to wait for a position.", standard: "90")
    static let fixAge = BoardSetting("FIX_AGE", "Seconds after which a position counts as old.", standard: "30")
    static let battery = BoardSetting(
        "BATTERY", "The battery: a folder of power supplies, i2c:/dev/i2c-1 for a MAX17048, or none.",
        standard: BatterySensor.standardFolder
    )
    static let sounder = BoardSetting(
        "SOUNDER", "What makes a noise: command:/PROGRAM ARGUMENTS, file:/sys/class/gpio/gpio18/value, or none.",
        standard: "none"
    )
    static let button = BoardSetting(
        "BUTTON", "What a finder holds to learn how to reach the owner: file:/sys/class/gpio/gpio17/value, or none.",
        standard: "none"
    )
    static let bluetooth = BoardSetting("BLUETOOTH", "on, off, or the adapter, such as hci0.", standard: "on")
    static let megabytes = BoardSetting("MEGABYTES", "Megabytes that may be used in 30 days; empty for no bound.")
    static let hologramKey = BoardSetting("HOLOGRAM_KEY", "The device key of the SIM card at Hologram.")
    static let hologramDevice = BoardSetting("HOLOGRAM_DEVICE", "The device id of the SIM card at Hologram.")
    static let hologramSocket = BoardSetting(
        "HOLOGRAM_SOCKET", "Hologram's socket.",
        standard: "\(HologramSocket.standardHost):\(HologramSocket.standardPort)"
    )
    static let hologramListen = BoardSetting(
        "HOLOGRAM_LISTEN", "Where Hologram's cloud reaches the tracker.",
        standard: "0.0.0.0:\(HologramListener.standardPort)"
    )
    static let logLevel = BoardSetting("LOG_LEVEL", "debug, info, notice, warning or error.", standard: "notice")

    static let all = [
        server, state, road, poll, interval, gpsd, fixTimeout, fixAge, battery, sounder, button, bluetooth,
        megabytes, hologramKey, hologramDevice, hologramSocket, hologramListen, logLevel,
    ]
}

/// The values of the settings. Precedence: flag, environment, file.
struct BoardSettingSources: Sendable {
    struct Failure: Error, Equatable, CustomStringConvertible {
        let description: String
    }

    static let standardFile = "/etc/homeward-tracker.conf"

    private let layers: [[String: String]]

    init(flags: [BoardSetting: String], environment: [String: String], file: [String: String]) throws(Failure) {
        let known = BoardSetting.all.map { String($0.name.dropFirst(BoardSetting.prefix.count)) }
        for name in file.keys.sorted() where !known.contains(where: { BoardSetting.prefix + $0 == name }) {
            let typed = name.hasPrefix(BoardSetting.prefix) ? String(name.dropFirst(BoardSetting.prefix.count)) : name
            let hint = NearestName.of(typed, in: known).map { ". Did you mean \(BoardSetting.prefix)\($0)?" } ?? ""
            throw Failure(description: "\(name): there is no such setting\(hint)")
        }
        let flags = Dictionary(uniqueKeysWithValues: flags.map { ($0.key.name, $0.value) })
        layers = [flags, environment, file]
    }

    /// Returns a setting's text or its default; `nil` when it has neither.
    func text(_ setting: BoardSetting) -> String? {
        let said = layers.lazy.compactMap { $0[setting.name] }.first { !$0.isEmpty }
        return said ?? (setting.standard.isEmpty ? nil : setting.standard)
    }

    /// Returns the settings of a file; none when no file is named and the default file doesn't exist.
    static func file(at named: String?) throws(Failure) -> [String: String] {
        let path = named ?? standardFile
        guard named != nil || FileManager.default.fileExists(atPath: path) else { return [:] }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw Failure(description: "\(path) can't be read")
        }
        do throws(Failure) {
            return try read(Array(data))
        } catch {
            throw Failure(description: "\(path): \(error)")
        }
    }

    /// Parses a file of settings.
    static func read(_ bytes: [UInt8]) throws(Failure) -> [String: String] {
        do throws(SettingsFile.Failure) {
            return try SettingsFile(bytes).values
        } catch {
            throw Failure(description: "\(error)")
        }
    }
}
