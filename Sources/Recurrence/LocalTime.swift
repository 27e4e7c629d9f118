/// A time of day to the minute, without a date and without a time zone.
package struct LocalTime: Hashable, Comparable, Sendable {
    /// Minutes since midnight on the clock: 0 to 1,439.
    package let minuteOfDay: Int

    package static let midnight = LocalTime(minuteOfDay: 0)

    private init(minuteOfDay: Int) { self.minuteOfDay = minuteOfDay }

    /// Returns `nil` unless the hour is 0 to 23 and the minute 0 to 59.
    package init?(hour: Int, minute: Int) {
        guard (0...23).contains(hour), (0...59).contains(minute) else { return nil }
        minuteOfDay = hour * 60 + minute
    }

    /// Parses `08:30`, as browsers send it; returns `nil` for anything else.
    package init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count == 5, bytes[2] == UInt8(ascii: ":"), let hour = DecimalDigits.number(bytes[0..<2]),
            let minute = DecimalDigits.number(bytes[3..<5])
        else { return nil }
        self.init(hour: hour, minute: minute)
    }

    /// Hours and minutes of two digits: `08:30`.
    package var text: String {
        DecimalDigits.text(minuteOfDay / 60, digits: 2) + ":" + DecimalDigits.text(minuteOfDay % 60, digits: 2)
    }

    /// Orders by time.
    package static func < (left: Self, right: Self) -> Bool { left.minuteOfDay < right.minuteOfDay }
}
