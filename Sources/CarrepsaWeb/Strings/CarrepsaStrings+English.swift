extension CarrepsaStrings {
    static let english = CarrepsaStrings(
        common: .english, welcome: .english, search: .english, lists: .english, form: .english, details: .english,
        actions: .english, story: .english, people: .english, handover: .english, wallet: .english, profile: .english,
        operators: .english, units: .english
    )
}

extension CarrepsaCommonStrings {
    static let english = CarrepsaCommonStrings(
        search: "Search", mine: "My packages", new: "New", deliveries: "My deliveries", profile: "Profile",
        cancel: "Cancel", more: "Show more", available: "Available", accepted: "Accepted", travelling: "Travelling",
        delivered: "Delivered", cancelled: "Cancelled", disputed: "Problem reported",
        unfunded: "Reward not funded", yours: "Yours", from: "From", to: "To", reward: "Reward",
        moneyLock: "Deposit", weight: "Weight"
    )
}

extension WelcomeStrings {
    static let english = WelcomeStrings(
        lead: "Neighbours who are going that way take your package with them.",
        sendTitle: "Send", sendText: "Say from where to where, and what it is worth to you.",
        carryTitle: "Carry", carryText: "Take a package along on your way, and earn the reward.",
        safeTitle: "Safe for both",
        safeText: "Reward and deposit are held until the package has arrived.",
        signUp: "Sign up", login: "Login"
    )
}

extension SearchStrings {
    static let english = SearchStrings(
        upTo: "Up to", kilograms: "kg", show: "Show", clear: "Clear filters", filters: "Filters",
        noneTitle: "Nothing to carry right now",
        noneText: "New requests appear here automatically. Do you have something to send?",
        noMatchTitle: "Nothing on this way yet",
        noMatchText: "New requests that fit appear here automatically. A place's first letters are enough.",
        weightInvalid: "Enter a weight such as 2.5.", lock: "Deposit {amount}", by: "by"
    )
}

extension PackageListStrings {
    static let english = PackageListStrings(
        live: "Live", past: "Past", show: "Which ones",
        mineNoneTitle: "You aren't sending anything right now",
        mineNoneText: "Ask your neighbours to take a package along.",
        minePastNone: "What has arrived or was called off is listed here.",
        deliveriesNoneTitle: "You aren't carrying anything right now",
        deliveriesNoneText: "Look for a package that is on your way.",
        deliveriesPastNone: "What you have delivered is listed here.",
        carriedBy: "with {name}", carriedFor: "for {name}", asksToCancel: "Cancellation asked for",
        saysDelivered: "Confirm delivery?", lapsed: "Pickup deadline passed", choose: "Choose a package"
    )
}

extension PackageFormStrings {
    static let english = PackageFormStrings(
        title: "New package", name: "Title", namePlaceholder: "What is it?", fromPlaceholder: "Town or street",
        toPlaceholder: "Town or street", rewardHint: "Goes to the carrier on delivery. You have {amount}.",
        moneyLockHint: "The money lock: the carrier puts this up, and you get it if the package is lost.",
        more: "More details", moreHint: "Description, photo, pickup date", description: "Description",
        descriptionHint: "Size, how to find you, what to take care of", photo: "Photo", deadline: "Pick up by",
        deadlineHint: "If it isn't picked up by the end of this day, both sides get their money back.",
        submit: "Request delivery", requested: "Requested. {amount} is held for the carrier.",
        tooLittle: "There is not enough money. Your balance is {amount}.",
        missing: "Fill this in.", tooLong: "Use at most {n} characters.",
        unreadable: "Remove characters that aren't allowed.",
        amountInvalid: "Enter an amount such as {example}, from {least} to {most}.",
        weightInvalid: "Enter a weight such as 2.5, up to {most} kg.",
        deadlineInvalid: "Choose a day that is not over yet.", pictureInvalid: "Choose another photo.",
        pictureTooLarge: "This photo is larger than 10 MB. Choose a smaller one.",
        keyReused: "This form was sent before with other details. Load the page again."
    )
}

