import Kernel
import Logging
import TrackerProtocol

/// The hardware of a real board: gpsd, battery, sounder and button.
struct DeviceHardware: TrackerHardware {
    private let receiver: GPSDReceiver
    private let battery: BatterySensor
    private let sounder: Sounder
    private let button: Button?
    private let logger: Logger

    init(receiver: GPSDReceiver, battery: BatterySensor, sounder: Sounder, button: Button?, logger: Logger) {
        self.receiver = receiver
        self.battery = battery
        self.sounder = sounder
        self.button = button
        self.logger = logger
    }

    func batteryPercent(at now: Instant) -> Int? { battery.percent }

    func locate() async -> TrackerFix? { await receiver.locate(batteryPercent: battery.percent) }

    var hasSounder: Bool { sounder != .none }

    func sound(seconds: Int64) async { await sounder.sound(seconds: seconds, logger: logger) }

    var hasButton: Bool { button != nil }

    func buttonHeld() async { await button?.held() }
}
