extension Int64 {
    /// The number of whole minutes in this number of seconds, for the text that names a limit.
    package var wholeMinutes: Int { whole(60) }
    /// The number of whole hours in this number of seconds, for the text that names a limit.
    package var wholeHours: Int { whole(60 * 60) }
    /// The number of whole days in this number of seconds, for the text that names a limit.
    package var wholeDays: Int { whole(24 * 60 * 60) }

    /// A limit that isn't a multiple of the unit would be stated wrongly: its text needs a smaller unit.
    private func whole(_ unit: Int64) -> Int {
        assert(self % unit == 0, "\(self) seconds are no multiple of \(unit)")
        return Int(self / unit)
    }
}
