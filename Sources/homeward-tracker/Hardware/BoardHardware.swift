import Kernel
import Logging
import TrackerProtocol

/// A real board: gpsd, the battery, the sounder.
struct BoardHardware: TrackerHardware {
    private let receiver: GPSDReceiver
    private let battery: Battery
    private let sounder: Sounder
    private let logger: Logger

    init(receiver: GPSDReceiver, battery: Battery, sounder: Sounder, logger: Logger) {
        self.receiver = receiver
        self.battery = battery
        self.sounder = sounder
        self.logger = logger
    }

    func batteryPercent(at now: Instant) -> Int? { battery.percent }

    func locate() async -> TrackerFix? { await receiver.locate(batteryPercent: battery.percent) }

    func sound(seconds: Int64) async { await sounder.sound(seconds: seconds, logger: logger) }
}
