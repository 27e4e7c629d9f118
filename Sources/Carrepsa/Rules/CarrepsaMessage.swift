import Kernel

/// Every sentence with which this module refuses something, in English. Pages show it in the reader's language by
/// looking the case up; JSON carries the English text.
package enum CarrepsaMessage: String, CaseIterable, Sendable {
    /// No title.
    case titleMissing = "Say in a few words what it is."
    /// More than 50 characters.
    case titleTooLong = "Use at most 50 characters for the title."
    /// A control character.
    case titleUnreadable = "Remove characters that aren't allowed from the title."
    /// No place.
    case placeMissing = "Enter a place."
    /// More than 100 characters.
    case placeTooLong = "Use at most 100 characters for the place."
    /// A control character.
    case placeUnreadable = "Remove characters that aren't allowed from the place."
    /// Not 1 to a million grams.
    case weightOutOfRange = "Enter the weight in whole grams, from 1 to 1000000."
    /// Not an amount that can be paid.
    case amountOutOfRange = "Enter an amount above zero, of at most 1000000000000 minor units."
    /// More than 1000 characters.
    case textTooLong = "Use at most 1000 characters."
    /// Characters that are put together from many.
    case tooManyBytes = "This text is too long. Use fewer emoji or accents."
    /// A control character.
    case textUnreadable = "Remove characters that aren't allowed."
    /// A latest pickup that has passed.
    case deadlineTooEarly = "The latest pickup must be in the future."
    /// A dispute without a word.
    case reasonMissing = "Say what happened."
    /// A filter of 0 grams or less.
    case filterWeightOutOfRange = "Enter a weight of at least 1 gram."
    /// A cursor that no page gave out.
    case cursorUnknown = "This page doesn't exist. Start again from the first one."
    /// The account has no phone number.
    case phoneMissing = "Enter a phone number: the other side of a delivery must be able to reach you."
    /// A child.
    case grownUpsOnly = "Only adults can send and carry packages."
    /// The owner's wallet doesn't cover the reward.
    case rewardAboveBalance = "There is not enough money in your wallet for this reward."
    /// The carrier's wallet doesn't cover the money lock.
    case lockAboveBalance = "There is not enough money in your wallet for the deposit."
    /// The owner's wallet doesn't cover the reward any more.
    case rewardNotFunded = "The owner's wallet doesn't cover the reward right now. The owner was notified."
    /// More is to be paid out than there is.
    case balanceTooSmall = "There is not enough money in this wallet."
    /// Accepting one's own package.
    case ownPackage = "This is your own package."
    /// Somebody else accepted it, or one has done so oneself.
    case notAvailable = "This package is no longer available."
    /// The state has moved on.
    case stateMovedOn = "The package was changed elsewhere. Review it and try again."
    /// The role may not.
    case roleMayNot = "You aren't allowed to do this."
    /// The latest pickup has passed.
    case deadlinePassed = "The latest pickup has passed."
    /// The delivery was reported before.
    case alreadyReported = "You already reported this. The owner was notified."
    /// A cancellation was asked for before.
    case alreadyRequested = "You already asked for this. The other side has to agree."
    /// There is no cancellation to take back or agree to.
    case nothingRequested = "There is no request to cancel."
    /// An operator was asked before.
    case alreadyInDispute = "An administrator was already asked."
    /// A statement without a word.
    case statementMissing = "Describe what happened."
    /// All statements of a side are added.
    case noStatementsLeft = "You can add up to 5 statements, and you have added all of them."
    /// A decision that nobody asked for.
    case notInDispute = "This package isn't in dispute."
    /// Only operators decide.
    case operatorsOnly = "Only administrators can do this."
    /// The carrier's confirmation lacks the owner's code.
    case codeMissing = "Enter the code that the other side shows you."
    /// A code that isn't the other one's newest.
    case codeWrong = "This code is not right. Ask for a new one."
    /// Too many wrong codes.
    case codeThrottled = "Too many wrong codes. Wait half an hour, then try again."
    /// Codes are for the two people who hand over.
    case noHandover = "There is nothing to hand over now."
    /// The account can't go yet.
    case packagesUnderWay = "You still have packages that are offered or under way. Finish or withdraw them first."
    /// The account can't go yet.
    case balanceLeft = "There is still money in your wallet. Ask the administrator of this server to pay it out first."
    /// A payment's id was used for another one.
    case paymentKnown = "This payment was made before, with other content."
}

extension AppError {
    init(_ code: Code, _ message: CarrepsaMessage, field: String? = nil) {
        let fields = field.map { [$0: message.rawValue] } ?? [:]
        self.init(code, message.rawValue, fields: fields)
    }
}

/// Collects what is wrong with each field, so that a form is told everything at once.
struct Problems: Sendable {
    private(set) var fields: [String: String] = [:]

    mutating func refuse(_ field: String, _ message: CarrepsaMessage) {
        if fields[field] == nil { fields[field] = message.rawValue }
    }

    /// - Throws: `AppError(.invalid)` with all problems, when there are any.
    func finish() throws {
        guard let first = fields.min(by: { $0.key < $1.key }) else { return }
        throw AppError(.invalid, first.value, fields: fields)
    }
}
