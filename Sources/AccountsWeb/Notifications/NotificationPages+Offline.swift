extension NotificationPages {
    /// What people were told. Not the settings, which only make sense with the push service within reach.
    package var keptOffline: [String] { ["/notifications"] }
}
