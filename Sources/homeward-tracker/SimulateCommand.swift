import ArgumentParser
import Dispatch
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

    @Option(help: "How many times faster than real the walk goes and the battery drains.")
    var speedFactor = 1.0

    @Option(help: "Seconds between two positions, instead of what the item's settings say.")
    var interval: Int64?

    @Option(help: "Seconds between two looks for commands.")
    var poll: Int64 = 10

    @Option(help: "The battery of a new tracker, in percent.")
    var battery = 100

    @Option(help: "The claim code of a new tracker, instead of a random one.")
    var claimCode: String?

    func validate() throws {
        guard let url = URL(string: server), ["http", "https"].contains(url.scheme), url.host() != nil else {
            throw ValidationError("--server must be an http or https address.")
        }
        guard Coordinate(latitude: latitude, longitude: longitude) != nil else {
            throw ValidationError("--latitude must be within -90 and 90, --longitude within -180 and 180.")
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
    }

    func run() async throws {
        var logger = Logger(label: "homeward-tracker") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .notice
        let random = SystemRandom()
        let clock = SystemClock()
        let folder = StateFolder(path: state)
        try folder.create()
        try folder.lock()
        let record = try folder.load() ?? newRecord(random: random, clock: clock)
        guard let start = Coordinate(latitude: latitude, longitude: longitude) else { return }
        let hardware = SimulatedHardware(
            start: start, seed: seed, speedFactor: speedFactor, beganAt: record.beganAt,
            batteryAtBeginning: record.batteryAtBeginning
        )
        let plan = TrackerPlan(contactSeconds: poll, fixSeconds: interval, jitterSeed: random.uint64())
        let link = ServerLink(baseURL: server, logger: logger)
        var runner = TrackerRunner(
            folder: folder, record: record, plan: plan, link: link, hardware: hardware, clock: clock, random: random,
            logger: logger
        )
        let (signals, sender) = AsyncStream.makeStream(of: TrackerRunner.Signal.self)
        let stoppers = [SIGTERM, SIGINT].map { Self.stop(sender, on: $0) }
        do {
            try await runner.run(signals, sender)
        } catch {
            try await link.shutdown()
            throw error
        }
        try await link.shutdown()
        withExtendedLifetime(stoppers) {}
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

    private static func stop(
        _ sender: AsyncStream<TrackerRunner.Signal>.Continuation, on number: Int32
    ) -> any DispatchSourceSignal {
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler { sender.yield(.stop) }
        source.resume()
        return source
    }
}
