extension TrackingPages {
    /// The things and where they were. Not how trackers and phones are paired: those pages hold secrets.
    package var keptOffline: [String] {
        [
            "/tracking/items", "/tracking/items/new", "/tracking/items/{id}", "/tracking/items/{id}/edit",
            "/tracking/items/{id}/fixes",
        ]
    }
}
