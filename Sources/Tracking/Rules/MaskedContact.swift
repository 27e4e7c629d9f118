package import Storage

/// An owner's contact, masked so that acquaintances recognize the owner and strangers can't find them
/// (draft-ietf-dult-accessory-protocol-00, 3.16.1): `a•••@e•••.org`, or `••• 5555`. The mask hides the length of each
/// part.
package struct MaskedContact: Hashable, Sendable, CustomStringConvertible {
    private static let mask = "•••"
    private static let shownDigits = 4
    private static let fewestDigits = 8

    package let description: String

    /// Masks an email address, or else a phone number; `nil` when both are missing or can't be masked.
    package init?(email: String?, phone: String?) {
        if let email, let masked = Self.masked(email: email) {
            description = masked
        } else if let phone, let masked = Self.masked(phone: phone) {
            description = masked
        } else {
            return nil
        }
    }

    /// Keeps the first letter of the user and of the domain, and the text after the domain's last dot.
    private static func masked(email: String) -> String? {
        guard let at = email.lastIndex(of: "@"), let user = email[..<at].first else { return nil }
        let domain = email[email.index(after: at)...]
        guard let entity = domain.first else { return nil }
        let ending = domain.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last
        return "\(user)\(mask)@\(entity)\(mask)" + (ending.map { ".\($0)" } ?? "")
    }

    private static func masked(phone: String) -> String? {
        let digits = phone.filter { $0.isASCII && $0.isNumber }
        // Four digits would reveal too much of a short number.
        return digits.count < fewestDigits ? nil : "\(mask) \(digits.suffix(shownDigits))"
    }
}

extension MaskedContact: SQLBindable, SQLReadable {
    package var sqlValue: SQLValue { .text(description) }

    package init(sqlValue: SQLValue) throws { description = try String(sqlValue: sqlValue) }
}
