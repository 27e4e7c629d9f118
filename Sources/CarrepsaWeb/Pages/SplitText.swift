import Carrepsa
import Kernel
import WebCore

/// What owner and carrier get by a division of the money. The reader is "You".
struct SplitText: Sendable {
    let ownerText: String
    let carrierText: String

    /// Both sentences, the carrier's first.
    var both: String { "\(carrierText) \(ownerText)" }

    init(_ split: MoneySplit, of details: PackageDetails, _ t: Translator, _ formatter: CarrepsaFormatter) {
        self.init(split, of: details.package, seenBy: details.role, t, formatter)
    }

    /// The division by which the delivery ended; `nil` if it ended otherwise.
    init?(settling details: PackageDetails, _ t: Translator, _ formatter: CarrepsaFormatter) {
        let split: MoneySplit? =
            switch details.lastAction {
            case .acceptSplit?: details.dispute?.offer?.split
            case .enforceSplit?: details.dispute?.decision?.split
            default: nil
            }
        guard let split else { return nil }
        self.init(split, of: details, t, formatter)
    }

    init(
        _ split: MoneySplit, of package: Package, seenBy role: PackageRole, _ t: Translator,
        _ formatter: CarrepsaFormatter
    ) {
        func text(of party: Party?, isReader: Bool, reward: Int64, deposit: Int64) -> String {
            let values: KeyValuePairs = [
                "name": party?.name ?? t("Former member"), "sum": formatter.money(reward + deposit),
                "reward": formatter.money(reward), "deposit": formatter.money(deposit),
            ]
            if reward + deposit == 0 { return isReader ? t("You get {sum}.", values) : t("{name} gets {sum}.", values) }
            return isReader
                ? t("You get {sum}: {reward} of the reward and {deposit} of the deposit.", values)
                : t("{name} gets {sum}: {reward} of the reward and {deposit} of the deposit.", values)
        }
        ownerText = text(
            of: package.owner, isReader: role == .owner, reward: package.reward - split.rewardToCarrier,
            deposit: split.depositToOwner)
        carrierText = text(
            of: package.carrier, isReader: role == .carrier, reward: split.rewardToCarrier,
            deposit: package.moneyLock - split.depositToOwner)
    }
}

/// The amounts and the sentence from which the script builds the question about an entered division.
struct SplitSums: Sendable {
    /// Minor units.
    let rewardMinor: String
    let lockMinor: String
    let splitCurrency: String
    /// The decimals of the currency.
    let splitDigits: String
    /// With the placeholders `{carrierSum}` and `{ownerSum}`.
    let splitSentence: String

    init(_ package: Package, _ words: PackageTextFormatter, _ t: Translator, _ formatter: CarrepsaFormatter) {
        rewardMinor = String(package.reward)
        lockMinor = String(package.moneyLock)
        splitCurrency = formatter.currency.code
        splitDigits = String(formatter.currency.exponent)
        splitSentence = words.fill(t("{carrier} gets {carrierSum}. {owner} gets {ownerSum}."))
    }
}
