package import Kernel

/// How many points there are for a child to gain, and what waits at which of them.
package struct Contract: Sendable, Hashable {
    /// The contract's id.
    package let id: ID<Contract>
    /// 1 to ``Limits/contractPoints``.
    package let maxPoints: Int64
    /// At most ``Limits/descriptionCharacters``.
    package let description: String?
    /// 1 to ``Limits/contractLevels``, by their numbers.
    package let levels: [RewardLevel]
    /// Points under this contract, 0 to ``maxPoints``.
    package let gainedPoints: Int64
    /// Points above the maximum; they count as achievement only.
    package let surplusPoints: Int64
    /// Grows by one with each change of the contract itself; points don't touch it.
    package let version: Int64
    /// When it began.
    package let createdAt: Instant
    /// When a newer one took its place.
    package let endedAt: Instant?

    /// How many levels are reached.
    package var prizeLevel: Int { levels.count(where: \.isReached) }
}

/// A level of a contract and the reward that waits there.
package struct RewardLevel: Sendable, Hashable {
    /// 1, 2, 3 …
    package let number: Int
    /// 1 to ``Limits/rewardCharacters`` characters.
    package let reward: String
    /// What this level takes beyond the one below, 1 or more.
    package let points: Int64
    /// What this level and all below it take together.
    package let threshold: Int64
    /// Whether the points suffice now.
    package let isReached: Bool
    /// Whether it had been reached, and was lost by an undo.
    package let wasLost: Bool
    /// When it was last reached; stays when it is lost.
    package let reachedAt: Instant?
    /// When a parent ticked the reward off.
    package let handedOverAt: Instant?
}

/// What is asked of a new contract, as it came in: `nil` is missing.
package struct ContractInput: Sendable {
    /// 1 to ``Limits/contractPoints``.
    package var maxPoints: Int64?
    /// At most ``Limits/descriptionCharacters``; blank is none.
    package var description: String?
    /// 1 to ``Limits/contractLevels``.
    package var levels: [LevelInput]

    /// Makes an input.
    package init(maxPoints: Int64? = nil, description: String? = nil, levels: [LevelInput] = []) {
        self.maxPoints = maxPoints
        self.description = description
        self.levels = levels
    }
}

/// What is asked of one level of a new contract.
package struct LevelInput: Sendable {
    /// 1 to ``Limits/rewardCharacters`` characters.
    package var reward: String?
    /// 1 or more; the sum of all is at most the contract's maximum.
    package var points: Int64?

    /// Makes an input.
    package init(reward: String? = nil, points: Int64? = nil) {
        self.reward = reward
        self.points = points
    }
}
