import ArgumentParser
import Kernel
import TrackerCore
import TrackerProtocol

struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Be a tracker on this board.",
        discussion: """
            Positions come from gpsd, the battery from the kernel or a fuel gauge, phones come over Bluetooth. Every flag
            can be an environment variable or a line of the configuration file instead: HOMEWARD_TRACKER_SERVER=….
            """
    )

    @OptionGroup var options: BoardOptions

    // The receiver returns its best position when its time is up; the machine must still be waiting then.
    private static let graceSeconds: Int64 = 5

    func run() async throws {
        let settings: BoardSettings
        do throws(BoardSettingSources.Failure) {
            settings = try options.settings()
        } catch {
            throw ValidationError(error.description)
        }
        let (random, clock) = (SystemRandom(), SystemClock())
        let logger = TrackerRunService.logger(settings.logLevel)
        let plan = TrackerPlan(
            contactSeconds: settings.pollSeconds, waitingSeconds: BoardSettings.pollSeconds,
            fixSeconds: settings.intervalSeconds, fixTimeoutSeconds: settings.fixTimeoutSeconds + Self.graceSeconds,
            monthlyBytes: settings.monthlyBytes, jitterSeed: random.uint64()
        )
        let service = TrackerRunService(
            server: settings.server, state: settings.state, plan: plan, bluetooth: settings.bluetooth,
            hologram: settings.hologram, random: random, clock: clock, logger: logger
        )
        let receiver = GPSDReceiver(
            host: settings.gpsd.host, port: settings.gpsd.port, timeoutSeconds: settings.fixTimeoutSeconds,
            maximumAgeSeconds: settings.fixAgeSeconds, clock: clock, logger: logger
        )
        let hardware = DeviceHardware(
            receiver: receiver, battery: settings.battery, sounder: settings.sounder, button: settings.button,
            logger: logger
        )
        try await service.run(
            newRecord: {
                TrackerRecord(
                    identity: try TrackerIdentity(random: random), server: nil, memory: TrackerMemory(),
                    beganAt: clock.now, batteryAtBeginning: 100
                )
            },
            hardware: { _ in hardware }
        )
    }
}
