/// An act that changes the owner of an account or the access to a family's children or an item, or exports or deletes
/// all data of an account. Each requires a proof that the owner is present. Signing in isn't such a proof.
package enum SensitiveAct: String, Sendable, CaseIterable {
    /// Another email address, to which password resets are sent.
    case changeEmail = "email"
    /// A passkey, which signs in from then on.
    case addPasskey = "passkey"
    /// A provider's identity, which signs in from then on.
    case linkIdentity = "identity"
    /// The first password of an account without one.
    case setPassword = "password"
    /// A copy of everything the server stores about the person.
    case export
    /// The end of the account.
    case deleteAccount = "deletion"
    /// An invitation, by which another parent gets access to the children.
    case inviteParent = "invitation"
    /// Leaving a family, which ends the access to its children.
    case leaveFamily = "leaving"
    /// Removing another parent from the family, at once or after a period of notice.
    case removeParent = "removal"
    /// Erasing a deleted child, which can't be restored then.
    case eraseChild = "erasure"
    /// An administrator's act on another person's account. One proof is valid for several of them.
    case administer = "administration"
    /// An access token, which acts for the person without signing in.
    case createAccessToken = "access-token"
    /// Letting another person manage an item, who can then share its position with others.
    case letManageItem = "item-management"
}
