extension AccountsPages {
    /// The start page and the pictures. The account isn't stored offline: it contains contact and security data.
    package var offlinePaths: [String] { ["/", "/pictures", "/pictures/{id}", "/account/choices/{choice}"] }
}
