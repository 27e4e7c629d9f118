import Accounts
import Kernel
import Recurrence

extension FamilySetup {
    /// Checks the rules that need no stored data, so that a form reports the errors of all fields at once.
    /// - Throws: `AppError(.invalid)` at `name`, `dateOfBirth`, `chores`, `reward`, `points` and `timeZone`.
    func check(now: Instant) throws { _ = try FamilySetupDraft(self, now: now) }
}

/// A checked set-up.
struct FamilySetupDraft: Sendable {
    let child: ValidatedChildProfile
    /// `nil` for no contract.
    let contract: ContractDraft?
    /// `nil` keeps the household's present one.
    let timeZone: LocalTimeZone?

    /// - Throws: `AppError(.invalid)` at `name`, `dateOfBirth`, `chores`, `reward`, `points` and `timeZone`.
    init(_ setup: FamilySetup, now: Instant) throws {
        var problems = FieldErrors<FamilyMessage>()
        var child: ValidatedChildProfile?
        try problems.collect {
            child = try AppError.ofChild { try ValidatedChildProfile(setup.child, now: now) }
        }
        if setup.chores.isEmpty { problems.refuse("chores", .starterChoresMissing) }
        var contract: ContractDraft?
        try problems.collect { contract = try setup.reward.map(Self.contract) }
        timeZone = setup.timeZone.flatMap { try? LocalTimeZone($0) }
        if timeZone == nil, setup.timeZone != nil { problems.refuse("timeZone", .timeZoneUnknown) }
        try problems.finish()
        guard let child else { throw AppError(.invalid, .childNameMissing, field: "name") }
        self.child = child
        self.contract = contract
    }

    /// Returns a contract with one level. Its errors are at the fields of the set-up.
    private static func contract(_ level: LevelInput) throws -> ContractDraft {
        guard let points = level.points, 1...Limits.contractPoints ~= points else {
            var problems = FieldErrors<FamilyMessage>()
            problems.refuse("points", .maximumOutOfRange)
            try problems.collect { try reward(level.reward) }
            try problems.finish()
            throw AppError(.invalid, .maximumOutOfRange, field: "points")
        }
        return try atReward {
            try ContractDraft(
                ContractInput(maxPoints: points, levels: [LevelInput(reward: level.reward, points: points)]))
        }
    }

    private static func reward(_ typed: String?) throws {
        _ = try atReward {
            try ContractDraft(ContractInput(maxPoints: 1, levels: [LevelInput(reward: typed, points: 1)]))
        }
    }

    private static func atReward<T>(_ work: () throws -> T) throws -> T {
        do {
            return try work()
        } catch let error as AppError {
            guard let message = error.fields["levels.0.reward"] else { throw error }
            throw AppError.invalid("reward", message)
        }
    }
}