extension PackageStrings {
    static let english = PackageStrings(
        facts: "Details", people: "People", owner: "Owner", carrier: "Carrier", you: "You",
        deadline: "Pick up by", posted: "Requested", story: "What happened", statements: "What both sides say",
        description: "Description",
        unfundedOwner: "Your wallet no longer covers the reward. The package can't be accepted until it does.",
        unfundedOthers: "The owner's wallet doesn't cover the reward right now, so the package can't be accepted.",
        ownerAvailable: "Waiting for a carrier.",
        strangerAvailable: "Put up {lock}, carry it, and get {sum} on delivery.",
        ownerAccepted: "{name} will collect it. Confirm pickup when you hand it over.",
        carrierAccepted: "Collect it from {name}. On handing over, {name} confirms, or you enter the code.",
        ownerTravelling: "{name} is carrying it. Confirm when it has arrived.",
        carrierTravelling: "Bring it there. When {name} confirms, you get {sum}.",
        ownerReported: "{name} says it has arrived. Confirm it, or report a problem.",
        carrierReported:
            "You said it has arrived. {name} was reminded to confirm; after 72 hours an administrator is asked.",
        ownerDelivered: "It has arrived. {name} got {sum}.",
        carrierDelivered: "It has arrived. You got {sum}.",
        cancelledText: "Cancelled. Both sides got their money back.",
        refundedText: "An administrator cancelled it. Both sides got their money back.",
        ownerLost: "An administrator decided that it is lost. You got {sum}: your reward back, and {name}'s deposit.",
        carrierLost: "An administrator decided that it is lost. Your deposit of {lock} went to {name}.",
        ownerDecidedDelivered: "An administrator decided that it has arrived. {name} got {sum}.",
        carrierDecidedDelivered: "An administrator decided that it has arrived. You got {sum}.",
        ownerLapsed: "It can no longer be accepted, and your reward is back. Cancel the request, or create a new one.",
        lapsed: "The pickup deadline has passed.",
        otherCancelled: "{name} cancelled your delivery. Your deposit is back.",
        notCollected: "It wasn't picked up in time. Your deposit is back.",
        disputedText: "An administrator reviews it and decides. The money stays held until then.",
        iAskedToCancel: "You asked to cancel. If {name} agrees, both get their money back.",
        otherAskedToCancel: "{name} asks to cancel. If you agree, both get their money back."
    )
}

extension ActionStrings {
    static let english = ActionStrings(
        accept: "Accept delivery", acceptQuestion: "Carry this package?",
        acceptNote: "{lock} of your money is held. On delivery you get it back, and the reward of {reward}.",
        accepted: "Accepted. {lock} is held.", withdraw: "Cancel request",
        withdrawQuestion: "Cancel this request?", withdrawNote: "It disappears, and the reward comes back to you.",
        withdrawUnfundedNote: "It disappears. No money is moved.", withdrawn: "Request cancelled",
        cancelDelivery: "Cancel delivery", cancelQuestion: "Cancel this delivery?",
        cancelNoteOwner: "The reward comes back to you, the deposit to {name}. The package is offered again.",
        cancelNoteCarrier: "Your deposit comes back. The package is offered again.",
        cancelledDelivery: "Delivery cancelled. The package is offered again.",
        confirmPickup: "Confirm pickup", pickupQuestion: "Does {name} have the package?",
        pickupNote: "From now on you can only cancel it together.", pickedUp: "On its way",
        confirmDelivery: "Confirm delivery", deliveryQuestion: "Has it arrived?",
        deliveryNote: "{name} gets {sum}. This can't be undone.", delivered: "Delivered. {name} got {sum}.",
        report: "I have delivered it", reportQuestion: "Have you delivered it?",
        reportNote: "{name} is asked to confirm.", reported: "{name} is asked to confirm",
        askToCancel: "Ask to cancel", askQuestion: "Ask {name} to cancel?",
        askNote: "If {name} agrees, both get their money back.", asked: "{name} is asked",
        agreeToCancel: "Agree to cancel", agreeQuestion: "Cancel the delivery?",
        agreeNote: "Both get their money back. Arrange how the package comes back.", agreed: "Delivery cancelled",
        takeBack: "Take the request back", takenBack: "Taken back", keep: "Keep it",
        dispute: "Report a problem",
        disputeText: "An administrator reviews it and decides. Reward and deposit stay held until then.",
        disputeReason: "What is wrong?", disputeMissing: "Say what is wrong.",
        disputeTooLong: "Use at most {n} characters.", disputed: "An administrator was asked",
        addStatement: "Add a statement",
        statementText: "The other side and the administrators can read it. You can’t change it later.",
        statementLabel: "What happened?", statementMissing: "Describe what happened.",
        statementAdded: "Statement added. {name} is notified.", openDelivery: "Open delivery",
        tooLittleMoney: "Your balance of {amount} is insufficient for the deposit of {lock}.",
        notFunded: "The owner's wallet doesn't cover the reward.", deadlinePassed: "The pickup deadline has passed.",
        tooLate: "This is no longer possible: the package was changed elsewhere.",
        taken: "Another carrier was faster.", offerWithdrawn: "The owner cancelled the request.",
        settled: "This is settled: no decision is needed any more."
    )
}

extension PackageHistoryStrings {
    static let english = PackageHistoryStrings(
        posted: "Requested", withdrawn: "Request cancelled", accepted: "Accepted", cancelled: "Delivery cancelled",
        pickedUp: "Pickup confirmed", pickedUpByCode: "Picked up, proven by code", reported: "Reported as delivered",
        delivered: "Delivery confirmed", deliveredByCode: "Delivered, proven by code",
        cancellationRequested: "Asked to cancel", cancellationRetracted: "No longer asks to cancel",
        cancellationAgreed: "Agreed to cancel", disputed: "Problem reported", statement: "Statement",
        decidedDelivered: "Administrator: counts as delivered",
        decidedRefunded: "Administrator: both get their money back",
        decidedLost: "Administrator: lost, the owner is compensated", expired: "Not picked up in time, money returned",
        asked: "Administrator asked", notFunded: "A carrier wanted to accept, but the reward wasn't covered"
    )
}

