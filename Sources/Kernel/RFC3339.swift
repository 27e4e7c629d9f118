/// Converts times to and from RFC 3339 (5.6) with integers only: `Date` would lose milliseconds to rounding.
enum RFC3339 {
    private static let millisecondsPerDay: Int64 = 86_400_000
    // 0000-01-01T00:00:00.000Z and 9999-12-31T23:59:59.999Z.
    private static let range: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

    static func format(_ milliseconds: Int64) -> String {
        let shown = min(max(milliseconds, range.lowerBound), range.upperBound)
        let day = (shown - shown.floorRemainder(millisecondsPerDay)) / millisecondsPerDay
        let time = shown.floorRemainder(millisecondsPerDay)
        let date = Self.date(ofDay: day)
        return String(unsafeUninitializedCapacity: 24) { buffer in
            var end = 0
            func put(_ value: Int64, digits: Int, then mark: Unicode.Scalar) {
                var rest = value
                for index in (0..<digits).reversed() {
                    buffer[end + index] = UInt8(ascii: "0") + UInt8(rest % 10)
                    rest /= 10
                }
                buffer[end + digits] = UInt8(ascii: mark)
                end += digits + 1
            }
            put(date.year, digits: 4, then: "-")
            put(date.month, digits: 2, then: "-")
            put(date.day, digits: 2, then: "T")
            put(time / 3_600_000, digits: 2, then: ":")
            put(time / 60_000 % 60, digits: 2, then: ":")
            put(time / 1_000 % 60, digits: 2, then: ".")
            put(time % 1_000, digits: 3, then: "Z")
            return end
        }
    }

    static func parse(_ text: [UInt8]) -> Int64? {
        var scanner = Scanner(rest: text[...])
        guard
            let year = scanner.number(digits: 4), scanner.mark("-"),
            let month = scanner.number(digits: 2), (1...12).contains(month), scanner.mark("-"),
            let day = scanner.number(digits: 2), (1...daysInMonth(month, of: year)).contains(day),
            scanner.mark("T") || scanner.mark("t") || scanner.mark(" "),
            let hour = scanner.number(digits: 2), hour < 24, scanner.mark(":"),
            let minute = scanner.number(digits: 2), minute < 60, scanner.mark(":"),
            let second = scanner.number(digits: 2), second <= 60,
            let fraction = scanner.milliseconds(), let zoneMinutes = scanner.zoneMinutes(), scanner.rest.isEmpty
        else { return nil }
        let minutes: Int64 = hour * 60 + minute - zoneMinutes
        return self.day(of: year, month, day) * millisecondsPerDay + minutes * 60_000 + second * 1_000 + fraction
    }

    private struct Scanner {
        var rest: ArraySlice<UInt8>

        mutating func mark(_ mark: Unicode.Scalar) -> Bool {
            guard rest.first == UInt8(ascii: mark) else { return false }
            rest.removeFirst()
            return true
        }

        mutating func number(digits: Int) -> Int64? {
            guard rest.count >= digits else { return nil }
            var number: Int64 = 0
            for byte in rest.prefix(digits) {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                number = number * 10 + Int64(byte - UInt8(ascii: "0"))
            }
            rest.removeFirst(digits)
            return number
        }

        mutating func milliseconds() -> Int64? {
            guard mark(".") else { return 0 }
            var milliseconds: Int64 = 0
            var count = 0
            while let digit = number(digits: 1) {
                if count < 3 { milliseconds = milliseconds * 10 + digit }
                count += 1
            }
            guard count > 0 else { return nil }
            for _ in count..<max(count, 3) { milliseconds *= 10 }
            return milliseconds
        }

        mutating func zoneMinutes() -> Int64? {
            if mark("Z") || mark("z") { return 0 }
            let isEast = mark("+")
            guard isEast || mark("-"), let hours = number(digits: 2), hours < 24, mark(":"),
                let minutes = number(digits: 2), minutes < 60
            else { return nil }
            return isEast ? hours * 60 + minutes : -(hours * 60 + minutes)
        }
    }

    private static func daysInMonth(_ month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    // Counts days in eras of 400 years that begin in March, so that the leap day is the last day of its year.
    private static let daysPerEra: Int64 = 146_097
    private static let daysFromYear0ToEpoch: Int64 = 719_468

    private static func day(of year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let marchYear = month > 2 ? year : year - 1
        let yearOfEra = marchYear.floorRemainder(400)
        let era = (marchYear - yearOfEra) / 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * daysPerEra + dayOfEra - daysFromYear0ToEpoch
    }

    private static func date(ofDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = day + daysFromYear0ToEpoch
        let dayOfEra = shifted.floorRemainder(daysPerEra)
        let era = (shifted - dayOfEra) / daysPerEra
        let leapDays = dayOfEra / 1_460 - dayOfEra / 36_524 + dayOfEra / 146_096
        let yearOfEra = (dayOfEra - leapDays) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}

extension Int64 {
    fileprivate func floorRemainder(_ divisor: Int64) -> Int64 {
        let remainder = self % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }
}
