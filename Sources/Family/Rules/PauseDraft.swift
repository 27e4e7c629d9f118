import Kernel

/// A checked pause.
struct PauseDraft: Sendable, Hashable {
    /// `nil` for all children.
    let childID: PersonID?
    let startsOn: LocalDate
    let endsOn: LocalDate?

    /// - Throws: `AppError(.invalid)` at `childId`, `startsOn` and `endsOn`.
    init(_ input: PauseInput, today: LocalDate) throws {
        var problems = FieldErrors<FamilyMessage>()
        childID = input.child.flatMap { PersonID($0) }
        if childID == nil, input.child != nil { problems.refuse("childId", .scheduleChildUnknown) }
        let start = input.startsOn.map { LocalDate($0) } ?? today
        let lastStart = today.adding(days: Limits.pauseAheadDays)
        if let start {
            if start < today { problems.refuse("startsOn", .pauseStartsInPast) }
            if start > lastStart { problems.refuse("startsOn", .pauseDateInvalid) }
        } else {
            problems.refuse("startsOn", .pauseDateInvalid)
        }
        endsOn = input.endsOn.flatMap { LocalDate($0) }
        if let endsOn {
            if let start, endsOn < start { problems.refuse("endsOn", .pauseEndsBeforeStart) }
            if endsOn > lastStart { problems.refuse("endsOn", .pauseDateInvalid) }
        } else if input.endsOn != nil {
            problems.refuse("endsOn", .pauseDateInvalid)
        }
        try problems.finish()
        startsOn = start ?? today
    }
}
