package import Storage

/// How an owner can be recognised by who knows them, and not found by who doesn't
/// (draft-ietf-dult-accessory-protocol-00, 3.16.1): `a•••@e•••.org`, or `••• 5555`. It doesn't tell how long anything is.
package struct MaskedContact: Hashable, Sendable, CustomStringConvertible {
    private static let mask = "•••"
    private static let shownDigits = 4
    private static let fewestDigits = 8

    /// The masked text.
    package let description: String

    /// Masks an email, or else a telephone number; `nil` when there is neither.
    package init?(email: String?, phone: String?) {
        if let email, let masked = Self.masked(email: email) {
            description = masked
        } else if let phone, let masked = Self.masked(phone: phone) {
            description = masked
        } else {
            return nil
        }
    }

    /// First letter of the user and of the domain, and what comes after the domain's last dot.
    private static func masked(email: String) -> String? {
        guard let at = email.lastIndex(of: "@"), let user = email[..<at].first else { return nil }
        let domain = email[email.index(after: at)...]
        guard let entity = domain.first else { return nil }
        let ending = domain.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last
        return "\(user)\(mask)@\(entity)\(mask)" + (ending.map { ".\($0)" } ?? "")
    }

    private static func masked(phone: String) -> String? {
        let digits = phone.filter { $0.isASCII && $0.isNumber }
        // Of a very short number four digits would be too much of it.
        return digits.count < fewestDigits ? nil : "\(mask) \(digits.suffix(shownDigits))"
    }
}

extension MaskedContact: SQLBindable, SQLReadable {
    /// The mask as text; what it hides is not stored.
    package var sqlValue: SQLValue { .text(description) }

    /// The mask as it was stored.
    package init(sqlValue: SQLValue) throws { description = try String(sqlValue: sqlValue) }
}
