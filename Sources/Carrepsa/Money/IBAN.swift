/// An international bank account number with correct check digits (ISO 13616-1).
package struct IBAN: Hashable, Sendable {
    private static let lengths = 15...34
    private static let checkModulus = 97
    private static let countryAndCheck = 4

    /// Without blanks, in capital letters.
    package let text: String

    /// Reads a typed number, with or without blanks; returns `nil` for anything else, and for wrong check digits.
    package init?(_ typed: String) {
        let text = String(typed.uppercased().filter { !$0.isWhitespace })
        let bytes = Array(text.utf8)
        guard Self.lengths ~= bytes.count, bytes.prefix(2).allSatisfy(Self.isLetter),
            bytes[2...3].allSatisfy(Self.isDigit), bytes.allSatisfy({ Self.isLetter($0) || Self.isDigit($0) })
        else { return nil }
        // Country and check digits go to the end, and letters count from 10: the remainder by 97 is 1.
        let moved = bytes[Self.countryAndCheck...] + bytes[..<Self.countryAndCheck]
        let remainder = moved.reduce(0) { rest, byte in
            Self.isDigit(byte)
                ? (rest * 10 + Int(byte - UInt8(ascii: "0"))) % Self.checkModulus
                : (rest * 100 + Int(byte - UInt8(ascii: "A")) + 10) % Self.checkModulus
        }
        guard remainder == 1 else { return nil }
        self.text = text
    }

    /// In groups of four, as people read it.
    package var grouped: String {
        var rest = Substring(text)
        var groups: [Substring] = []
        while !rest.isEmpty {
            groups.append(rest.prefix(4))
            rest = rest.dropFirst(4)
        }
        return groups.joined(separator: " ")
    }

    static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")) ~= byte }
    static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= byte }
}

/// The identifier of a bank (ISO 9362): eight or eleven letters and digits.
package struct BIC: Hashable, Sendable {
    package let text: String

    package init?(_ typed: String) {
        let text = String(typed.uppercased().filter { !$0.isWhitespace })
        let bytes = Array(text.utf8)
        guard bytes.count == 8 || bytes.count == 11, bytes.prefix(6).allSatisfy(IBAN.isLetter),
            bytes.allSatisfy({ IBAN.isLetter($0) || IBAN.isDigit($0) })
        else { return nil }
        self.text = text
    }
}
