import Kernel

/// A checked request for a swap.
struct SwapDraft: Sendable, Hashable {
    let offered: ChoreDate
    let wanted: ChoreDate

    /// - Throws: `AppError(.invalid)` at `choreId`, `occurrence`, `otherChoreId` and `otherOccurrence`.
    init(_ input: TurnSwapInput) throws {
        var problems = FieldErrors<FamilyMessage>()
        if input.choreID == nil { problems.refuse("choreId", .choreMissing) }
        if input.otherChoreID == nil { problems.refuse("otherChoreId", .turnMissing) }
        let date = input.occurrence.flatMap { LocalDate($0) }
        let otherDate = input.otherOccurrence.flatMap { LocalDate($0) }
        if date == nil { problems.refuse("occurrence", .occurrenceInvalid) }
        if otherDate == nil { problems.refuse("otherOccurrence", .occurrenceInvalid) }
        try problems.finish()
        guard let chore = input.choreID, let otherChore = input.otherChoreID, let date, let otherDate else {
            throw AppError(.invalid, .turnMissing, field: "otherChoreId")
        }
        offered = ChoreDate(chore: chore, date: date)
        wanted = ChoreDate(chore: otherChore, date: otherDate)
    }
}

extension SwappableTurn {
    var key: ChoreDate { ChoreDate(chore: choreID, date: date) }
}
