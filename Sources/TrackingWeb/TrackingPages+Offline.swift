extension TrackingPages {
    /// The pages of items and their positions. Excludes the pages that pair trackers and sources, because they show
    /// secrets.
    package var offlinePaths: [String] {
        [
            "/tracking/items", "/tracking/items/new", "/tracking/items/{id}", "/tracking/items/{id}/edit",
            "/tracking/items/{id}/fixes",
        ]
    }
}
