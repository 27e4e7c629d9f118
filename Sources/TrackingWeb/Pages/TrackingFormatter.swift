import Accounts
import Kernel
import Tracking
import WebCore

extension DistanceOrigin {
    /// Returns the phone as the words after a distance: `from this device`.
    func text(_ t: Translator) -> String {
        switch self {
        case .thisDevice: t("from this device")
        case .device, .source: t("from your device ({device})", ["device": deviceName(t)])
        }
    }

    /// Returns the phone of all distances of a list.
    func note(_ t: Translator) -> String {
        switch self {
        case .thisDevice: t("Distances are measured from this device.")
        case .device, .source:
            t("Distances are measured from your device ({device}).", ["device": deviceName(t)])
        }
    }

    private func deviceName(_ t: Translator) -> String { DeviceName.text(name ?? "", t) }
}

/// The formatter of numbers, distances and times in the client's language. Created once per response.
struct TrackingFormatter: Sendable {
    private static let secondsPerMinute = 60.0
    private static let secondsPerHour = 3_600.0
    private static let secondsPerDay = 86_400.0
    private static let degreeDigits = 5
    private static let degreeSteps = 100_000

    let now: Instant
    let times: TimeFormatter
    private let t: Translator

    init(_ t: Translator, now: Instant) {
        self.t = t
        self.now = now
        times = TimeFormatter(t, now: now)
    }

    /// Returns `340 m`, `1.2 km` or `12 km`.
    func distance(_ metres: Double) -> String {
        DistanceText.of(metres, t)
    }

    /// Returns `±6 m`.
    func accuracy(_ metres: Double) -> String {
        t("±{n}", ["n": distance(metres)])
    }

    /// Returns `82 %`.
    func percent(_ value: Int) -> String {
        t("{n}\u{a0}%", ["n": String(value)])
    }

    /// Returns a duration: `4 min`, `3 hr`, `5 days`.
    func span(since instant: Instant) -> String {
        span(seconds: now.seconds(since: instant))
    }

    /// Returns a duration: `4 min`, `3 hr`, `5 days`; at least a minute.
    func span(seconds: Double) -> String {
        if seconds < Self.secondsPerHour {
            return t("{n}\u{a0}min", ["n": String(Int(max(1, seconds / Self.secondsPerMinute)))])
        }
        if seconds < 2 * Self.secondsPerDay {
            return t("{n}\u{a0}hr", ["n": String(Int(seconds / Self.secondsPerHour))])
        }
        return t("{n}\u{a0}day", plural: "{n}\u{a0}days", count: Int(seconds / Self.secondsPerDay))
    }

    /// Returns degrees with five decimals, about a metre: `50.77535, 6.08389`.
    func place(_ coordinate: Coordinate) -> String {
        degrees(coordinate.latitude) + ", " + degrees(coordinate.longitude)
    }

    /// Returns where a position is: `Home`, `340 m north of Home`, an address or degrees.
    func place(_ description: PlaceDescription) -> String {
        switch description {
        case .inside(let name): name
        case .near(let name, let metres, let direction): direction.text(metres: metres, of: name, t)
        case .address(let text): text
        case .coordinates(let coordinate): place(coordinate)
        }
    }

    /// Returns where a position is in words; `nil` if only its degrees are known.
    func words(_ description: PlaceDescription?) -> String? {
        switch description {
        case .coordinates, nil: nil
        case .inside, .near, .address: description.map(place)
        }
    }

    /// Returns a duration with minutes: `4 min`, `1 hr 20 min`, `2 days 3 hr`.
    func duration(seconds: Double) -> String {
        let minutes = Int((seconds / Self.secondsPerMinute).rounded())
        let minutesPerHour = 60
        let hoursPerDay = 24
        let (hours, rest) = (minutes / minutesPerHour, minutes % minutesPerHour)
        if hours == 0 { return t("{n}\u{a0}min", ["n": String(max(1, minutes))]) }
        if hours >= hoursPerDay * 2 {
            return t("{n}\u{a0}day", plural: "{n}\u{a0}days", count: hours / hoursPerDay)
        }
        let whole = t("{n}\u{a0}hr", ["n": String(hours)])
        return rest == 0 ? whole : whole + "\u{a0}" + t("{n}\u{a0}min", ["n": String(rest)])
    }

    private func degrees(_ value: Double) -> String {
        let scaled = Int((abs(value) * Double(Self.degreeSteps)).rounded())
        let fraction = String(scaled % Self.degreeSteps)
        let zeros = String(repeating: "0", count: Self.degreeDigits - fraction.count)
        return "\(value < 0 && scaled > 0 ? "-" : "")\(scaled / Self.degreeSteps).\(zeros)\(fraction)"
    }
}
