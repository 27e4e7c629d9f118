import Accounts
import Kernel
import Pictures

extension ChoreInput {
    /// Checks the rules that need no stored data, so that a form reports the errors of all fields at once.
    /// - Parameter hasUpload: whether the request has an uploaded picture. A rejected picture has its own error.
    /// - Throws: `AppError(.invalid)` at `name`, `pictureId`, `automaticHours`, `automaticPoints` and
    ///   `steps`.
    package func check(hasUpload: Bool) throws {
        let changes = ChoreChanges(
            name: name.map { .set($0) } ?? .clear, pictureID: pictureID == nil && !hasUpload ? .clear : .unchanged,
            automaticHours: automaticHours.map { .set($0) } ?? .clear,
            automaticPoints: automaticPoints.map { .set($0) } ?? .clear, steps: .set(steps))
        try changes.check()
    }
}

extension ChoreChanges {
    /// Checks the rules that need no stored data, so that a form reports the errors of all fields at once.
    /// - Throws: `AppError(.invalid)` at `name`, `pictureId`, `automaticHours`, `automaticPoints` and
    ///   `steps`.
    package func check() throws { _ = try ChoreDraft(self) }
}

/// The checked fields of a chore.
struct ChoreDraft: Sendable {
    /// `nil` keeps the present name.
    let name: String?
    /// `nil` keeps the present picture.
    let pictureID: ID<Picture>?
    /// Unchanged keeps the present ones.
    let automatic: Edit<AutomaticPoints>
    /// `nil` keeps the present ones.
    let steps: [String]?
    /// `nil` keeps the present value.
    let needsPhoto: Bool?

    /// - Throws: `AppError(.invalid)` at `name`, `pictureId`, `automaticHours`, `automaticPoints` and
    ///   `steps`.
    init(_ input: ChoreInput) throws {
        var problems = FieldErrors<FamilyMessage>()
        name = Self.name(input.name, &problems)
        if input.pictureID == nil { problems.refuse("pictureId", .choreLacksPicture) }
        automatic = Self.automatic(
            input.automaticHours.map { .set($0) } ?? .clear, input.automaticPoints.map { .set($0) } ?? .clear,
            &problems)
        steps = Self.steps(input.steps, &problems)
        needsPhoto = input.needsPhoto
        try problems.finish()
        pictureID = input.pictureID
    }

    /// - Throws: `AppError(.invalid)` at `name`, `pictureId`, `automaticHours`, `automaticPoints` and
    ///   `steps`.
    init(_ changes: ChoreChanges) throws {
        var problems = FieldErrors<FamilyMessage>()
        switch changes.name {
        case .unchanged: name = nil
        case .clear: name = Self.name(nil, &problems)
        case .set(let typed): name = Self.name(typed, &problems)
        }
        switch changes.pictureID {
        case .unchanged: pictureID = nil
        case .clear:
            problems.refuse("pictureId", .choreLacksPicture)
            pictureID = nil
        case .set(let picture): pictureID = picture
        }
        automatic = Self.automatic(changes.automaticHours, changes.automaticPoints, &problems)
        switch changes.steps {
        case .unchanged: steps = nil
        case .clear: steps = []
        case .set(let typed): steps = Self.steps(typed, &problems)
        }
        switch changes.needsPhoto {
        case .unchanged: needsPhoto = nil
        case .clear: needsPhoto = false
        case .set(let value): needsPhoto = value
        }
        try problems.finish()
    }

    private static func steps(_ typed: [String], _ problems: inout FieldErrors<FamilyMessage>) -> [String] {
        var steps: [String] = []
        var known: Set<String> = []
        // One more than the limit shows that there are too many.
        for line in typed where steps.count <= Limits.choreSteps {
            do throws(TextValidation.Failure) {
                let step = try TextValidation.line(
                    line, characters: Limits.stepCharacters, bytes: Limits.stepBytes)
                if !known.insert(step).inserted { problems.refuse("steps", .stepTwice) }
                steps.append(step)
            } catch {
                switch error {
                case .empty: continue
                case .tooLong: problems.refuse("steps", .stepTooLong)
                case .tooManyBytes: problems.refuse("steps", .tooManyBytes)
                case .controlCharacter: problems.refuse("steps", .stepUnreadable)
                }
            }
        }
        if steps.count > Limits.choreSteps { problems.refuse("steps", .tooManySteps) }
        return steps
    }

    /// The hours and the points change together. Without hours, the points mean nothing.
    private static func automatic(
        _ hours: Edit<Int64>, _ points: Edit<Int64>, _ problems: inout FieldErrors<FamilyMessage>
    ) -> Edit<AutomaticPoints> {
        switch hours {
        case .unchanged:
            if case .set = points { problems.refuse("automaticHours", .automaticHoursOutOfRange) }
            return .unchanged
        case .clear: return .clear
        case .set(let hours):
            if !Limits.automaticHours.contains(hours) { problems.refuse("automaticHours", .automaticHoursOutOfRange) }
            var typed: Int64?
            if case .set(let set) = points { typed = set }
            return .set(
                AutomaticPoints(hours: hours, points: AssignmentDraft.points(typed, "automaticPoints", &problems)))
        }
    }

    private static func name(_ typed: String?, _ problems: inout FieldErrors<FamilyMessage>) -> String? {
        do throws(TextValidation.Failure) {
            return try DisplayName(typed ?? "").text
        } catch {
            switch error {
            case .empty: problems.refuse("name", .choreNameMissing)
            case .tooLong: problems.refuse("name", .choreNameTooLong)
            case .tooManyBytes: problems.refuse("name", .tooManyBytes)
            case .controlCharacter: problems.refuse("name", .choreNameUnreadable)
            }
            return nil
        }
    }
}

extension Edit {
    /// Returns the value after the change.
    func applied(to before: Value?) -> Value? {
        switch self {
        case .unchanged: before
        case .clear: nil
        case .set(let value): value
        }
    }
}
