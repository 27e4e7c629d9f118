import Accounts

extension SensitiveAct {
    /// The page on which the act is requested.
    var page: String {
        switch self {
        case .changeEmail: "/account/edit"
        case .addPasskey: "/account/passkeys"
        case .linkIdentity: "/account/identities"
        case .setPassword: "/account/password"
        case .export: "/account/proofs/export"
        case .deleteAccount: "/account/delete"
        case .inviteParent: "/family/invitations"
        case .leaveFamily, .removeParent: "/family/account"
        case .eraseChild: "/family/deleted-children"
        case .administer: "/admin/people"
        case .createAccessToken: AccessTokensController.newPath
        case .letManageItem: "/tracking/items"
        }
    }

    /// Finds the act of a page. Forms of the previous version don't name the act.
    init?(page: String) {
        guard let act = Self.allCases.first(where: { page == $0.page || page.hasPrefix($0.page + "/") }) else {
            return nil
        }
        self = act
    }
}
