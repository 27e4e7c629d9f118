import Kernel

/// The ranges of an item's settings.
package enum SettingsRule {
    /// Minutes between two *locate* commands.
    package static let locateMinutes = 1...1_440
    /// The distance in metres from which an item counts as lost.
    package static let lostMetres = 1...100_000
    /// The distance in metres from which a separation alert is sent.
    package static let alertMetres = 1...100_000
    /// The longest distance in metres for walking.
    package static let walkMetres = 0...100_000

    /// Applies a patch. A value out of range keeps its old value and adds a problem with its JSON path.
    /// - Parameter standard: The values for cleared settings.
    static func apply(
        _ patch: SettingsPatch, to settings: ItemSettings, defaults standard: ItemSettings,
        problems: inout FieldErrors<TrackingErrorMessage>
    ) -> ItemSettings {
        var result = settings
        apply(patch.locateMinutes, locateMinutes, standard.locateMinutes, &result.locateMinutes) {
            problems.refuse("settings.locateMinutes", .minutesOutOfRange)
        }
        apply(patch.lostMetres, lostMetres, standard.lostMetres, &result.lostMetres) {
            problems.refuse("settings.lostMetres", .metresOutOfRange)
        }
        apply(patch.alertMetres, alertMetres, standard.alertMetres, &result.alertMetres) {
            problems.refuse("settings.alertMetres", .metresOutOfRange)
        }
        apply(patch.walkMetres, walkMetres, standard.walkMetres, &result.walkMetres) {
            problems.refuse("settings.walkMetres", .walkOutOfRange)
        }
        switch patch.keepDays {
        case .unchanged: break
        case .clear: result.keepDays = nil
        case .set(let days) where Limits.keepDays.contains(days): result.keepDays = days
        case .set: problems.refuse("settings.keepDays", .daysOutOfRange)
        }
        switch patch.silentHours {
        case .unchanged: break
        case .clear: result.silentHours = nil
        case .set(let hours) where Limits.silentHours.contains(hours): result.silentHours = hours
        case .set: problems.refuse("settings.silentHours", .hoursOutOfRange)
        }
        return result
    }

    private static func apply(
        _ change: FieldChange<Int>, _ range: ClosedRange<Int>, _ standard: Int, _ value: inout Int, refuse: () -> Void
    ) {
        switch change {
        case .unchanged: break
        case .clear: value = standard
        case .set(let wanted): if range.contains(wanted) { value = wanted } else { refuse() }
        }
    }
}
