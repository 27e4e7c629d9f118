import ArgumentParser
import Foundation

/// The options for radios, shared by the real tracker and the simulated one.
struct RadioOptions: ParsableArguments {
    @Option(help: ArgumentHelp(BoardSetting.road.help))
    var road: String?

    @Option(help: ArgumentHelp(BoardSetting.bluetooth.help))
    var bluetooth: String?

    @Option(help: ArgumentHelp(BoardSetting.megabytes.help))
    var megabytes: String?

    @Option(help: ArgumentHelp(BoardSetting.hologramKey.help))
    var hologramKey: String?

    @Option(help: ArgumentHelp(BoardSetting.hologramDevice.help))
    var hologramDevice: String?

    @Option(help: ArgumentHelp(BoardSetting.hologramSocket.help))
    var hologramSocket: String?

    @Option(help: ArgumentHelp(BoardSetting.hologramListen.help))
    var hologramListen: String?

    var given: [BoardSetting: String] {
        [
            .road: road, .bluetooth: bluetooth, .megabytes: megabytes, .hologramKey: hologramKey,
            .hologramDevice: hologramDevice, .hologramSocket: hologramSocket, .hologramListen: hologramListen,
        ].compactMapValues { $0 }
    }
}

struct BoardOptions: ParsableArguments {
    @Option(help: "The file with settings (default: \(BoardSettingSources.standardFile), if it is there).")
    var config: String?

    @Option(help: ArgumentHelp(BoardSetting.server.help))
    var server: String?

    @Option(help: ArgumentHelp(BoardSetting.state.help))
    var state: String?

    @OptionGroup var radios: RadioOptions

    @Option(help: ArgumentHelp(BoardSetting.poll.help))
    var poll: String?

    @Option(help: ArgumentHelp(BoardSetting.interval.help))
    var interval: String?

    @Option(help: ArgumentHelp(BoardSetting.gpsd.help))
    var gpsd: String?

    @Option(help: ArgumentHelp(BoardSetting.fixTimeout.help))
    var fixTimeout: String?

    @Option(help: ArgumentHelp(BoardSetting.fixAge.help))
    var fixAge: String?

    @Option(help: ArgumentHelp(BoardSetting.battery.help))
    var battery: String?

    @Option(help: ArgumentHelp(BoardSetting.sounder.help))
    var sounder: String?

    @Option(help: ArgumentHelp(BoardSetting.button.help))
    var button: String?

    @Option(help: ArgumentHelp(BoardSetting.logLevel.help))
    var logLevel: String?

    private var given: [BoardSetting: String] {
        let own: [BoardSetting: String?] = [
            .server: server, .state: state, .poll: poll, .interval: interval, .gpsd: gpsd, .fixTimeout: fixTimeout,
            .fixAge: fixAge, .battery: battery, .sounder: sounder, .button: button,
            .logLevel: logLevel,
        ]
        return radios.given.merging(own.compactMapValues { $0 }) { first, _ in first }
    }

    /// Returns the values of flags, environment and file, unvalidated.
    func sources() throws(BoardSettingSources.Failure) -> BoardSettingSources {
        let environment = ProcessInfo.processInfo.environment
        return try BoardSettingSources(
            flags: given, environment: environment, file: try BoardSettingSources.file(at: config))
    }

    func settings() throws(BoardSettingSources.Failure) -> BoardSettings { try BoardSettings(try sources()) }
}
