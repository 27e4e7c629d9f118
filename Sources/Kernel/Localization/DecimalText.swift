/// Reads decimal numbers as people type and paste them, by the separators of a language. A text that could mean two
/// numbers, such as `1.000`, is read by the language's own separators, or refused.
package enum DecimalText {
    private static let groupDigits = 3

    private enum Mark {
        case point
        case comma
        case space
        case apostrophe

        init?(_ scalar: Unicode.Scalar) {
            switch scalar {
            case ".": self = .point
            case ",": self = .comma
            case " ", "\u{a0}", "\u{2009}", "\u{202f}": self = .space
            case "'", "\u{2019}": self = .apostrophe
            default: return nil
            }
        }

        /// Whether it may stand before the decimals.
        var mayBeDecimal: Bool { self == .point || self == .comma }
    }

    /// Returns the number in units of its last decimal: 1250 for `12.5` with two decimals.
    /// - Parameters:
    ///   - decimals: the most decimals that the number has.
    ///   - language: whose separators count; `nil` for programs, which use no groups.
    /// - Returns: `nil` for anything but digits and separators, too many decimals, groups that aren't of three digits,
    ///   a text that could mean two numbers, and overflow.
    package static func units(_ typed: some StringProtocol, decimals: Int, in language: Language?) -> Int64? {
        guard let (runs, marks) = parts(of: typed) else { return nil }
        guard let last = marks.last else { return number(runs[0], "", decimals) }
        let isDecimal: Bool
        if !last.mayBeDecimal || marks.dropLast().contains(last) {
            isDecimal = false
        } else if marks.count > 1 {
            isDecimal = true
        } else {
            guard let single = isDecimalMark(last, between: runs[0], and: runs[1], language) else { return nil }
            isDecimal = single
        }
        let groups = isDecimal ? runs.dropLast() : runs[...]
        let groupMarks = isDecimal ? marks.dropLast() : marks[...]
        guard groupMarks.isEmpty || (language != nil && isGrouped(groups, groupMarks)) else { return nil }
        return number(groups.joined(), isDecimal ? runs[runs.count - 1] : "", decimals)
    }

    /// Returns whether the only point or comma of a number stands before decimals; `nil` if that can't be known.
    private static func isDecimalMark(
        _ mark: Mark, between whole: String, and rest: String, _ language: Language?
    ) -> Bool? {
        let own = language?.decimalSeparator ?? "."
        guard mark != (own == "." ? .point : .comma) else { return true }
        // The other sign: it separates decimals, unless the digits look like a group.
        guard rest.utf8.count == groupDigits, whole.utf8.count <= groupDigits, !whole.hasPrefix("0") else {
            return true
        }
        guard let language else { return nil }
        return language.groupsBy(mark == .point ? "." : ",") ? false : nil
    }

    /// Splits a text into its runs of digits and the marks between them; `nil` for other characters and empty runs.
    private static func parts(of typed: some StringProtocol) -> (runs: [String], marks: [Mark])? {
        var runs = [""]
        var marks: [Mark] = []
        for scalar in typed.trimmingWhitespace().unicodeScalars {
            if ("0"..."9").contains(scalar) {
                runs[runs.count - 1].unicodeScalars.append(scalar)
            } else if let mark = Mark(scalar) {
                marks.append(mark)
                runs.append("")
            } else {
                return nil
            }
        }
        return runs.contains("") ? nil : (runs, marks)
    }

    /// Whether the digits are in groups of three, by the same mark everywhere.
    private static func isGrouped(_ groups: ArraySlice<String>, _ marks: ArraySlice<Mark>) -> Bool {
        guard let first = groups.first, let mark = marks.first else { return true }
        return marks.allSatisfy { $0 == mark } && first.utf8.count <= groupDigits && !first.hasPrefix("0")
            && groups.dropFirst().allSatisfy { $0.utf8.count == groupDigits }
    }

    private static func number(_ whole: String, _ rest: String, _ decimals: Int) -> Int64? {
        guard rest.utf8.count <= decimals else { return nil }
        return Int64(whole + rest + String(repeating: "0", count: decimals - rest.utf8.count))
    }
}
