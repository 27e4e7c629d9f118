import Kernel

/// The chores to book for a child. Checks everything that needs no stored data.
struct AssignmentDraft: Sendable, Hashable {
    struct Entry: Sendable, Hashable {
        let choreID: ID<Chore>
        let points: Int64
        let occurrence: LocalDate?
    }

    let entries: [Entry]

    /// - Throws: `AppError(.invalid)` that names every wrong field by its JSON name.
    init(_ inputs: [AssignmentInput]) throws {
        var problems = FieldErrors<FamilyMessage>()
        if inputs.isEmpty { problems.refuse("chores", .noChores) }
        if inputs.count > Limits.assignmentEntries { problems.refuse("chores", .tooManyChores) }
        var seen: Set<ID<Chore>> = []
        var entries: [Entry] = []
        for (index, input) in inputs.prefix(Limits.assignmentEntries).enumerated() {
            let points = Self.points(input.points, "chores.\(index).points", &problems)
            guard let chore = input.choreID else {
                problems.refuse("chores.\(index).choreId", .choreMissing)
                continue
            }
            if !seen.insert(chore).inserted { problems.refuse("chores.\(index).choreId", .choreTwice) }
            let occurrence = Self.occurrence(input.occurrence, "chores.\(index).occurrence", &problems)
            entries.append(Entry(choreID: chore, points: points, occurrence: occurrence))
        }
        try problems.finish()
        self.entries = entries
    }

    /// Returns the points for one chore.
    /// - Throws: `AppError(.invalid)` at `points`.
    static func points(_ typed: Int64?) throws -> Int64 {
        var problems = FieldErrors<FamilyMessage>()
        let points = points(typed, "points", &problems)
        try problems.finish()
        return points
    }

    /// Returns the date of an occurrence; `nil` for none.
    /// - Throws: `AppError(.invalid)` at `occurrence`.
    static func occurrence(_ typed: String?) throws -> LocalDate? {
        var problems = FieldErrors<FamilyMessage>()
        let date = occurrence(typed, "occurrence", &problems)
        try problems.finish()
        return date
    }

    private static func occurrence(
        _ typed: String?, _ field: String, _ problems: inout FieldErrors<FamilyMessage>
    ) -> LocalDate? {
        guard let typed else { return nil }
        let date = LocalDate(typed)
        if date == nil { problems.refuse(field, .occurrenceInvalid) }
        return date
    }

    static func points(_ typed: Int64?, _ field: String, _ problems: inout FieldErrors<FamilyMessage>) -> Int64 {
        guard let typed, Limits.chorePoints.contains(typed) else {
            problems.refuse(field, .pointsOutOfRange)
            return 0
        }
        return typed
    }
}
