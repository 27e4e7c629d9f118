package import Storage

/// The primary key of a ledger account: its purpose and its holder, for example `wallet:0192…`. Callers derive the
/// key from ids they have, without a lookup.
package struct LedgerAccountKey: Sendable, Hashable {
    /// `purpose:holder`.
    package let text: String

    /// Creates a key without validating it.
    /// - Parameters:
    ///   - purpose: 1 to 20 of `a`–`z` and `-`.
    ///   - holder: the id of the owner, for example: 1 to 40 of `0`–`9`, `A`–`Z`, `a`–`z` and `-`.
    ///     ``Ledger/open(_:unit:mayOverdraw:now:in:)`` rejects other text.
    package init(purpose: String, holder: String) { text = "\(purpose):\(holder)" }

    /// Creates a key from stored text, without validation.
    init(stored: String) { text = stored }

    /// The part before the colon.
    package var purpose: Substring { text.prefix { $0 != ":" } }

    /// The part after the colon.
    package var holder: Substring { text.dropFirst(purpose.count + 1) }

    /// Whether purpose and holder have the format that ``init(purpose:holder:)`` documents.
    var isWellFormed: Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, (1...20).contains(parts[0].count), (1...40).contains(parts[1].count) else {
            return false
        }
        return parts[0].allSatisfy { ASCII.isLower($0) || $0 == ASCII.hyphen }
            && parts[1].allSatisfy {
                ASCII.isLower($0) || ASCII.isUpper($0) || ASCII.isDigit($0) || $0 == ASCII.hyphen
            }
    }
}

extension LedgerAccountKey: Comparable {
    /// Compares bytes, as both database engines do. The ledger locks accounts in this order.
    package static func < (left: Self, right: Self) -> Bool { left.text.precedesInBytes(right.text) }
}

extension LedgerAccountKey: CustomStringConvertible {
    package var description: String { text }
}

extension LedgerAccountKey: SQLBindable, SQLReadable {
    package var sqlValue: SQLValue { .text(text) }
    package init(sqlValue: SQLValue) throws { text = try String(sqlValue: sqlValue) }
}

enum ASCII {
    static let hyphen = UInt8(ascii: "-")
    static func isLower(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
    static func isUpper(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }
    static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}

extension String {
    /// Compares UTF-8 bytes; Swift's `<` compares characters.
    func precedesInBytes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}
