import Carrepsa
import Kernel
import WebCore

/// The view model of the wallet: balance, amounts in escrow by package, and all entries.
struct WalletPage: Sendable {
    let shell: Shell
    let t: CarrepsaStrings
    let reloadURL: String
    let isFirst: Bool
    let balanceText: String
    let heldText: String
    let holdings: [EscrowRow]
    let hasHoldings: Bool
    let movements: [WalletEntryRow]
    let isEmpty: Bool
    let olderURL: String?

    init(
        _ context: SignedInContext, _ statement: WalletStatement, after: String?, t: CarrepsaStrings,
        formatter: CarrepsaFormatter
    ) {
        shell = Shell(
            context, title: t.wallet.title, menu: .carrepsa(t), tab: CarrepsaTab.profile.rawValue, isRefreshable: true,
            back: ShellBack(url: CarrepsaPath.profile, label: t.common.profile)
        )
        self.t = t
        reloadURL = CarrepsaPath.entries + (after.map { "?after=\(PathSegment.encoded($0))" } ?? "")
        isFirst = after == nil
        balanceText = formatter.money(statement.wallet.balance)
        heldText = formatter.money(statement.wallet.held)
        holdings = EscrowRow.all(owned: statement.owned, carried: statement.carried, t, formatter)
        hasHoldings = !holdings.isEmpty
        movements = statement.entries.items.map { WalletEntryRow($0, t, formatter) }
        isEmpty = statement.entries.items.isEmpty
        olderURL = statement.entries.next.map { "\(CarrepsaPath.entries)?after=\(PathSegment.encoded($0))" }
    }
}

/// An amount in escrow for a package.
struct EscrowRow: Sendable {
    let heldFor: String
    let heldKind: String
    let heldAmount: String
    let heldURL: String

    /// Returns the reader's amounts in escrow by package.
    static func all(
        owned: [Package], carried: [Package], _ t: CarrepsaStrings, _ formatter: CarrepsaFormatter
    ) -> [EscrowRow] {
        let rewards = owned.filter(\.isRewardHeld).map {
            EscrowRow(
                heldFor: $0.title, heldKind: t.wallet.rewardOf, heldAmount: formatter.money($0.reward),
                heldURL: CarrepsaPath.package($0.id)
            )
        }
        let locks = carried.filter(\.state.isUnderWay).map {
            EscrowRow(
                heldFor: $0.title, heldKind: t.wallet.lockOf, heldAmount: formatter.money($0.moneyLock),
                heldURL: CarrepsaPath.package($0.id)
            )
        }
        return rewards + locks
    }
}

/// A wallet entry with its explanation.
struct WalletEntryRow: Sendable {
    let entryID: String
    let kindText: String
    let explanation: String
    let amountText: String
    let isIncoming: Bool
    let afterText: String
    let entryMoment: CarrepsaMoment
    /// The package's title; empty for entries without a package.
    let subject: String
    let hasSubject: Bool
    let subjectURL: String?

    init(_ entry: WalletEntry, _ t: CarrepsaStrings, _ formatter: CarrepsaFormatter) {
        entryID = entry.id
        let words = entry.outcome == .paid ? (t.wallet.paid, t.wallet.paidText) : Self.words(entry.kind, t.wallet)
        kindText = words.0
        explanation = Self.outcomeText(of: entry, t.wallet) ?? words.1
        amountText = formatter.movement(entry.amount)
        isIncoming = entry.amount > 0
        afterText = formatter.money(entry.balanceAfter)
        entryMoment = CarrepsaMoment(entry.at, formatter)
        subject = entry.packageTitle ?? ""
        hasSubject = !subject.isEmpty
        subjectURL = entry.isPackageShown ? entry.packageID.map(CarrepsaPath.package) : nil
    }

    /// Returns the text of the later outcome of an amount in escrow; `nil` if there is none.
    private static func outcomeText(of entry: WalletEntry, _ t: WalletStrings) -> String? {
        switch entry.outcome {
        case nil, .paid?: nil
        case .returned?: t.cameBack
        case .forfeited?: t.forfeited
        }
    }

    private static func words(_ kind: WalletEntryKind, _ t: WalletStrings) -> (String, String) {
        switch kind {
        case .welcome: (t.welcome, t.welcomeText)
        case .topUp: (t.topUp, t.topUpText)
        case .payOut: (t.payOut, t.payOutText)
        case .rewardHeld: (t.rewardHeld, t.rewardHeldText)
        case .rewardReturned: (t.rewardBack, t.rewardBackText)
        case .moneyLockHeld: (t.lockHeld, t.lockHeldText)
        case .moneyLockReturned: (t.lockBack, t.lockBackText)
        case .earned: (t.earned, t.earnedText)
        case .compensated: (t.compensation, t.compensationText)
        }
    }
}
