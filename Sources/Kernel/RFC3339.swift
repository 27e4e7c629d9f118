/// Converts times to and from RFC 3339 (5.6) with integers only: `Date` would lose milliseconds to rounding.
enum RFC3339 {
    private static let millisecondsPerDay: Int64 = 86_400_000
    // 0000-01-01T00:00:00.000Z and 9999-12-31T23:59:59.999Z.
    private static let range: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

    static func format(_ milliseconds: Int64) -> String {
        let shown = min(max(milliseconds, range.lowerBound), range.upperBound)
        let day = (shown - shown.floorRemainder(millisecondsPerDay)) / millisecondsPerDay
        let time = shown.floorRemainder(millisecondsPerDay)
        let date = LocalDate(dayNumber: Int(day)).yearMonthDay
        return String(unsafeUninitializedCapacity: 24) { buffer in
            var end = 0
            func put(_ value: Int, digits: Int, then mark: Unicode.Scalar) {
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
            put(Int(time / 3_600_000), digits: 2, then: ":")
            put(Int(time / 60_000 % 60), digits: 2, then: ":")
            put(Int(time / 1_000 % 60), digits: 2, then: ".")
            put(Int(time % 1_000), digits: 3, then: "Z")
            return end
        }
    }

    static func parse(_ text: [UInt8]) -> Int64? {
        var scanner = Scanner(rest: text[...])
        guard
            let year = scanner.number(digits: 4), scanner.mark("-"),
            let month = scanner.number(digits: 2), scanner.mark("-"),
            let day = scanner.number(digits: 2),
            let date = LocalDate(year: Int(year), month: Int(month), day: Int(day)),
            scanner.mark("T") || scanner.mark("t") || scanner.mark(" "),
            let hour = scanner.number(digits: 2), hour < 24, scanner.mark(":"),
            let minute = scanner.number(digits: 2), minute < 60, scanner.mark(":"),
            let second = scanner.number(digits: 2), second <= 60,
            let fraction = scanner.milliseconds(), let zoneMinutes = scanner.zoneMinutes(), scanner.rest.isEmpty
        else { return nil }
        let minutes: Int64 = hour * 60 + minute - zoneMinutes
        return Int64(date.dayNumber) * millisecondsPerDay + minutes * 60_000 + second * 1_000 + fraction
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
}

extension Int64 {
    fileprivate func floorRemainder(_ divisor: Int64) -> Int64 {
        let remainder = self % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }
}
