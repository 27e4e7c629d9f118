/// The kind of a ledger transfer: a life-cycle action in kebab case, or a payment.
struct TransferKind: RawRepresentable, Hashable, Sendable {
    let rawValue: String

    init(rawValue: String) { self.rawValue = rawValue }

    init(_ action: PackageAction) {
        rawValue = action.rawValue.reduce(into: "") { text, letter in
            text += letter.isUppercase ? "-\(letter.lowercased())" : "\(letter)"
        }
    }

    static let welcome = TransferKind(rawValue: "welcome")
    /// Moves no money: records the part of a wallet that an earlier version credited as welcome amount.
    static let welcomePart = TransferKind(rawValue: "welcome-part")
    /// Takes welcome money back from the wallet of a deleted account.
    static let welcomeReturn = TransferKind(rawValue: "welcome-return")
    static let topUp = TransferKind(rawValue: "top-up")
    static let payOut = TransferKind(rawValue: "pay-out")
    /// Moves no money: its subject is a digest that the ledger seals.
    static let evidence = TransferKind(rawValue: "evidence")

    private static let actions: [TransferKind: PackageAction] = Dictionary(
        uniqueKeysWithValues: PackageAction.allCases.map { (TransferKind($0), $0) }
    )

    /// Returns the kind of the wallet entry for owner or carrier. A person who isn't the owner was the carrier.
    func entryKind(isOwner: Bool, amount: Int64) -> WalletEntryKind {
        switch Self.actions[self] {
        case nil: self == .payOut || self == .welcomeReturn ? .payOut : self == .welcome ? .welcome : .topUp
        case .create?: .rewardHeld
        case .edit?: amount < 0 ? .rewardHeld : .rewardLowered
        case .accept?: isOwner ? .rewardHeld : .moneyLockHeld
        case .confirmDelivery?, .decideDelivered?, .enforceDelivered?: .earned
        case .decideLost?, .enforceLost?: .compensated
        case .acceptSplit?, .enforceSplit?: .settled
        default: isOwner ? .rewardReturned : .moneyLockReturned
        }
    }
}
