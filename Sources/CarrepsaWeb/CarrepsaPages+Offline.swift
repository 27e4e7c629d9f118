extension CarrepsaPages {
    /// Lists and the own money. Not a parcel by itself, which leads to codes and to how its people are reached, nor
    /// anybody's profile.
    package var keptOffline: [String] {
        ["/carrepsa/packages", "/carrepsa/packages/new", "/carrepsa/wallet", "/carrepsa/wallet/entries"]
    }
}
