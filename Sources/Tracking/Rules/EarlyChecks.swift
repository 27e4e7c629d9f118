import Kernel

extension SettingsPatch {
    /// Checks the ranges, which don't depend on the stored settings.
    /// - Throws: `AppError.invalid` with every invalid field.
    package func check() throws {
        var problems = FieldErrors<TrackingErrorMessage>()
        _ = SettingsRule.apply(self, to: .standard, defaults: .standard, problems: &problems)
        try problems.finish()
    }
}

extension SafePlacePatch {
    /// Checks the values that the patch sets or removes, without the stored place.
    /// - Throws: `AppError.invalid` with every invalid field.
    package func check() throws {
        let draft = SafePlaceDraft(
            name: "-", latitude: 0, longitude: 0, radiusMetres: SafePlace.standardRadiusMetres)
        _ = try draft.with(self).checked()
    }
}

extension GeofenceInput {
    /// Checks the data without the stored places.
    /// - Throws: `AppError.invalid` with every invalid field.
    package func check() throws { _ = try GeofenceSettings(self) }
}
