import Foundation
import Kernel
import Logging

struct Endpoint: Equatable, Sendable {
    let host: String
    let port: Int

    /// Parses `host:port` or `[IPv6]:port`; returns `nil` for anything else.
    init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]) else { return nil }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty, (0...65_535).contains(port) else { return nil }
        self.host = host
        self.port = port
    }
}

/// Whether Bluetooth is used, and with which adapter.
enum BluetoothChoice: Equatable, Sendable {
    case off
    /// `nil` selects the first suitable adapter.
    case adapter(String?)

    init?(_ text: String) {
        switch text {
        case "on": self = .adapter(nil)
        case "off": self = .off
        default:
            guard text.hasPrefix("hci"), !text.dropFirst(3).isEmpty, text.dropFirst(3).allSatisfy(\.isNumber) else {
                return nil
            }
            self = .adapter(text)
        }
    }
}

/// The settings for Hologram's cloud.
struct BoardHologramSettings: Equatable, Sendable {
    let deviceKey: String
    let device: Int64
    let socket: Endpoint
    let listen: Endpoint
}

/// The validated settings of the tracker.
struct BoardSettings: Equatable, Sendable {
    typealias Failure = BoardSettingSources.Failure

    let server: String
    let state: String
    let hologram: BoardHologramSettings?
    let pollSeconds: Int64
    let intervalSeconds: Int64?
    let gpsd: Endpoint
    let fixTimeoutSeconds: Int64
    let fixAgeSeconds: Int64
    let battery: BatterySensor
    let sounder: Sounder
    /// `nil`: the tracker has no button.
    let button: Button?
    let bluetooth: BluetoothChoice
    let monthlyBytes: Int64?
    let logLevel: Logger.Level

    static let pollSeconds: Int64 = 60
    static let hologramPollSeconds: Int64 = 3_600

    /// - Throws: the problem with the first invalid setting.
    init(_ sources: BoardSettingSources) throws(Failure) {
        func value<Value>(
            _ setting: BoardSetting, _ problem: String, _ read: (String) -> Value?
        ) throws(Failure) -> Value? {
            guard let text = sources.text(setting) else { return nil }
            guard let value = read(text) else {
                throw Failure(description: "\(setting.flag) (\(setting.name)) \(problem)")
            }
            return value
        }
        func required<Value>(
            _ setting: BoardSetting, _ problem: String, _ read: (String) -> Value?
        ) throws(Failure) -> Value {
            guard let value = try value(setting, problem, read) else {
                throw Failure(description: "\(setting.flag) (\(setting.name)) must be set")
            }
            return value
        }
        func seconds(_ text: String) -> Int64? { Int64(text).flatMap { (1...86_400).contains($0) ? $0 : nil } }
        let secondsProblem = "must be whole seconds, 1 to 86400"
        let endpointProblem = "must be host:port"

        server = try required(.server, "must be an http or https address", Self.address)
        state = try required(.state, "must be a folder") { $0 }
        let road = try required(.road, "must be internet or hologram") {
            ["internet", "hologram"].contains($0) ? $0 : nil
        }
        if road == "hologram" {
            hologram = BoardHologramSettings(
                deviceKey: try required(.hologramKey, "must be set") { $0 },
                device: try required(.hologramDevice, "must be a whole number") {
                    Int64($0).flatMap { $0 > 0 ? $0 : nil }
                },
                socket: try required(.hologramSocket, endpointProblem, Endpoint.init),
                listen: try required(.hologramListen, endpointProblem, Endpoint.init)
            )
        } else {
            hologram = nil
        }
        let poll = try value(.poll, secondsProblem, seconds)
        pollSeconds = poll ?? (hologram == nil ? Self.pollSeconds : Self.hologramPollSeconds)
        intervalSeconds = try value(.interval, secondsProblem, seconds)
        gpsd = try required(.gpsd, endpointProblem, Endpoint.init)
        fixTimeoutSeconds = try required(.fixTimeout, secondsProblem, seconds)
        fixAgeSeconds = try required(.fixAge, secondsProblem, seconds)
        battery = try required(.battery, "must be a folder, i2c:/dev/…, or none", BatterySensor.init)
        sounder = try required(.sounder, "must be command:/…, file:/…, or none", Sounder.init)
        let wanted = try required(.button, "must be file:/… or none") { $0 == "none" || Button($0) != nil ? $0 : nil }
        button = Button(wanted)
        bluetooth = try required(.bluetooth, "must be on, off, or an adapter such as hci0", BluetoothChoice.init)
        let megabytes = try value(.megabytes, "must be whole megabytes, 1 to 100000") { text in
            Int64(text).flatMap { (1...100_000).contains($0) ? $0 : nil }
        }
        monthlyBytes = megabytes.map { $0 * 1_000_000 }
        logLevel = try required(.logLevel, "must be debug, info, notice, warning or error") {
            Logger.Level(rawValue: $0)
        }
    }

    private static func address(_ text: String) -> String? {
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme), url.host() != nil else { return nil }
        return text
    }
}
