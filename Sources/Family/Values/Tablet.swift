package import Accounts
package import Kernel

/// A shared tablet of a household: it shows the day of all children, and each child reports its chores on it.
package struct Tablet: Sendable, Hashable {
    package let id: ID<Tablet>
    /// The displayed name, for example `Chrome on Android`.
    package let name: String
    package let pairedAt: Instant
    /// The parent who showed the code; `nil` if the account was deleted.
    package let pairedByName: String?
    /// When it was last used, to within ``Limits/sessionTouchSeconds``.
    package let lastUsedAt: Instant
}

/// A child on a shared tablet.
package struct TabletChild: Sendable {
    package let account: Account
    package let hasPicturePIN: Bool
}

/// The tablets of a household, and the children with a picture PIN for them.
package struct TabletOverview: Sendable {
    /// The oldest first.
    package let tablets: [Tablet]
    package let children: [Member]
    package let withPicturePIN: Set<PersonID>
}

/// A code that pairs a shared tablet. It is shown once; the database has only its hash.
package struct TabletCode: Sendable, Hashable {
    /// Identifies the code without revealing it.
    package let id: ID<TabletCode>
    /// ``Limits/familyCodeBytes`` random bytes, base64url.
    package let code: String
    /// The address of the pairing page with the code; the content of the QR code.
    package let url: String
    /// The time at which the code expires; a newer code revokes it earlier.
    package let expiresAt: Instant
}

/// A tablet that has just been paired. The token isn't stored anywhere else.
package struct PairedTablet: Sendable {
    package let tablet: Tablet
    package let token: String
}

/// What a shared tablet shows: the day of all children, and who has a picture PIN.
package struct TabletDay: Sendable {
    package let today: FamilyToday
    package let withPicturePIN: Set<PersonID>
}

/// What a shared tablet shows of one child.
package struct TabletChildDay: Sendable {
    package let child: Member
    package let today: FamilyToday
    package let hasPicturePIN: Bool
}

/// The pictures that a child taps, in their order, before it reports a chore on a shared tablet.
package struct PicturePIN: Sendable, Hashable {
    /// The numbers of the pictures, each of ``Limits/picturePINPictures``.
    package let pictures: [Int]

    /// - Returns: `nil` unless the text has ``Limits/picturePINLength`` numbers, as in `3-1-9`.
    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        let numbers = parts.compactMap(\.self).filter(Limits.picturePINPictures.contains)
        guard parts.count == Limits.picturePINLength, numbers.count == parts.count else { return nil }
        pictures = numbers
    }

    package var text: String { pictures.map(String.init).joined(separator: "-") }
}
