import Accounts
import Kernel

/// The English text of every error of this module. Pages translate it by the case; JSON carries the English text.
package enum FamilyMessage: String, ErrorMessage {
    case dateOfBirthMissing = "Enter your date of birth."
    /// Shown to the parent who adds or edits a child.
    case childNameMissing = "Enter the child’s name."
    /// Shown to the parent who adds or edits a child.
    case childDateOfBirthMissing = "Enter the child’s date of birth."
    /// A child was deleted, or is not in any household.
    case noHousehold = "Ask a parent to add you to the family."
    /// A child tries an action that is for parents.
    case parentsOnly = "Ask a parent to do this."
    /// A parent tries an action that only the child can do.
    case childrenOnly = "Only the child itself can do this."
    /// A child clears a required field of its own profile.
    case required = "This cannot be left empty."
    case choreNameMissing = "Enter a name for the chore."
    case choreNameTooLong
    /// The text is within the limit of characters, but not of bytes: one character can have many code points.
    case tooManyBytes = "This text is too long. Use fewer emoji or accents."
    case choreNameUnreadable = "Remove characters that aren’t allowed from the name."
    case choreLacksPicture = "Choose a picture for the chore."
    case automaticHoursOutOfRange
    case tooManySteps
    case stepTooLong
    case stepTwice = "Write each step only once."
    case stepUnreadable = "Remove characters that aren’t allowed from the steps."
    /// A child asks for the points of a chore without ticking off all of its steps.
    case stepsMissing = "Tick off every step first."
    /// A child asks for the points of a chore that needs a photo, without one.
    case photoMissing = "Add a photo of what you have done."
    case starterChoresMissing = "Choose at least one chore."
    /// The resource changed after the client read it.
    case movedOn = "This was changed elsewhere. Review it and try again."
    case maximumOutOfRange
    case descriptionTooLong
    case descriptionUnreadable = "Remove characters that aren’t allowed."
    case levelsMissing = "Add at least one level."
    case levelsTooMany
    case rewardMissing = "Enter a reward."
    case rewardTooLong
    case rewardUnreadable = "Remove characters that aren’t allowed from the reward."
    case levelPointsMissing = "Enter the level’s points as a whole number, 1 or more."
    case levelAboveMaximum = "A level can’t take more points than the contract’s maximum."
    /// The sum of the levels is above the maximum.
    case levelsAboveMaximum = "Together the levels take more points than the contract’s maximum."
    /// A parent marks a reward as handed over before the child reaches its level.
    case levelNotReached = "This level isn’t reached yet."
    case shopRewardTooLong
    case priceOutOfRange
    case stockOutOfRange
    case cooldownOutOfRange
    case tooManyRewards
    case rewardChoiceMissing = "Choose a reward."
    /// The reward was deleted, never existed, or isn't for this child.
    case rewardGone = "This reward isn’t in the shop any more."
    /// The reward's price isn't the one that the child saw.
    case priceChanged = "The price of this reward has changed. Check the shop and try again."
    case soldOut = "This reward is sold out."
    /// The child bought it, and its days aren't over.
    case boughtBefore = "You bought this already. The shop shows when you can buy it again."
    case pointsMissing = "You don’t have enough points for this yet."
    case tooManyWishes = "Wait until a parent has decided on your wishes."
    /// A parent adds a wish to the shop that was decided or withdrawn before.
    case wishGone = "This wish was decided on or withdrawn already."
    case tooManyPurchases = "Wait until a parent has decided on what you bought."
    case purchaseDecided = "A parent has decided on this already."
    /// A parent undoes an assignment whose points the child spent.
    case pointsSpent =
        "These points are spent already. Give the points of a purchase back first, then undo this."
    case noChores = "Choose points for at least one chore."
    case tooManyChores
    case choreMissing = "Choose a chore."
    case choreTwice = "Choose each chore only once."
    case pointsOutOfRange = "Choose 1, 2 or 3 points."
    /// The chore was deleted or never existed.
    case choreGone = "This chore was deleted. No points were given."
    case scheduleChildrenMissing = "Choose at least one child."
    /// A child of the schedule was deleted, or is in another household.
    case scheduleChildUnknown = "A child that you chose was deleted. Choose again."
    case scheduleStartInvalid = "Enter the first day as a date."
    case scheduleTimeInvalid = "Enter a time such as 18:30."
    /// A program sends a rule, so the form doesn't show this.
    case scheduleRuleInvalid = "Send a recurrence rule of RFC 5545 with the parts that are supported."
    /// The rule contains a DTSTART that isn't what the client sent, or has no time zone.
    case scheduleStartDiffers =
        """
        The rule’s DTSTART must match the first day, the time and the time zone. For a time in UTC, send the time zone.
        """
    case scheduleIsEmpty = "No day matches. Check the first and the last day."
    case timeZoneUnknown = "Enter a time zone such as Europe/Berlin."
    case occurrenceInvalid = "Enter a date such as 2026-03-01."
    /// The chore's schedule has no occurrence for the child on this date, or it was due too long ago.
    case occurrenceNotDue = "This isn’t due any more. Look at “Today” again."
    /// The chore isn't due on this date.
    case occurrenceNone = "This chore isn’t due on that day. Look at “Today” again."
    case occurrenceDone = "This already counts."
    /// Another child claimed the occurrence, or it is another child's turn.
    case occurrenceTaken = "Another child is doing this."
    /// The chore isn't one that the first child can claim.
    case occurrenceNotClaimable = "This can’t be claimed any more. Look at “Today” again."
    case turnMissing = "Choose a turn."
    case turnNotOwn = "It isn’t your turn any more. Look at “Today” again."
    /// A turn of a swap was done, or became that of another child.
    case turnGone = "This turn has changed. Look at “Today” again."
    case swapAsked = "You already asked to swap this turn."
    case swapNotAccepted = "The other child hasn’t agreed yet."
    case distributionUnknown = "Choose how the chore is shared."
    case graceOutOfRange
    case reminderOutOfRange
    case pauseDateInvalid = "Enter a date within the next year."
    case pauseStartsInPast = "Enter today or a later day."
    case pauseEndsBeforeStart = "Enter the first day of the pause or a later day."
    case tooManyPauses
    case alreadyUndone = "This was already undone."
    /// The child's request for this chore is still open.
    case alreadyRequested = "You already asked for this. A parent decides."
    /// The child has ``Limits/openRequestsPerChild`` open requests.
    case tooManyRequests = "Wait until a parent has decided on your requests."
    /// A parent approves several requests at once without choosing any.
    case requestsMissing = "Choose at least one chore to approve."
    case tooManyApprovals
    /// A parent approves several requests at once, and one of them isn't open any more.
    case requestDecided = "One of these requests was already decided. No points were given. Choose again."
    case reasonTooLong
    case reasonUnreadable = "Remove characters that aren’t allowed from the reason."
    case onlyParent = "You are the only parent of this family. Invite another parent first, or delete your account."
    /// A parent who didn't create the household tries to remove another parent at once.
    case makerOnly = "Only the parent who created this family can do this at once. Announce the removal instead."
    /// A parent applies an action for other parents to themselves, or the reverse.
    case notWithThisParent = "You can’t do this with this parent."
    case removalAnnounced = "The removal of this parent is already announced."
    /// The parent refused a removal, and the time at which it would have taken effect isn't over.
    case removalRefused =
        "This parent has refused to be removed. Try again later, or ask the parent who created this family."
    /// A parent announces a removal within ``Limits/removalMembershipSeconds`` after joining.
    case tooNewToAnnounce
    /// A parent announces a removal within ``Limits/removalRepeatSeconds`` after their last one was withdrawn.
    case announcedBefore
    /// A parent withdraws a removal that another parent announced.
    case announcerOnly =
        "Only the parent who announced the removal, or the parent who created this family, can withdraw it."
    /// A note before the deletion of an account: the account belongs to the only parent of a household with children.
    case deletionTakesChildren =
        "You are the only parent of your family. Your children’s profiles and points are deleted with your account."
    /// The same note for a household with other parents.
    case deletionLeavesChildren =
        "Your children stay with the other parents of your family. The other parents are notified."
    case tooManyChoresKept
    case tooManyChildren
    case tooManyParents
    /// The request has no code.
    case codeMissing = "Scan the code, or open its link."
    /// A child's sign-in code is unknown, used, expired or revoked.
    case codeUnknown = "This code no longer works. Ask a parent for a new one."
    /// An invitation is unknown, used, expired or revoked.
    case invitationUnknown = "This invitation no longer works. Ask for a new one."
    case codeThrottled
    case tooManySkips = "Too many dates are skipped. Change how the chore repeats."
    case tooManyTablets = "Your family has the maximum number of tablets. Remove one first."
    /// A person requests what only a shared tablet gets.
    case tabletsOnly = "Only a tablet that a parent has paired can do this."
    /// A child taps other pictures than its own, or none.
    case picturePINWrong = "These aren’t the right pictures. Try again."
    case picturesMissing = "Choose all pictures."
    case picturePINThrottled
    case alreadyMember = "You are already in this family."
    /// A parent joins another household while their own has children or chores.
    case ownHouseholdInUse = "Your own family has children or chores. Delete them first, then join the other one."
    /// A parent joins another household while their own has another parent. Leaving requires a proof.
    case leaveFirst = "Your family has another parent. Leave it first, then join the other one."
    /// A parent joins another household while their own has deleted children that can be restored.
    case restorableFirst =
        "A deleted child of your family can still be restored. Erase or restore the child first, then join the other family."
    case tooManyDeleted

    package var text: String {
        let t = Translator.english
        return switch self {
        case .choreNameTooLong:
            t("Use at most {n} characters for the name.", ["n": String(Limits.nameCharacters)])
        case .automaticHoursOutOfRange:
            t(
                "Enter the hours as a whole number, from {least} to {most}.",
                [
                    "least": String(Limits.automaticHours.lowerBound),
                    "most": String(Limits.automaticHours.upperBound),
                ])
        case .tooManySteps:
            t(
                "A chore has at most {n} step.", plural: "A chore has at most {n} steps.",
                count: Limits.choreSteps)
        case .stepTooLong:
            t("Use at most {n} characters for each step.", ["n": String(Limits.stepCharacters)])
        case .maximumOutOfRange:
            t(
                "Enter the maximum as a whole number, from {least} to {most}.",
                ["least": "1", "most": String(Limits.contractPoints)])
        case .descriptionTooLong:
            t("Use at most {n} characters.", ["n": String(Limits.descriptionCharacters)])
        case .levelsTooMany:
            t(
                "A contract has at most {n} level.",
                plural: "A contract has at most {n} levels.",
                count: Limits.contractLevels)
        case .rewardTooLong:
            t("Use at most {n} characters for the reward.", ["n": String(Limits.rewardCharacters)])
        case .shopRewardTooLong:
            t("Use at most {n} characters for the reward.", ["n": String(Limits.shopRewardCharacters)])
        case .priceOutOfRange: Self.range(Limits.shopPrices, t)
        case .stockOutOfRange: Self.range(Limits.shopStock, t)
        case .cooldownOutOfRange: Self.range(Limits.shopCooldownDays, t)
        case .tooManyRewards:
            t(
                "The shop already has {n} reward. Delete it if you don’t need it.",
                plural: "The shop already has {n} rewards. Delete some that you don’t need.",
                count: Limits.rewardsPerHousehold)
        case .tooManyChores:
            t(
                "Assign at most {n} chore at once.",
                plural: "Assign at most {n} chores at once.",
                count: Limits.assignmentEntries)
        case .tooManyApprovals:
            t(
                "Approve at most {n} chore at once.",
                plural: "Approve at most {n} chores at once.",
                count: Limits.assignmentEntries)
        case .reasonTooLong:
            t("Use at most {n} characters for the reason.", ["n": String(Limits.declineReasonCharacters)])
        case .tooNewToAnnounce:
            t(
                "You can announce a removal once you have been in this family for {n} day.",
                plural: "You can announce a removal once you have been in this family for {n} days.",
                count: Limits.removalMembershipSeconds.wholeDays)
        case .announcedBefore:
            t(
                "Your last announcement was withdrawn. You can announce the removal again {n} day after that.",
                plural: "Your last announcement was withdrawn. You can announce the removal again {n} days after that.",
                count: Limits.removalRepeatSeconds.wholeDays)
        case .tooManyChoresKept:
            t(
                "The family already has {n} chore. Delete it if you don’t need it.",
                plural: "The family already has {n} chores. Delete some that you don’t need.",
                count: Limits.choresPerHousehold)
        case .graceOutOfRange: Self.range(Limits.graceMinutes, t)
        case .reminderOutOfRange: Self.range(Limits.reminderMinutes, t)
        case .tooManyPauses:
            t(
                "A family can have at most {n} pause. End it first.",
                plural: "A family can have at most {n} pauses. End one of them first.",
                count: Limits.pausesPerHousehold)
        case .tooManyChildren:
            t(
                "A family can have at most {n} child.",
                plural: "A family can have at most {n} children.",
                count: Limits.childrenPerHousehold)
        case .tooManyParents:
            t(
                "A family can have at most {n} parent.",
                plural: "A family can have at most {n} parents.",
                count: Limits.parentsPerHousehold)
        case .picturePINThrottled:
            t(
                "Too many wrong pictures. Wait {n} minute, or ask a parent to set new pictures.",
                plural: "Too many wrong pictures. Wait {n} minutes, or ask a parent to set new pictures.",
                count: Limits.picturePINFailureSeconds.wholeMinutes)
        case .codeThrottled:
            t(
                "Too many wrong codes. Wait {n} minute, then try again.",
                plural: "Too many wrong codes. Wait {n} minutes, then try again.",
                count: Limits.throttleSeconds.wholeMinutes)
        case .tooManyDeleted:
            t(
                "Your family has {n} deleted child. Erase it first.",
                plural: "Your family has {n} deleted children. Erase some of them first.",
                count: Limits.deletedChildrenPerHousehold)
        default: rawValue
        }
    }

    /// Returns that a chore is due on a later date, and from which day on it can be done in advance.
    static func occurrenceNotYet(_ date: LocalDate, from: LocalDate) -> String {
        func parts(_ date: LocalDate) -> [String] { date.text.split(separator: "-").map(String.init) }
        let (date, from) = (parts(date), parts(from))
        let t = Translator.english
        return t(
            "It’s due on {year}-{month}-{day}. It can be recorded from {fromYear}-{fromMonth}-{fromDay} on.",
            [
                "year": date[0], "month": date[1], "day": date[2], "fromYear": from[0], "fromMonth": from[1],
                "fromDay": from[2],
            ])
    }

    private static func range(_ range: ClosedRange<Int64>, _ t: Translator) -> String {
        t(
            "Enter a whole number from {least} to {most}.",
            ["least": String(range.lowerBound), "most": String(range.upperBound)])
    }
}

extension AppError {
    init(_ code: Code, _ message: FamilyMessage, field: String? = nil) {
        let fields = field.map { [$0: message.text] } ?? [:]
        self.init(code, message.text, fields: fields)
    }

    /// Replaces the messages that address the account's owner with those that name the child.
    static func ofChild<T>(_ work: () throws -> T) throws -> T {
        do {
            return try work()
        } catch let error as AppError {
            throw error.saying { words in
                switch AccountMessage(rawValue: words) {
                case .nameMissing: FamilyMessage.childNameMissing.text
                case .dateOfBirthMissing: FamilyMessage.childDateOfBirthMissing.text
                default: words
                }
            }
        }
    }
}
