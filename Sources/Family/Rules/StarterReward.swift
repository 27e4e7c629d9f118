package import Kernel
package import Pictures

/// A suggestion for the reward of a contract or of the shop.
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

    /// The name of its built-in picture: `ice-cream`.
    private var pictureName: String {
        rawValue.reduce(into: "") { $0 += $1.isUppercase ? "-" + $1.lowercased() : String($1) }
    }

    /// `nil` if the executable lacks the picture.
    package var pictureID: ID<Picture>? { BuiltinRewardPictures.named(pictureName)?.id }

    /// The price in points that the form of the shop suggests.
    package var suggestedPrice: Int64 {
        switch self {
        case .story, .laterBedtime: 5
        case .playground, .iceCream, .screenTime: 8
        case .baking, .gameNight: 10
        case .swimming, .friendOverNight, .laterEvening, .mealOut: 20
        case .cinema, .musicOrGame: 30
        case .zoo: 40
        }
    }

    /// The reward that the set-up of a family suggests for children of an age. It is near, so that the first one is
    /// reached in the first days.
    package static func suggested(for age: StarterChore.Age) -> StarterReward {
        switch age {
        case .three: .playground
        case .five: .iceCream
        case .seven: .gameNight
        case .ten: .screenTime
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
        // RFC 3339 begins with the date.
        guard let today = LocalDate(String(now.rfc3339.prefix(10)))?.yearMonthDay,
            let birth = LocalDate(dateOfBirth)?.yearMonthDay
        else { return 0 }
        let hadBirthday = (today.month, today.day) >= (birth.month, birth.day)
        return today.year - birth.year - (hadBirthday ? 0 : 1)
    }
}
