package import Storage

/// What an account of the ledger is called: what it is for and whose it is, such as `wallet:0192…`. The text is the
/// account's primary key, so that nobody has to look it up.
package struct LedgerAccountKey: Sendable, Hashable {
    /// `purpose:holder`.
    package let text: String

    /// Makes a key.
    /// - Parameters:
    ///   - purpose: 1 to 20 of `a`–`z` and `-`.
    ///   - holder: whom or what it belongs to, an id for example: 1 to 40 of `0`–`9`, `A`–`Z`, `a`–`z` and `-`.
    ///     Another is refused when the account is opened.
    package init(purpose: String, holder: String) { text = "\(purpose):\(holder)" }

    /// A key as it is stored; not checked.
    init(stored: String) { text = stored }

    /// The part before the colon.
    package var purpose: Substring { text.prefix { $0 != ":" } }

    /// Whether both parts are of the form that an account needs.
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
    /// By bytes, as both engines compare; the order in which accounts are locked.
    package static func < (left: Self, right: Self) -> Bool { left.text.precedesInBytes(right.text) }
}

extension LedgerAccountKey: CustomStringConvertible {
    /// ``text``.
    package var description: String { text }
}

extension LedgerAccountKey: SQLBindable, SQLReadable {
    /// ``text``.
    package var sqlValue: SQLValue { .text(text) }
    /// Reads ``text``.
    package init(sqlValue: SQLValue) throws { text = try String(sqlValue: sqlValue) }
}

enum ASCII {
    static let hyphen = UInt8(ascii: "-")
    static func isLower(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
    static func isUpper(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }
    static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}

extension String {
    /// The order of the bytes; Swift's own compares characters.
    func precedesInBytes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}
