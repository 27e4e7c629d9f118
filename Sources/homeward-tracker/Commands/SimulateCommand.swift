import ArgumentParser
import Foundation
import Kernel
import Logging
import TrackerCore
import TrackerProtocol

struct SimulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Be a tracker on a made-up walk.",
        discussion: """
            Speaks the real protocol with the server. As soon as the server knows the tracker, one line is printed:
            "claim-code XXXX-XXXX-XXXX". Enter that code in the app to pair the tracker with an item. Everything else
            goes to the log on standard error. Stop it with Ctrl-C; started again with the same folder it goes on.
            """
    )

    @Option(help: "The server's address.")
    var server = "http://127.0.0.1:8080"

    @Option(help: ArgumentHelp("The folder for the tracker's state.", valueName: "folder"))
    var state: String

    @Option(help: "Decides the walk; the same number gives the same walk.")
    var seed: UInt64 = 1

    @Option(help: "Where the walk begins, in degrees.")
    var latitude = 48.137154

    @Option(help: "Where the walk begins, in degrees.")
    var longitude = 11.576124

    @Option(
        help: ArgumentHelp(
            "The corners of the walk, instead of random ones: metres east and north of its beginning.",
            valueName: "east,north …"))
    var route: String?

    @Option(help: "How many times faster than real the walk goes and the battery drains.")
    var speedFactor = 1.0

    @Option(help: "Seconds between two positions, instead of what the item's settings say.")
    var interval: Int64?

    @Option(help: "Seconds between two checks for commands.")
    var poll: Int64 = 10

    @Option(help: "The battery of a new tracker, in percent.")
    var battery = 100

    @Option(help: "The claim code of a new tracker, instead of a random one.")
    var claimCode: String?

    @OptionGroup var radios: RadioOptions

    func validate() throws {
        guard let url = URL(string: server), ["http", "https"].contains(url.scheme), url.host() != nil else {
            throw ValidationError("--server must be an http or https address.")
        }
        guard Coordinate(latitude: latitude, longitude: longitude) != nil else {
            throw ValidationError("--latitude must be within -90 and 90, --longitude within -180 and 180.")
        }
        guard route == nil || corners != nil else {
            throw ValidationError("--route must be pairs of numbers such as \"120,0 120,80\", up to 50000.")
        }
        guard speedFactor.isFinite, (0...1_000).contains(speedFactor) else {
            throw ValidationError("--speed-factor must be within 0 and 1000.")
        }
        guard (1...86_400).contains(interval ?? 1), (1...86_400).contains(poll) else {
            throw ValidationError("--interval and --poll must be within 1 and 86400 seconds.")
        }
        guard (5...100).contains(battery) else { throw ValidationError("--battery must be within 5 and 100.") }
        if let claimCode, ClaimCode(claimCode) == nil {
            throw ValidationError("--claim-code must be 12 digits and letters, without I, L, O and U.")
        }
        _ = try settings()
    }

    func run() async throws {
        let logger = TrackerRunService.logger(.notice)
        let (random, clock) = (SystemRandom(), SystemClock())
        guard let start = Coordinate(latitude: latitude, longitude: longitude) else { return }
        let settings = try settings()
        let plan = TrackerPlan(
            contactSeconds: poll, waitingSeconds: BoardSettings.pollSeconds, fixSeconds: interval,
            monthlyBytes: settings.monthlyBytes, jitterSeed: random.uint64()
        )
        let service = TrackerRunService(
            server: server, state: state, plan: plan, bluetooth: settings.bluetooth, hologram: settings.hologram,
            random: random, clock: clock, logger: logger
        )
        try await service.run(
            newRecord: { try newRecord(random: random, clock: clock) },
            hardware: { record in
                SimulatedHardware(
                    start: start, route: corners ?? [], seed: seed, speedFactor: speedFactor, beganAt: record.beganAt,
                    batteryAtBeginning: record.batteryAtBeginning, clock: clock
                )
            }
        )
    }

    private static let longestMetres = 50_000.0

    /// The corners of the route; `nil` for a text that isn't one.
    private var corners: [(east: Double, north: Double)]? {
        var corners: [(east: Double, north: Double)] = []
        for pair in (route ?? "").split(separator: " ") {
            let numbers = pair.split(separator: ",").compactMap { Double($0) }
            guard numbers.count == 2, numbers.allSatisfy({ abs($0) <= Self.longestMetres }) else { return nil }
            corners.append((numbers[0], numbers[1]))
        }
        return corners.isEmpty ? nil : corners
    }

    // A simulated tracker uses no radio unless an option names one.
    private func settings() throws -> BoardSettings {
        let flags = [BoardSetting.server: server, .state: state, .bluetooth: "off"].merging(radios.given) { $1 }
        do throws(BoardSettingSources.Failure) {
            return try BoardSettings(try BoardSettingSources(flags: flags, environment: [:], file: [:]))
        } catch {
            throw ValidationError(error.description)
        }
    }

    private func newRecord(random: any RandomSource, clock: any WallClock) throws(KeyFailure) -> TrackerRecord {
        var identity = try TrackerIdentity(random: random)
        if let claimCode = claimCode.flatMap({ ClaimCode($0) }) {
            identity = TrackerIdentity(keyPair: identity.keyPair, claimCode: claimCode)
        }
        return TrackerRecord(
            identity: identity, server: nil, memory: TrackerMemory(), beganAt: clock.now, batteryAtBeginning: battery
        )
    }
}
