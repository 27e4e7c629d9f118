import Kernel

/// The error messages of this module, in English. Pages show the translation of the case; JSON carries the English
/// text.
package enum CarrepsaMessage: String, ErrorMessage {
    case titleMissing = "Say in a few words what it is."
    case titleTooLong
    case titleUnreadable = "Remove characters that aren’t allowed from the title."
    case placeMissing = "Enter a place."
    case placeTooLong
    case placeUnreadable = "Remove characters that aren’t allowed from the place."
    case weightOutOfRange
    case amountOutOfRange
    case textTooLong
    /// Few characters that consist of many bytes.
    case tooManyBytes = "This text is too long. Use fewer emoji or accents."
    case textUnreadable = "Remove characters that aren’t allowed."
    case deadlineTooEarly = "The latest pickup must be in the future."
    case reasonMissing = "Say what happened."
    case filterWeightOutOfRange = "Enter a weight of at least 1 gram."
    case phoneMissing = "Enter a phone number: owner and carrier of a delivery must be able to reach each other."
    /// The account belongs to a child.
    case grownUpsOnly = "Only adults can send and carry packages."
    case rewardAboveBalance = "Not enough money in your wallet for this reward."
    case lockAboveBalance = "Not enough money in your wallet for the deposit."
    /// The owner's wallet no longer covers the reward.
    case rewardNotFunded = "The owner’s wallet doesn’t cover the reward right now. The owner was notified."
    /// The payout exceeds the balance.
    case balanceTooSmall = "Not enough money in this wallet."
    /// The payout needs welcome money.
    case welcomeMoneyStays = "Welcome money pays for deliveries but can’t be paid out."
    /// Before the deletion of an account.
    case welcomeMoneyIsLost = "You will lose the welcome money in your wallet."
    case ownPackage = "This is your own package."
    /// Another carrier accepted it, or the actor did before.
    case notAvailable = "This package is no longer available."
    /// The action isn't possible in the current state, or the version changed.
    case stateMovedOn = "The package was changed elsewhere. Review it and try again."
    /// An acceptance of an offer that was edited doesn't say which version was read.
    case offerEdited = "The owner changed this offer. Read it again and send its version."
    /// An acceptance of an offer to divide the money doesn't say which one was read.
    case versionMissing = "Send the version that you read. The offer can be replaced at any time."
    case roleMayNot = "You aren’t allowed to do this."
    case deadlinePassed = "The latest pickup has passed."
    case alreadyReported = "You already reported this. The owner was notified."
    case alreadyRequested = "You already asked for this. Wait for the answer."
    /// There is no cancellation request to retract or to agree to.
    case nothingRequested = "There is no request to cancel."
    case alreadyInDispute = "An administrator was already asked."
    case statementMissing = "Describe what happened."
    case noStatementsLeft
    case notInDispute = "This package isn’t in dispute."
    case statementsClosed = "The time for statements is over."
    /// Owner or carrier hasn't written yet and still has time.
    case notHeard = "Owner or carrier can still answer. Decide when both have written, or when the time is over."
    case alreadyDecided = "An administrator already decided this dispute. Load the page again."
    case noSplitOffered = "There is no offer to divide the money."
    case splitAmountMissing = "Enter an amount. 0 is possible."
    /// More than the reward or the deposit.
    case splitAmountOutOfRange = "Enter an amount from 0 to the whole amount."
    case noOpenDecision = "There is no decision that you can accept or appeal against."
    case decisionAccepted = "You accepted this decision, so you can’t appeal."
    case alreadyAppealed = "There was an appeal. The second decision is final."
    case appealReasonMissing = "Say why the decision is wrong."
    case decisionReasonMissing = "Give the reason. Owner and carrier read it."
    /// An administrator who carried the package before, while the server has another one.
    case hasPart = "You carried this package before. Another administrator decides."
    /// The administrator who made the first decision, while the server has another one.
    case anotherDecides = "Another administrator decides about the appeal."
    case operatorsOnly = "Only administrators can do this."
    /// The carrier needs the owner's code to confirm.
    case codeMissing = "Enter the code that you are shown."
    /// The code isn't the newest one of the other person.
    case codeWrong = "This code is not right. Ask for a new one."
    case codeThrottled
    /// Only owner and carrier have codes, and only while a handover is due.
    case noHandover = "There is nothing to hand over now."
    /// Blocks the deletion of the account.
    case packagesUnderWay = "You still have packages that are offered or under way. Finish or withdraw them first."
    /// Blocks the deletion of the account.
    case balanceLeft = "There is still money in your wallet. Ask the administrator of this server to pay it out first."
    /// An administrator records a payment without a note.
    case paymentNoteMissing = "Say what the payment is for."
    /// ``Limits/paymentNoteCharacters``.
    case paymentNoteTooLong
    /// ``Limits/paymentTextCharacters``.
    case paymentTextTooLong
    case accountHolderMissing = "Enter the name of the account’s holder."
    case accountHolderInvalid
    case ibanInvalid = "This is no IBAN. Check its digits."
    case bicInvalid = "This is no BIC. Check its letters and digits."
    case destinationMissing = "Say how you want the money, for example with your IBAN."
    /// A person has one open request at a time.
    case payoutRequested = "You already have an open request. Withdraw it first."
    /// Another payment paid it before, or it was declined or withdrawn.
    case payoutEnded = "This request has ended."
    /// A payout must say which open request it pays.
    case payoutUnnamed =
        "This person has an open payout request. Name the request that this payout pays, or decline it first."
    /// A top-up names a request, or a payout one of another person.
    case payoutUnknown = "Only a payout can name a request, and the request must be this person’s."
    case ownWallet = "This is your own wallet. Another administrator records its payments."
    case instructionsMovedOn = "This was changed elsewhere. Review it and try again."
    case referenceUnavailable = "This isn’t available right now. Try again."
    case pointIncomplete = "Enter latitude and longitude, or neither."
    case pointInvalid = "There is no such place on Earth."
    case openingTimesInvalid
    case pointMissing = "Set this point on the map, or enter its coordinates."
    case timeZoneUnknown = "Enter a time zone such as Europe/Berlin."
    case daysInvalid = "Choose days of the week."
    case detourOutOfRange
    case tripTooLong = "This trip is too long for such a detour. Choose a smaller one, or a shorter trip."
    case tooManyTrips
    /// ``Limits/placeAreasPerAccount``.
    case tooManyPlaces = "You have set too many different places. Leave this point out, or use an earlier place."
    case placeSearchesThrottled = "You searched for places too often. Wait a while, then try again."
    /// Too many requests wait for the geocoder.
    case placesBusy = "Many people are searching. Try again in a few seconds."
    case placesUnavailable = "Places can’t be searched right now. Set the point on the map."
    case tripMovedOn = "The trip was changed elsewhere. Review it and try again."
    case editsThrottled = "You changed offers too often. Wait a while, then try again."
    // Recipients.
    case recipientNameMissing = "Enter the recipient’s name."
    case recipientNameTooLong
    case contactMissing = "Enter a phone number or an email address."
    case contactInvalid = "This is neither a phone number nor an email address."
    /// ``Limits/recipientTextCharacters``.
    case recipientTextTooLong
    case noRecipient = "This package has no recipient."
    case recipientMovedOn = "The recipient was changed elsewhere. Review it and try again."
    case deliveryEnded = "This delivery has ended."
    case alreadyRefused = "You already refused this package."
    /// ``Limits/recipientInstructions``.
    case instructionsUsedUp = "You changed this too often. Call the carrier or the owner."
    // Messages
    case messageMissing = "Write something, or add a photo or your position."
    /// ``Limits/messageCharacters``.
    case messageTooLong
    case messagesThrottled = "Too many at once. Wait a little and try again."
    case conversationClosed = "The messages about this package are closed."
    /// The carrier no longer carries the package.
    case conversationEnded = "This delivery has ended, and with it the messages."
    case conversationBlocked = "You can’t write to each other: one of you blocked the other."
    case conversationFull = "There are too many messages about this package. Call instead."
    /// The carrier cancelled the acceptance of the same package.
    case acceptanceCancelled = "You cancelled this delivery. You can accept it again a day after that."
    case acceptanceBlocked = "You can’t accept this package: one of you blocked the other."
    case tooManyBlocked = "You have blocked too many people. Unblock some of them first."
    // Reviews
    case reviewNotPossible = "This delivery can’t be reviewed."
    case reviewTooLate = "The time for reviews of this delivery is over."
    case reviewWritten = "You already reviewed this delivery."
    case reviewMissing = "Choose what was good, or write something."
    case replyMissing = "Write a reply."
    case replyWritten = "You already replied."
    // Photos of handovers.
    case photoMissing = "Choose a photo."
    case photosMissing = "The owner requires a photo. Add one first."
    /// ``Limits/packageProofs``.
    case noProofsLeft
    /// The transfer's id belongs to another payment.
    case paymentKnown = "This payment was made before, with other content."

    package var text: String {
        let t = Translator.english
        return switch self {
        case .titleTooLong:
            t("Use at most {n} characters for the title.", ["n": String(Limits.nameCharacters)])
        case .placeTooLong:
            t("Use at most {n} characters for the place.", ["n": String(Limits.placeCharacters)])
        case .weightOutOfRange:
            t(
                "Enter the weight in whole grams, from {least} to {most}.",
                ["least": "1", "most": String(Limits.packageWeightGrams)])
        case .amountOutOfRange:
            t(
                "Enter an amount above zero, of at most {most} minor units.",
                ["most": String(Limits.packageMoneyMinor)])
        case .textTooLong:
            t("Use at most {n} characters.", ["n": String(Limits.descriptionCharacters)])
        case .recipientNameTooLong: t("Use at most {n} characters.", ["n": String(Limits.nameCharacters)])
        case .recipientTextTooLong: t("Use at most {n} characters.", ["n": String(Limits.recipientTextCharacters)])
        case .noProofsLeft:
            t(
                "A package can have {n} photo.", plural: "A package can have up to {n} photos.",
                count: Int(Limits.packageProofs))
        case .paymentTextTooLong: t("Use at most {n} characters.", ["n": String(Limits.paymentTextCharacters)])
        case .openingTimesInvalid:
            t("Use at most {n} characters on one line.", ["n": String(Limits.openingTimesCharacters)])
        case .detourOutOfRange:
            t(
                "Enter whole kilometres, from {least} to {most}.",
                ["least": "1", "most": String(Limits.tripDetourKilometres)])
        case .tooManyTrips:
            t("You can save {n} trips. Delete one first.", ["n": String(Limits.tripsPerAccount)])
        case .accountHolderInvalid:
            t("Use at most {n} characters on one line.", ["n": String(Limits.accountHolderCharacters)])
        case .paymentNoteTooLong: t("Use at most {n} characters.", ["n": String(Limits.paymentNoteCharacters)])
        case .noStatementsLeft:
            t(
                "You can add {n} statement, and you have added it.",
                plural: "You can add up to {n} statements, and you have added all of them.",
                count: Int(Limits.disputeStatements))
        case .codeThrottled:
            t(
                "Too many wrong codes. Try again in {n} minute.",
                plural: "Too many wrong codes. Try again in {n} minutes.",
                count: Limits.handoverThrottleSeconds.wholeMinutes)
        case .messageTooLong:
            t("Use at most {n} characters.", ["n": String(Limits.messageCharacters)])
        default: rawValue
        }
    }
}

extension AppError {
    init(_ code: Code, _ message: CarrepsaMessage, field: String? = nil, status: Int? = nil) {
        let fields = field.map { [$0: message.text] } ?? [:]
        self.init(code, message.text, fields: fields, status: status)
    }
}
