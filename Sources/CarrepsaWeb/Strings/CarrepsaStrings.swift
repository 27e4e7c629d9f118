import Kernel
import WebCore

/// The texts of Carrepsa in one language. Stored properties, because templates read them by reflection.
/// ``fill(_:_:)`` replaces `{…}`.
///
/// A class, because each page and many of its parts refer to the catalogue: copying hundreds of strings would be
/// slow.
final class CarrepsaStrings: WordCatalogue {
    let common: CarrepsaCommonStrings
    let welcome: WelcomeStrings
    let search: SearchStrings
    let lists: PackageListStrings
    let form: PackageFormStrings
    let details: PackageStrings
    let actions: ActionStrings
    let story: PackageHistoryStrings
    let people: PeopleStrings
    let handover: HandoverStrings
    let wallet: WalletStrings
    let profile: ProfileStrings
    let operators: OperatorStrings
    let units: CarrepsaUnitStrings

    init(
        common: CarrepsaCommonStrings, welcome: WelcomeStrings, search: SearchStrings, lists: PackageListStrings,
        form: PackageFormStrings, details: PackageStrings, actions: ActionStrings, story: PackageHistoryStrings,
        people: PeopleStrings, handover: HandoverStrings, wallet: WalletStrings, profile: ProfileStrings,
        operators: OperatorStrings, units: CarrepsaUnitStrings
    ) {
        self.common = common
        self.welcome = welcome
        self.search = search
        self.lists = lists
        self.form = form
        self.details = details
        self.actions = actions
        self.story = story
        self.people = people
        self.handover = handover
        self.wallet = wallet
        self.profile = profile
        self.operators = operators
        self.units = units
    }

    /// Returns the catalogue of a language.
    static func of(_ language: Language) -> CarrepsaStrings {
        switch language {
        case .english: english
        case .german: german
        }
    }
}

struct CarrepsaCommonStrings: Sendable {
    let search: String
    let mine: String
    let new: String
    let deliveries: String
    let profile: String
    let cancel: String
    let more: String
    let available: String
    let accepted: String
    let travelling: String
    let delivered: String
    let cancelled: String
    let disputed: String
    let unfunded: String
    let yours: String
    let from: String
    let to: String
    let reward: String
    let moneyLock: String
    let weight: String
}

struct WelcomeStrings: Sendable {
    let lead: String
    let sendTitle: String
    let sendText: String
    let carryTitle: String
    let carryText: String
    let safeTitle: String
    let safeText: String
    let signUp: String
    let login: String
}

struct SearchStrings: Sendable {
    let upTo: String
    let kilograms: String
    let show: String
    let clear: String
    let filters: String
    let noneTitle: String
    let noneText: String
    let noMatchTitle: String
    let noMatchText: String
    let weightInvalid: String
    let lock: String
    let by: String
}

struct PackageListStrings: Sendable {
    let live: String
    let past: String
    let show: String
    let mineNoneTitle: String
    let mineNoneText: String
    let minePastNone: String
    let deliveriesNoneTitle: String
    let deliveriesNoneText: String
    let deliveriesPastNone: String
    let carriedBy: String
    let carriedFor: String
    let asksToCancel: String
    let saysDelivered: String
    let lapsed: String
    let choose: String
}

struct PackageFormStrings: Sendable {
    let title: String
    let name: String
    let namePlaceholder: String
    let fromPlaceholder: String
    let toPlaceholder: String
    let rewardHint: String
    let moneyLockHint: String
    let more: String
    let moreHint: String
    let description: String
    let descriptionHint: String
    let photo: String
    let deadline: String
    let deadlineHint: String
    let submit: String
    let requested: String
    let tooLittle: String
    let missing: String
    let tooLong: String
    let unreadable: String
    let amountInvalid: String
    let weightInvalid: String
    let deadlineInvalid: String
    let pictureInvalid: String
    let pictureTooLarge: String
    let keyReused: String
}

struct PackageStrings: Sendable {
    let facts: String
    let people: String
    let owner: String
    let carrier: String
    let you: String
    let deadline: String
    let posted: String
    let story: String
    let statements: String
    let description: String
    let unfundedOwner: String
    let unfundedOthers: String
    let ownerAvailable: String
    let strangerAvailable: String
    let ownerAccepted: String
    let carrierAccepted: String
    let ownerTravelling: String
    let carrierTravelling: String
    let ownerReported: String
    let carrierReported: String
    let ownerDelivered: String
    let carrierDelivered: String
    let cancelledText: String
    let refundedText: String
    let ownerLost: String
    let carrierLost: String
    let ownerDecidedDelivered: String
    let carrierDecidedDelivered: String
    let ownerLapsed: String
    let lapsed: String
    let otherCancelled: String
    let notCollected: String
    let disputedText: String
    let iAskedToCancel: String
    let otherAskedToCancel: String
}

