import Carrepsa
import Kernel
import WebCore

/// The view model of the wallet: balance, amounts in escrow by package, and all entries.
struct WalletPage: Sendable {
    let shell: Shell
    let reloadURL: String
    let isFirst: Bool
    let balanceText: String
    /// What can be paid out, in words; `nil` if it is the whole balance.
    let payableText: String?
    let heldText: String
    let holdings: [EscrowRow]
    let hasHoldings: Bool
    let movements: [WalletEntryRow]
    let isEmpty: Bool
    let olderURL: String?

    init(
        _ context: SignedInContext, _ statement: WalletStatement, after: String?, t: Translator,
        formatter: CarrepsaFormatter
    ) {
        shell = Shell(
            context, title: t("Wallet"), menu: .carrepsa(t), tab: CarrepsaTab.profile.rawValue, isRefreshable: true,
            back: ShellBack(url: CarrepsaPath.profile, label: t("Profile"))
        )
        reloadURL = CarrepsaPath.entries + (after.map { "?after=\(PercentEncoding.encoded($0))" } ?? "")
        isFirst = after == nil
        balanceText = formatter.money(statement.wallet.balance)
        payableText = statement.wallet.payableText(t, formatter)
        heldText = formatter.money(statement.wallet.held)
        holdings = EscrowRow.all(owned: statement.owned, carried: statement.carried, t, formatter)
        hasHoldings = !holdings.isEmpty
        movements = statement.entries.items.map { WalletEntryRow($0, t, formatter) }
        isEmpty = statement.entries.items.isEmpty
        olderURL = statement.entries.next.map { "\(CarrepsaPath.entries)?after=\(PercentEncoding.encoded($0))" }
    }
}

extension Wallet {
    /// Returns what can be paid out, in words; `nil` if it is the whole balance.
    func payableText(_ t: Translator, _ formatter: CarrepsaFormatter) -> String? {
        guard payable < balance else { return nil }
        return t(
            """
            {welcome} of it is welcome money, which pays for deliveries but can’t be paid out. {amount} can be paid \
            out.
            """,
            ["welcome": formatter.money(balance - payable), "amount": formatter.money(payable)])
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
        owned: [Package], carried: [Package], _ t: Translator, _ formatter: CarrepsaFormatter
    ) -> [EscrowRow] {
        let rewards = owned.filter(\.isRewardHeld).map {
            EscrowRow(
                heldFor: $0.title, heldKind: t("Reward"), heldAmount: formatter.money($0.reward),
                heldURL: CarrepsaPath.packageFromWallet($0.id)
            )
        }
        let locks = carried.filter(\.state.isUnderWay).map {
            EscrowRow(
                heldFor: $0.title, heldKind: t("Deposit"), heldAmount: formatter.money($0.moneyLock),
                heldURL: CarrepsaPath.packageFromWallet($0.id)
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
    let entryMoment: FormattedTime
    /// The package's title; empty for entries without a package.
    let subject: String
    let hasSubject: Bool
    /// The other person of the delivery; `nil` for none, and where the title names them.
    let otherName: String?
    let subjectURL: String?
    /// An administrator's note; `nil` for none.
    let noteText: String?

    init(_ entry: WalletEntry, _ t: Translator, _ formatter: CarrepsaFormatter) {
        entryID = entry.id
        let words = Self.words(entry.kind, t)
        kindText = Self.paidText(of: entry, t) ?? words.0
        explanation = Self.outcomeText(of: entry, t) ?? words.1
        otherName = entry.outcome == .paid ? nil : entry.otherName
        amountText = formatter.movement(entry.amount)
        isIncoming = entry.amount > 0
        afterText = formatter.money(entry.balanceAfter)
        entryMoment = FormattedTime(entry.at, formatter.times)
        subject = entry.packageTitle ?? ""
        hasSubject = !subject.isEmpty
        subjectURL = entry.isPackageShown ? entry.packageID.map(CarrepsaPath.packageFromWallet) : nil
        noteText = entry.note
    }

    /// Returns the text of the later outcome of an amount in escrow; `nil` if there is none.
    private static func outcomeText(of entry: WalletEntry, _ t: Translator) -> String? {
        switch entry.outcome {
        case nil: nil
        case .paid?: t("It was held since the request, and paid when the package was delivered.")
        case .returned?: t("It came back to you.")
        case .divided?:
            entry.otherName.map { t("It was divided between you and {name}.", ["name": $0]) }
                ?? t("It was divided between owner and carrier.")
        case .forfeited?:
            entry.otherName.map { t("Forfeited: the package was lost, and it went to {name}.", ["name": $0]) }
                ?? t("Forfeited: the package was lost, and it went to the owner.")
        }
    }

    /// Returns the title of a reward that was paid; `nil` for other entries.
    private static func paidText(of entry: WalletEntry, _ t: Translator) -> String? {
        guard entry.outcome == .paid else { return nil }
        return entry.otherName.map { t("Paid to {name}", ["name": $0]) } ?? t("Paid to the carrier")
    }

    private static func words(_ kind: WalletEntryKind, _ t: Translator) -> (String, String) {
        switch kind {
        case .welcome:
            (t("Welcome"), t("Your first balance. It pays for deliveries but can’t be paid out."))
        case .topUp: (t("Topped up"), t("An administrator put this into your wallet."))
        case .payOut: (t("Paid out"), t("An administrator paid this out to you."))
        case .rewardHeld: (t("Reward held"), t("It goes to the carrier on delivery, or comes back to you."))
        case .rewardReturned: (t("Reward back"), t("It was cancelled or not picked up in time."))
        case .rewardLowered: (t("Reward lowered"), t("You changed the offer, and the difference came back."))
        case .moneyLockHeld: (t("Deposit held"), t("It comes back to you on delivery."))
        case .moneyLockReturned: (t("Deposit back"), t("It was cancelled or not picked up in time."))
        case .earned: (t("Delivered"), t("The reward, and your deposit back."))
        case .settled: (t("Dispute settled"), t("Your part of the reward and the deposit."))
        case .compensated: (t("Compensation"), t("The package was lost: the carrier’s deposit, and your reward back."))
        }
    }
}
