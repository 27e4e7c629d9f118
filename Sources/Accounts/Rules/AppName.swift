/// One of the three apps.
package enum AppName: String, Sendable, CaseIterable {
    /// Items and their trackers.
    case tracking
    /// Children, chores, rewards.
    case family
    /// Packages carried by neighbours.
    case carrepsa

    package var needsDateOfBirth: Bool { self == .family }
    package var needsPhone: Bool { self == .carrepsa }

    /// Returns the fields of `account` that the app still requires. Empty when the account can enter the app. An
    /// account from a provider isn't blocked by a date of birth that the provider didn't send: the account's page asks
    /// for it.
    package func missing(in account: Account) -> [String] {
        var fields: [String] = []
        if needsDateOfBirth, account.dateOfBirth == nil, !account.isFromProvider { fields.append("dateOfBirth") }
        if needsPhone, account.phone == nil { fields.append("phone") }
        return fields
    }
}
