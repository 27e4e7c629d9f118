import Kernel

/// A new contract's details, checked.
struct ContractDraft: Sendable, Hashable {
    struct Level: Sendable, Hashable {
        let reward: String
        let points: Int64
        /// The points of this level and all levels below it.
        let threshold: Int64
    }

    let maxPoints: Int64
    let description: String?
    let levels: [Level]

    /// - Throws: `AppError(.invalid)` that names every wrong field by its JSON name.
    init(_ input: ContractInput) throws {
        var problems = FieldErrors<FamilyMessage>()
        let isMaximumRight = 1...Limits.contractPoints ~= input.maxPoints ?? 0
        if !isMaximumRight { problems.refuse("maxPoints", .maximumOutOfRange) }
        description = Self.description(input.description, &problems)
        if input.levels.isEmpty { problems.refuse("levels", .levelsMissing) }
        if input.levels.count > Limits.contractLevels { problems.refuse("levels", .levelsTooMany) }
        let rewards = input.levels.prefix(Limits.contractLevels).enumerated().map { index, level in
            Self.reward(level.reward, "levels.\(index).reward", &problems)
        }
        // If the maximum itself is wrong, check the levels only against the highest possible maximum.
        let maximum = isMaximumRight ? input.maxPoints ?? 0 : Limits.contractPoints
        let points = Self.points(input.levels.prefix(Limits.contractLevels).map(\.points), maximum, &problems)
        try problems.finish()
        maxPoints = maximum
        var threshold: Int64 = 0
        levels = zip(rewards, points).map { reward, points in
            threshold += points
            return Level(reward: reward, points: points, threshold: threshold)
        }
    }

    private static func description(_ typed: String?, _ problems: inout FieldErrors<FamilyMessage>) -> String? {
        do throws(TextValidation.Failure) {
            return try TextValidation.lines(
                typed, characters: Limits.descriptionCharacters, bytes: Limits.descriptionBytes
            )
        } catch {
            switch error {
            case .tooLong: problems.refuse("description", .descriptionTooLong)
            case .tooManyBytes: problems.refuse("description", .tooManyBytes)
            case .empty, .controlCharacter: problems.refuse("description", .descriptionUnreadable)
            }
            return nil
        }
    }

    private static func reward(_ typed: String?, _ field: String, _ problems: inout FieldErrors<FamilyMessage>)
        -> String
    {
        do throws(TextValidation.Failure) {
            return try TextValidation.line(typed ?? "", characters: Limits.rewardCharacters, bytes: Limits.rewardBytes)
        } catch {
            switch error {
            case .empty: problems.refuse(field, .rewardMissing)
            case .tooLong: problems.refuse(field, .rewardTooLong)
            case .tooManyBytes: problems.refuse(field, .tooManyBytes)
            case .controlCharacter: problems.refuse(field, .rewardUnreadable)
            }
            return ""
        }
    }

    /// Returns each level's points. Checks the sum only if every level is valid on its own.
    private static func points(
        _ typed: [Int64?], _ maximum: Int64, _ problems: inout FieldErrors<FamilyMessage>
    ) -> [Int64] {
        var areRight = true
        for (index, points) in typed.enumerated() {
            let field = "levels.\(index).points"
            if (points ?? 0) < 1 {
                problems.refuse(field, .levelPointsMissing)
                areRight = false
            } else if points ?? 0 > maximum {
                problems.refuse(field, .levelAboveMaximum)
                areRight = false
            }
        }
        guard areRight else { return [] }
        var sum: Int64 = 0
        for (index, points) in typed.enumerated() {
            // Ten levels of at most a million points each can't overflow.
            sum += points ?? 0
            if sum > maximum {
                problems.refuse("levels.\(index).points", .levelsAboveMaximum)
                problems.refuse("levels", .levelsAboveMaximum)
                break
            }
        }
        return typed.map { $0 ?? 0 }
    }
}
