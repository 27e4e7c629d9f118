extension CarrepsaPages {
    /// The paths that are cached for offline use: lists and the own wallet. Single packages and profiles aren't,
    /// because they show handover codes and contact details.
    package var offlinePaths: [String] {
        ["/carrepsa/packages", "/carrepsa/packages/new", "/carrepsa/wallet", "/carrepsa/wallet/entries"]
    }
}
