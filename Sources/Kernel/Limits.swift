/// The limits of the product as named constants. A module's own limits are in its `Limits+….swift`.
package enum Limits {
    /// Notifications and changes that wait for the tracker's Bluetooth thread; the oldest are dropped. The longest
    /// message fits even in the smallest frames.
    package static let bluetoothQueue = 4_096

    /// Seconds that a parent must have been in a household before they can announce the removal of another parent.
    package static let removalMembershipSeconds: Int64 = 7 * 24 * 60 * 60

    /// The highest value of the setting: each counted registration is a number in a database row.
    package static let registrationsPerHourMaximum = 10_000

    /// The highest value of the setting.
    package static let limitFactorMaximum = 1_000_000
    /// The windows of the budgets (`Budget`): an hour and a day.
    package static let hourSeconds: Int64 = 60 * 60
    package static let daySeconds: Int64 = 24 * 60 * 60

    /// Characters (grapheme clusters) of a name.
    package static let nameCharacters = 50
    /// UTF-8 bytes of a name.
    package static let nameBytes = 2_000
    /// Bytes of typed text accepted for processing per byte that may be stored.
    package static let typedBytesPerStoredByte = 4
    /// Consecutive non-starters (combining marks) in text from outside, as in the Stream-Safe Text Format.
    package static let nonStarters = 30
    /// The maximum number of entries of a list page.
    package static let pageSizeMaximum = 200
    /// Bytes of one message from a device.
    package static let ingestBytes = 64 * 1024
    /// The maximum depth of nested objects and arrays in a JSON body.
    package static let jsonDepth = 32
    /// Values of one JSON text, those of nested objects and arrays included.
    package static let jsonValues = 1_000_000
    /// Characters of a package's description, of the reason for a dispute, of an operator's note.
    package static let descriptionCharacters = 1_000
    /// UTF-8 bytes of a package's description, of the reason for a dispute, of an operator's note.
    package static let descriptionBytes = 8_000
    /// Seconds for which a deleted child can be restored. Long enough to notice that another person used a session.
    package static let childRestorationSeconds: Int64 = 7 * 24 * 60 * 60
    /// People of one app in the membership cache.
    package static let membershipCacheEntries = 100_000

    /// Bytes of a file of settings.
    package static let settingsFileBytes = 256 * 1024
    /// Bytes of a mistyped setting's name that are compared with the names of settings.
    package static let settingNameBytes = 100

    /// The maximum number of rows that one housekeeping run changes.
    package static let housekeepingBatch = 1_000
}
