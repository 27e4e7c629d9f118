import Accounts
import Kernel

/// Every sentence with which this module refuses something, in English. Pages show it in the reader's language by
/// looking the case up; JSON carries the English text.
package enum FamilyMessage: String, CaseIterable, Sendable {
    /// The account has no date of birth.
    case dateOfBirthMissing = "Enter your date of birth."
    /// A child without a name, as its parent is told.
    case childNameMissing = "Enter the child's name."
    /// A child without a date of birth, as its parent is told.
    case childDateOfBirthMissing = "Enter the child's date of birth."
    /// A child whose profile is gone.
    case noHousehold = "Ask a parent to add you to the family."
    /// A child wants what parents do.
    case parentsOnly = "Ask a parent to do this."
    /// Only children ask for points.
    case childrenOnly = "Only the child itself can ask for points."
    /// A child's edit without a value.
    case required = "This cannot be left empty."
    /// A chore without a name.
    case choreNameMissing = "Enter a name for the chore."
    /// More than 50 characters.
    case choreNameTooLong = "Use at most 50 characters for the name."
    /// Characters that are put together from many.
    case tooManyBytes = "This text is too long. Use fewer emoji or accents."
    /// A control character.
    case choreNameUnreadable = "Remove characters that aren't allowed from the name."
    /// A chore without a picture.
    case choreLacksPicture = "Choose a picture for the chore."
    /// The chore changed since the asker read it.
    case movedOn = "This was changed elsewhere. Review it and try again."
    /// No maximum, or none between 1 and a million.
    case maximumOutOfRange = "Enter the maximum as a whole number, from 1 to 1000000."
    /// More than 1000 characters.
    case descriptionTooLong = "Use at most 1000 characters."
    /// A control character.
    case descriptionUnreadable = "Remove characters that aren't allowed."
    /// A contract without levels.
    case levelsMissing = "Add at least one level."
    /// More than 10.
    case levelsTooMany = "A contract has at most 10 levels."
    /// A level without a reward.
    case rewardMissing = "Enter a reward."
    /// More than 100 characters.
    case rewardTooLong = "Use at most 100 characters for the reward."
    /// A control character.
    case rewardUnreadable = "Remove characters that aren't allowed from the reward."
    /// No points, or less than 1.
    case levelPointsMissing = "Enter the level's points as a whole number, 1 or more."
    /// A level above the maximum.
    case levelAboveMaximum = "A level can't take more points than the contract's maximum."
    /// The sum above the maximum.
    case levelsAboveMaximum = "Together the levels take more points than the contract's maximum."
    /// A reward that isn't there to be handed over.
    case levelNotReached = "This level isn't reached yet."
    /// Nothing chosen.
    case noChores = "Choose points for at least one chore."
    /// More than 100 chores at once.
    case tooManyChores = "Assign at most 100 chores at once."
    /// An entry without a chore.
    case choreMissing = "Choose a chore."
    /// A chore twice.
    case choreTwice = "Choose each chore only once."
    /// Other points than 1, 2, 3.
    case pointsOutOfRange = "Choose 1, 2 or 3 points."
    /// A chore that was deleted meanwhile.
    case choreGone = "This chore was deleted. No points were given."
    /// An assignment undone before.
    case alreadyUndone = "This was already undone."
    /// A child asks twice.
    case alreadyRequested = "You already asked for this. A parent decides."
    /// A child waits for too much.
    case tooManyRequests = "Wait until a parent has decided on your requests."
    /// More than 200 characters.
    case reasonTooLong = "Use at most 200 characters for the reason."
    /// A control character.
    case reasonUnreadable = "Remove characters that aren't allowed from the reason."
    /// The only parent of a household.
    case onlyParent = "You are the only parent of this family. Invite another parent first, or delete your account."
    /// A parent who didn't make the household tries to remove another at once.
    case makerOnly = "Only the parent who created this family can do this at once. Announce the removal instead."
    /// A parent applies an action for other parents to themselves, or the reverse.
    case notWithThisParent = "You can't do this with this parent."
    /// A removal is announced already.
    case removalAnnounced = "The removal of this parent is already announced."
    /// The parent refused a removal a short time ago.
    case removalRefused =
        "This parent has refused to be removed. Try again later, or ask the parent who created this family."
    /// A parent who joined a short time ago announces a removal.
    case tooNewToAnnounce = "You can announce a removal once you have been in this family for 7 days."
    /// A parent announces a removal again a short time after it was withdrawn.
    case announcedBefore = "Your last announcement was withdrawn. You can announce the removal again 7 days after that."
    /// A parent withdraws a removal that another one announced.
    case announcerOnly =
        "Only the parent who announced the removal, or the parent who created this family, can withdraw it."
    /// The effect of deleting an account on the family of its only parent.
    case deletionTakesChildren =
        "You are the only parent of your family. Your children's profiles and points are deleted with your account."
    /// The effect where there are other parents.
    case deletionLeavesChildren =
        "Your children stay with the other parents of your family. The other parents are notified."
    /// 200 chores.
    case tooManyChoresKept = "The family already has 200 chores. Delete some that you don't need."
    /// 30 children.
    case tooManyChildren = "A family can have at most 30 children."
    /// 10 parents.
    case tooManyParents = "A family can have at most 10 parents."
    /// No code at all.
    case codeMissing = "Scan the code, or open its link."
    /// A code that signs nobody in.
    case codeUnknown = "This code no longer works. Ask a parent for a new one."
    /// An invitation that leads nowhere.
    case invitationUnknown = "This invitation no longer works. Ask for a new one."
    /// Too many wrong codes.
    case codeThrottled = "Too many wrong codes. Wait a quarter of an hour, then try again."
    /// Joining one's own household.
    case alreadyMember = "You are already in this family."
    /// Joining with something left behind.
    case ownHouseholdInUse = "Your own family has children or chores. Delete them first, then join the other one."
    /// Joining without having left: leaving requires a proof.
    case leaveFirst = "Your family has another parent. Leave it first, then join the other one."
    /// Joining with deleted children who can still be restored.
    case restorableFirst =
        "A deleted child of your family can still be restored. Erase or restore the child first, then join the other family."
    /// 60 deleted children.
    case tooManyDeleted = "Your family has 60 deleted children. Erase some of them first."
    /// A cursor that no page gave out.
    case cursorUnknown = "This page doesn't exist. Start again from the first one."
}

extension AppError {
    init(_ code: Code, _ message: FamilyMessage, field: String? = nil) {
        let fields = field.map { [$0: message.rawValue] } ?? [:]
        self.init(code, message.rawValue, fields: fields)
    }

    /// Says of a child what accounts say to whoever fills in their own.
    static func ofChild<T>(_ work: () throws -> T) throws -> T {
        do {
            return try work()
        } catch let error as AppError {
            throw error.saying { words in
                switch AccountMessage(rawValue: words) {
                case .nameMissing: FamilyMessage.childNameMissing.rawValue
                case .dateOfBirthMissing: FamilyMessage.childDateOfBirthMissing.rawValue
                default: words
                }
            }
        }
    }
}

/// Collects what is wrong with each field, so that a form is told everything at once.
struct FamilyProblems: Sendable {
    private(set) var fields: [String: String] = [:]

    mutating func refuse(_ field: String, _ message: FamilyMessage) {
        if fields[field] == nil { fields[field] = message.rawValue }
    }

    /// - Throws: `AppError` of `code` with all problems, when there are any.
    func finish(_ code: AppError.Code = .invalid) throws {
        guard let first = fields.min(by: { $0.key < $1.key }) else { return }
        throw AppError(code, first.value, fields: fields)
    }
}
