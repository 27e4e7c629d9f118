extension AccountsPages {
    /// The start page and the pictures. Not the account: it tells how its owner is reached, and what guards it.
    package var keptOffline: [String] { ["/", "/pictures", "/pictures/{id}", "/account/choices/{choice}"] }
}
