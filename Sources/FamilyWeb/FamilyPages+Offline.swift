extension FamilyPages {
    /// The pages that the browser keeps for offline use: children, chores, points and rewards, but not sign-in codes,
    /// invitations and devices.
    package var offlinePaths: [String] {
        [
            "/family", "/family/menu", "/family/children/new", "/family/children/{id}", "/family/children/{id}/edit",
            "/family/children/{id}/menu", "/family/children/{id}/contracts", "/family/children/{id}/contracts/new",
            "/family/children/{id}/assignments", "/family/children/{id}/assignments/new", "/family/chores/new",
            "/family/chores/{id}/edit", "/family/account", "/family/account/edit",
        ]
    }
}
