package import Kernel

/// The agreement about the points that a child can get, and the rewards for them.
package struct Contract: Sendable, Hashable {
    package let id: ID<Contract>
    /// 1 to ``Limits/contractPoints``.
    package let maxPoints: Int64
    /// At most ``Limits/descriptionCharacters``.
    package let description: String?
    /// 1 to ``Limits/contractLevels`` levels, in ascending order of their numbers.
    package let levels: [RewardLevel]
    /// The points under this contract, 0 to ``maxPoints``.
    package let gainedPoints: Int64
    /// The points above the maximum; they count only for the child's achievement points.
    package let surplusPoints: Int64
    /// Increases by one with each change of the contract itself, and not with points.
    package let version: Int64
    package let createdAt: Instant
    /// The time at which a newer contract replaced this one.
    package let endedAt: Instant?

    /// The number of reached levels.
    package var prizeLevel: Int { levels.count(where: \.isReached) }
}

/// One level of a contract and its reward.
package struct RewardLevel: Sendable, Hashable {
    /// The position in the contract, from 1.
    package let number: Int
    /// 1 to ``Limits/rewardCharacters`` characters.
    package let reward: String
    /// The points that this level needs beyond the level below, 1 or more.
    package let points: Int64
    /// The points of this level and all levels below it.
    package let threshold: Int64
    /// Whether the points reach ``threshold`` now.
    package let isReached: Bool
    /// Whether the level was reached and then lost by an undo.
    package let wasLost: Bool
    /// The time at which the level was last reached; kept when it is lost.
    package let reachedAt: Instant?
    /// The time at which a parent marked the reward as handed over.
    package let handedOverAt: Instant?
}

/// The fields of a new contract as a client sent them; `nil` for a missing field.
package struct ContractInput: Sendable {
    /// 1 to ``Limits/contractPoints``.
    package var maxPoints: Int64?
    /// At most ``Limits/descriptionCharacters``; blank for none.
    package var description: String?
    /// 1 to ``Limits/contractLevels``.
    package var levels: [LevelInput]

    package init(maxPoints: Int64? = nil, description: String? = nil, levels: [LevelInput] = []) {
        self.maxPoints = maxPoints
        self.description = description
        self.levels = levels
    }

    /// Returns the maximum of a contract whose maximum isn't chosen: the sum of its levels. While a level has no valid
    /// points, it is the highest possible maximum, so that only that level is in error.
    package static func sum(of levels: [LevelInput]) -> Int64 {
        var sum: Int64 = 0
        for level in levels.prefix(Limits.contractLevels) {
            guard let points = level.points, 1...Limits.contractPoints ~= points else { return Limits.contractPoints }
            sum += points
        }
        return sum > 0 ? min(sum, Limits.contractPoints) : Limits.contractPoints
    }
}

/// The fields of one level of a new contract; `nil` for a missing field.
package struct LevelInput: Sendable {
    /// 1 to ``Limits/rewardCharacters`` characters.
    package var reward: String?
    /// 1 or more; the sum of all levels is at most the contract's maximum.
    package var points: Int64?

    package init(reward: String? = nil, points: Int64? = nil) {
        self.reward = reward
        self.points = points
    }
}