extension PeopleStrings {
    static let english = PeopleStrings(former: "Former member")
}

extension HandoverStrings {
    static let english = HandoverStrings(
        title: "Prove the handover",
        pickupText: "With a code both can prove that the package changed hands. This is optional.",
        deliveryText: "With a code both can prove that the package arrived. This is optional.",
        show: "Show my code", yours: "Your code",
        yoursText: "{name} scans it with the phone's camera, or types the digits.", until: "Expires",
        enter: "Enter {name}'s code", enterHintOwner: "{name} shows it on the phone.",
        enterHintCarrier: "{name} shows it on the phone. With it you confirm for both.", code: "Code",
        confirm: "Confirm with code", missing: "Enter the code.",
        wrong: "This is not {name}'s code. Compare the digits.",
        back: "Package"
    )
}

extension WalletStrings {
    static let english = WalletStrings(
        title: "Wallet", balance: "Balance", held: "Held",
        heldText: "Rewards and deposits of packages under way. They are neither spent nor lost.",
        heldNothing: "Nothing is held right now.", entries: "Transactions",
        none: "No money has moved yet.", when: "When", after: "Balance after", number: "Number", rewardOf: "Reward",
        lockOf: "Deposit", openPackage: "Open package",
        welcome: "Welcome", welcomeText: "Your first balance.",
        topUp: "Topped up", topUpText: "An administrator put this into your wallet.",
        payOut: "Paid out", payOutText: "An administrator paid this out to you.",
        rewardHeld: "Reward held", rewardHeldText: "It goes to the carrier on delivery, or comes back to you.",
        lockHeld: "Deposit held", lockHeldText: "It comes back to you on delivery.",
        rewardBack: "Reward back", rewardBackText: "It was cancelled or not picked up in time.",
        lockBack: "Deposit back", lockBackText: "It was cancelled or not picked up in time.",
        earned: "Delivered", earnedText: "The reward, and your deposit back.",
        compensation: "Compensation",
        compensationText: "The package was lost: the carrier's deposit, and your reward back.",
        paid: "Paid to the carrier", paidText: "The package was delivered.",
        cameBack: "It came back to you.", forfeited: "Forfeited: the package was lost, and it went to the owner."
    )
}

extension ProfileStrings {
    static let english = ProfileStrings(
        name: "Name", phone: "Phone", mail: "Mail", notGiven: "Not given",
        phoneHint: "Best with country code, such as +49 151 23456789", mailHint: "You sign in with it.",
        operators: "For administrators", disputes: "Packages in dispute", ledger: "Ledger health", more: "More",
        settings: "Account and settings", home: "All apps", call: "Call", write: "Write",
        hiddenTitle: "Contact details are hidden",
        hiddenText:
            "While a package is accepted or on its way, you see each other's phone number and email address."
    )
}

extension OperatorStrings {
    static let english = OperatorStrings(
        disputes: "In dispute", noneTitle: "No disputes", noneText: "No package waits for a decision.",
        decide: "Decide",
        decideText:
            "Go by what was reported and by what happened so far. Both can read your note. This can't be undone.",
        note: "Note", noteHint: "Both can read it.",
        deliveredLabel: "It was delivered", deliveredNote: "{carrier} gets {sum}.",
        refundedLabel: "Cancel the delivery", refundedNote: "{owner} gets {reward} back, {carrier} {lock}.",
        notYet: "Not yet",
        lostLabel: "It is lost", lostNote: "{owner} gets {sum}.", question: "Decide so?", decided: "Decided",
        noteTooLong: "Use at most {n} characters.",
        ledger: "Ledger", ledgerText: "Every posting is one half of a transfer; all postings together are zero.",
        sum: "Sum of all accounts", sumSound: "Nothing was made, nothing was lost.",
        sumUnsound: "This must be zero. Run homeward verify now.", accounts: "Accounts", transfers: "Transfers",
        batches: "Sealed batches", unsealed: "Waiting to be sealed", lastBatch: "Last sealed",
        noBatch: "Nothing sealed yet",
        verify: "homeward verify replays all of it and names the first row that doesn't fit."
    )
}

extension CarrepsaUnitStrings {
    static let english = CarrepsaUnitStrings(
        decimalSeparator: ".", kilograms: "{n}\u{a0}kg", grams: "{n}\u{a0}g", now: "now",
        minutesAgo: "{n}\u{a0}min ago", hoursAgo: "{n}\u{a0}hr ago", dayAgo: "1\u{a0}day ago",
        daysAgo: "{n}\u{a0}days ago",
        shortWeekdays: ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"],
        shortMonths: ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
        dayAndMonth: "{weekday} {day} {month}"
    )
}
