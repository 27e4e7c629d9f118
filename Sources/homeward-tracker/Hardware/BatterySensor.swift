import Foundation
import Glibc

/// The source of the battery level.
enum BatterySensor: Equatable, Sendable {
    /// The kernel's folder of power supplies, usually `/sys/class/power_supply`.
    case supplies(folder: String)
    /// A MAX17048 or MAX17043 fuel gauge on an I2C bus, for example `/dev/i2c-1`.
    case fuelGauge(bus: String)
    case none

    static let standardFolder = "/sys/class/power_supply"

    /// Parses `none`, `i2c:/dev/i2c-1`, or a folder; returns `nil` for anything else.
    init?(_ text: String) {
        if text == "none" {
            self = .none
        } else if text.hasPrefix("i2c:/"), text.count > 5 {
            self = .fuelGauge(bus: String(text.dropFirst(4)))
        } else if text.hasPrefix("/") {
            self = .supplies(folder: text)
        } else {
            return nil
        }
    }

    /// The battery level, 0 to 100; `nil` when it can't be read.
    var percent: Int? {
        switch self {
        case .supplies(let folder): Self.percent(below: folder)
        case .fuelGauge(let bus): Self.percent(onBus: bus)
        case .none: nil
        }
    }

    private static func percent(below folder: String) -> Int? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names.sorted() {
            func value(_ file: String) -> String? {
                guard let data = FileManager.default.contents(atPath: "\(folder)/\(name)/\(file)") else { return nil }
                return String(decoding: data.prefix(64), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            }
            // The folder also contains the batteries of keyboards and mice.
            guard value("type") == "Battery", value("scope") != "Device" else { continue }
            guard let percent = value("capacity").flatMap({ Int($0) }) else { continue }
            return min(max(percent, 0), 100)
        }
        return nil
    }

    // MAX17048 data sheet: register 4 is the state of charge, 1/256 percent, high byte first.
    private static let gaugeAddress: Int32 = 0x36
    private static let chargeRegister: UInt8 = 4
    // <linux/i2c-dev.h>
    private static let selectDevice: UInt = 0x0703

    private static func percent(onBus bus: String) -> Int? {
        let descriptor = open(bus, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard ioctl(descriptor, selectDevice, gaugeAddress) >= 0 else { return nil }
        var register = chargeRegister
        var charge: [UInt8] = [0, 0]
        guard write(descriptor, &register, 1) == 1, read(descriptor, &charge, 2) == 2 else { return nil }
        return percent(ofCharge: charge)
    }

    /// Limits the level to 100: the gauge reports more when a battery exceeds its model.
    static func percent(ofCharge charge: [UInt8]) -> Int? {
        charge.first.map { min(Int($0) + (charge.count > 1 && charge[1] >= 128 ? 1 : 0), 100) }
    }
}
