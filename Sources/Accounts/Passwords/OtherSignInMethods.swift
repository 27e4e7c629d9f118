/// Ways to sign in that a new password can end.
package struct OtherSignInMethods: OptionSet, Sendable {
    package let rawValue: Int
    package static let passkeys = OtherSignInMethods(rawValue: 1)
    package static let identities = OtherSignInMethods(rawValue: 2)
    /// Devices that are signed in as the person's children. Another person may have signed them in.
    package static let childDevices = OtherSignInMethods(rawValue: 4)
    /// Those that sign in to the account.
    package static let ofPerson: OtherSignInMethods = [.passkeys, .identities]
    package static let all: OtherSignInMethods = [.passkeys, .identities, .childDevices]

    package init(rawValue: Int) { self.rawValue = rawValue }
}
