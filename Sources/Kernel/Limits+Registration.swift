extension Limits {
    /// Accounts that one network can create in ``registrationThrottleSeconds``, unless the settings say otherwise.
    package static let registrationsPerHour = 100
    /// The highest value of the setting: each counted registration is a number in a database row.
    package static let registrationsPerHourMaximum = 10_000
    /// The window in which registrations count.
    package static let registrationThrottleSeconds: Int64 = 60 * 60
    /// Registrations with an unknown invitation from one network in ``throttleSeconds``.
    package static let invitationFailures = 100
}
