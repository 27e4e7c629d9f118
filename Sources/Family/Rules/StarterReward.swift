package import Kernel

/// A suggestion for the reward of a contract.
package enum StarterReward: String, Sendable, CaseIterable {
    case story, playground, iceCream, baking, swimming, zoo, cinema, gameNight, laterBedtime, friendOverNight,
        screenTime
    case mealOut, musicOrGame, laterEvening

    /// The ages in years that it suits.
    private var ages: ClosedRange<Int> {
        switch self {
        case .story: 0...6
        case .playground: 0...8
        case .iceCream, .swimming: 0...12
        case .baking, .zoo: 3...10
        case .cinema: 6...17
        case .gameNight: 5...17
        case .laterBedtime: 5...12
        case .friendOverNight: 7...14
        case .screenTime: 8...17
        case .mealOut: 11...17
        case .musicOrGame, .laterEvening: 13...17
        }
    }

    /// Returns the suggestions for a child of this age; those for the nearest age of a minor for any other age.
    package static func suited(toYears years: Int) -> [StarterReward] {
        let years = min(max(years, 0), 17)
        return allCases.filter { $0.ages.contains(years) }
    }
}

extension Child {
    /// The child's age in whole years on the day (UTC) of `now`.
    package func ageInYears(at now: Instant) -> Int {
        let today = now.rfc3339
        guard let year = Int(today.prefix(4)), let birthYear = Int(dateOfBirth.prefix(4)) else { return 0 }
        // Texts of month and day sort as the days do.
        let hadBirthday = today.dropFirst(5).prefix(5) >= dateOfBirth.dropFirst(5).prefix(5)
        return year - birthYear - (hadBirthday ? 0 : 1)
    }
}
