import Kernel
import Pictures

/// The validated details of a new package.
struct PackageDraft: Sendable {
    let title: String
    let from: PlaceName
    let to: PlaceName
    /// Without areas.
    let route: PackageRoute
    let weightGrams: Int64
    let reward: Int64
    let moneyLock: Int64
    let description: String?
    let pictureID: ID<Picture>?
    let deadline: Instant?
    let requiresPhotos: Bool

    /// Reports a deadline in the past only together with other errors. ``checkDeadline(now:)`` reports it alone, so
    /// that a repeated request with an idempotency key returns the first result after the deadline has passed.
    /// - Throws: `AppError(.invalid)` with every invalid field under its JSON name.
    init(_ input: PackageInput, now: Instant) throws {
        var problems = FieldErrors<CarrepsaMessage>()
        let title = problems.name(
            input.title, "title", missing: .titleMissing, tooLong: .titleTooLong, unreadable: .titleUnreadable)
        let from = Self.place(input.from, "from", &problems)
        let to = Self.place(input.to, "to", &problems)
        route = PackageRoute(
            origin: input.origin.validated("from", &problems),
            destination: input.destination.validated("to", &problems), size: input.size)
        if !(1...Limits.packageWeightGrams ~= input.weightGrams ?? 0) { problems.refuse("weight", .weightOutOfRange) }
        let isRewardRight = Self.isAmount(input.reward)
        if !isRewardRight { problems.refuse("reward", .amountOutOfRange) }
        if !Self.isAmount(input.moneyLock) { problems.refuse("moneyLock", .amountOutOfRange) }
        // A payout adds both amounts. Today's limits exclude an overflow; this check holds if they grow.
        if isRewardRight, (input.reward ?? 0).addingReportingOverflow(input.moneyLock ?? 0).overflow {
            problems.refuse("moneyLock", .amountOutOfRange)
        }
        description = Self.text(input.description, "description", &problems)
        if !problems.fields.isEmpty, Self.isPast(input.deadline, now) { problems.refuse("deadline", .deadlineTooEarly) }
        try problems.finish()
        guard let title, let from, let to, let weight = input.weightGrams, let reward = input.reward,
            let moneyLock = input.moneyLock
        else { throw AppError(.invalid, .titleMissing, field: "title") }
        self.title = title
        self.from = from
        self.to = to
        weightGrams = weight
        self.reward = reward
        self.moneyLock = moneyLock
        pictureID = input.pictureID
        deadline = input.deadline
        requiresPhotos = input.requiresPhotos ?? false
    }

    /// - Throws: `AppError(.invalid)` at `deadline` if it is in the past.
    func checkDeadline(now: Instant) throws {
        if Self.isPast(deadline, now) { throw AppError(.invalid, .deadlineTooEarly, field: "deadline") }
    }

    private static func isPast(_ deadline: Instant?, _ now: Instant) -> Bool { deadline.map { $0 <= now } ?? false }

    static func isAmount(_ amount: Int64?) -> Bool { 1...Limits.packageMoneyMinor ~= amount ?? 0 }

    static func place(_ typed: String?, _ field: String, _ problems: inout FieldErrors<CarrepsaMessage>)
        -> PlaceName?
    {
        do throws(TextValidation.Failure) {
            return try PlaceName(typed ?? "")
        } catch {
            switch error {
            case .empty: problems.refuse(field, .placeMissing)
            case .tooLong: problems.refuse(field, .placeTooLong)
            case .tooManyBytes: problems.refuse(field, .tooManyBytes)
            case .controlCharacter: problems.refuse(field, .placeUnreadable)
            }
            return nil
        }
    }

    static func text(_ typed: String?, _ field: String, _ problems: inout FieldErrors<CarrepsaMessage>) -> String? {
        problems.lines(
            typed, field, characters: Limits.descriptionCharacters, bytes: Limits.descriptionBytes,
            tooLong: .textTooLong)
    }
}
