import Kernel

extension HouseholdCalendar {
    /// Returns why a child can't do a chore on a date: another child does it, it isn't due yet, or not any more.
    func refusal(
        of chore: ID<Chore>, on date: LocalDate, for child: PersonID, field: String
    ) throws -> AppError {
        guard date > today else {
            let isOthers = turns[ChoreDate(chore: chore, date: date)].map { $0.childID != child } ?? false
            return AppError(.conflict, isOthers ? .occurrenceTaken : .occurrenceNotDue, field: field)
        }
        guard let schedule = schedules.first(where: { $0.chore.id == chore && $0.isPresent }),
            children[schedule.id]?.contains(child) == true, date >= schedule.appliesFrom,
            try !expanded(schedule).occurrences(in: date..<date.adding(days: 1)).isEmpty
        else { return AppError(.conflict, .occurrenceNone, field: field) }
        let next = try early(schedule)
        if let next, next.date == date, next.from <= today {
            return AppError(.conflict, .occurrenceTaken, field: field)
        }
        let from = next.map { $0.date == date ? $0.from : date.adding(days: -Limits.earlyDays) } ?? date
        let message = FamilyMessage.occurrenceNotYet(date, from: from)
        return AppError(.conflict, message, fields: [field: message])
    }
}
