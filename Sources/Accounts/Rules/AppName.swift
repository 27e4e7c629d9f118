/// One of the three apps that an account can enter.
package enum AppName: String, Sendable, CaseIterable {
    /// Items and their trackers.
    case tracking
    /// Children, chores, rewards.
    case family
    /// Packages carried by neighbours.
    case carrepsa

    /// Whether the app cannot do without the date of birth.
    package var needsDateOfBirth: Bool { self == .family }
    /// Whether the app cannot do without a phone number.
    package var needsPhone: Bool { self == .carrepsa }

    /// The fields of `account` that must be filled in before it may enter this app; empty when it may. Whoever came by a
    /// provider is not held up for a date of birth that the provider didn't tell: the account's page asks for it.
    package func missing(in account: Account) -> [String] {
        var fields: [String] = []
        if needsDateOfBirth, account.dateOfBirth == nil, !account.isMadeByProvider { fields.append("dateOfBirth") }
        if needsPhone, account.phone == nil { fields.append("phone") }
        return fields
    }
}
