extension NotificationPages {
    /// The list of notifications. The settings aren't stored offline: they require the push service.
    package var offlinePaths: [String] { ["/notifications"] }
}