struct ActionStrings: Sendable {
    let accept: String
    let acceptQuestion: String
    let acceptNote: String
    let accepted: String
    let withdraw: String
    let withdrawQuestion: String
    let withdrawNote: String
    let withdrawUnfundedNote: String
    let withdrawn: String
    let cancelDelivery: String
    let cancelQuestion: String
    let cancelNoteOwner: String
    let cancelNoteCarrier: String
    let cancelledDelivery: String
    let confirmPickup: String
    let pickupQuestion: String
    let pickupNote: String
    let pickedUp: String
    let confirmDelivery: String
    let deliveryQuestion: String
    let deliveryNote: String
    let delivered: String
    let report: String
    let reportQuestion: String
    let reportNote: String
    let reported: String
    let askToCancel: String
    let askQuestion: String
    let askNote: String
    let asked: String
    let agreeToCancel: String
    let agreeQuestion: String
    let agreeNote: String
    let agreed: String
    let takeBack: String
    let takenBack: String
    let keep: String
    let dispute: String
    let disputeText: String
    let disputeReason: String
    let disputeMissing: String
    let disputeTooLong: String
    let disputed: String
    let addStatement: String
    let statementText: String
    let statementLabel: String
    let statementMissing: String
    let statementAdded: String
    let openDelivery: String
    let tooLittleMoney: String
    let notFunded: String
    let deadlinePassed: String
    let tooLate: String
    let taken: String
    let offerWithdrawn: String
    let settled: String
}

struct PackageHistoryStrings: Sendable {
    let posted: String
    let withdrawn: String
    let accepted: String
    let cancelled: String
    let pickedUp: String
    let pickedUpByCode: String
    let reported: String
    let delivered: String
    let deliveredByCode: String
    let cancellationRequested: String
    let cancellationRetracted: String
    let cancellationAgreed: String
    let disputed: String
    let statement: String
    let decidedDelivered: String
    let decidedRefunded: String
    let decidedLost: String
    let expired: String
    let asked: String
    let notFunded: String
}

struct PeopleStrings: Sendable {
    let former: String
}

struct HandoverStrings: Sendable {
    let title: String
    let pickupText: String
    let deliveryText: String
    let show: String
    let yours: String
    let yoursText: String
    let until: String
    let enter: String
    let enterHintOwner: String
    let enterHintCarrier: String
    let code: String
    let confirm: String
    let missing: String
    let wrong: String
    let back: String
}

struct WalletStrings: Sendable {
    let title: String
    let balance: String
    let held: String
    let heldText: String
    let heldNothing: String
    let entries: String
    let none: String
    let when: String
    let after: String
    let number: String
    let rewardOf: String
    let lockOf: String
    let openPackage: String
    let welcome: String
    let welcomeText: String
    let topUp: String
    let topUpText: String
    let payOut: String
    let payOutText: String
    let rewardHeld: String
    let rewardHeldText: String
    let lockHeld: String
    let lockHeldText: String
    let rewardBack: String
    let rewardBackText: String
    let lockBack: String
    let lockBackText: String
    let earned: String
    let earnedText: String
    let compensation: String
    let compensationText: String
    let paid: String
    let paidText: String
    let cameBack: String
    let forfeited: String
}

struct ProfileStrings: Sendable {
    let name: String
    let phone: String
    let mail: String
    let notGiven: String
    let phoneHint: String
    let mailHint: String
    let operators: String
    let disputes: String
    let ledger: String
    let more: String
    let settings: String
    let home: String
    let call: String
    let write: String
    let hiddenTitle: String
    let hiddenText: String
}

struct OperatorStrings: Sendable {
    let disputes: String
    let noneTitle: String
    let noneText: String
    let decide: String
    let decideText: String
    let note: String
    let noteHint: String
    let deliveredLabel: String
    let deliveredNote: String
    let refundedLabel: String
    let refundedNote: String
    /// The button that closes the dialog without a decision.
    let notYet: String
    let lostLabel: String
    let lostNote: String
    let question: String
    let decided: String
    let noteTooLong: String
    let ledger: String
    let ledgerText: String
    let sum: String
    let sumSound: String
    let sumUnsound: String
    let accounts: String
    let transfers: String
    let batches: String
    let unsealed: String
    let lastBatch: String
    let noBatch: String
    let verify: String
}

struct CarrepsaUnitStrings: Sendable {
    let decimalSeparator: String
    let kilograms: String
    let grams: String
    let now: String
    let minutesAgo: String
    let hoursAgo: String
    let dayAgo: String
    let daysAgo: String
    let shortWeekdays: [String]
    let shortMonths: [String]
    let dayAndMonth: String
}
