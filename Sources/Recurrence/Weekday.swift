package import Kernel

/// A day of the week. The raw value counts from Monday (0).
package enum Weekday: Int, CaseIterable, Comparable, Sendable {
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday

    /// The two letters of RFC 5545, 3.3.10: `MO` to `SU`.
    package var code: String {
        switch self {
        case .monday: "MO"
        case .tuesday: "TU"
        case .wednesday: "WE"
        case .thursday: "TH"
        case .friday: "FR"
        case .saturday: "SA"
        case .sunday: "SU"
        }
    }

    /// Returns `nil` unless the text is one of the codes in capital letters.
    package init?(code: some StringProtocol) {
        guard let weekday = Self.allCases.first(where: { $0.code == code }) else { return nil }
        self = weekday
    }

    /// Returns the days from `earlier` to the next such weekday: 0 to 6.
    func days(since earlier: Weekday) -> Int { (rawValue - earlier.rawValue + 7) % 7 }

    /// Orders from Monday to Sunday.
    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension LocalDate {
    package var weekday: Weekday {
        // 1970-01-01 was a Thursday.
        let remainder = (dayNumber + Weekday.thursday.rawValue) % 7
        return Weekday.allCases[remainder < 0 ? remainder + 7 : remainder]
    }
}
