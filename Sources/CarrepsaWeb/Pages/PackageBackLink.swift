import Carrepsa
import Kernel
import WebCore

/// The list to which the package's back link leads.
struct PackageBackLink: Sendable {
    let tab: CarrepsaTab
    let url: String
    let isPane: Bool
    private let isWallet: Bool

    /// - Parameter origin: the value of `from` in the URL; `wallet` for a link in the wallet.
    init(_ details: PackageDetails, from origin: String? = nil) {
        let isDecided = details.role == .operator && details.dispute?.isUndecided == false
        self.init(
            details.role, isPast: details.package.state.isFinished || isDecided, isWallet: origin == "wallet")
    }

    /// - Parameter isPast: whether the list shows finished packages.
    init(_ role: PackageRole, isPast: Bool = false, isWallet: Bool = false) {
        self.isWallet = isWallet
        guard !isWallet else {
            (tab, url, isPane) = (.profile, CarrepsaPath.entries, false)
            return
        }
        isPane = role != .operator
        switch role {
        case .owner:
            tab = .mine
            url = CarrepsaPath.mine + (isPast ? CarrepsaPath.past : "")
        case .carrier:
            tab = .deliveries
            url = CarrepsaPath.deliveries + (isPast ? CarrepsaPath.past : "")
        case .operator:
            tab = .profile
            url = isPast ? CarrepsaPath.decidedDisputes : CarrepsaPath.disputes
        case .stranger, .clock, .recipient:
            tab = .search
            url = CarrepsaPath.packages
        }
    }

    /// The query that keeps the back link when the page is loaded again.
    var query: String { isWallet ? "?from=wallet" : "" }

    func label(_ t: Translator) -> String {
        if isWallet { return t("Wallet") }
        return switch tab {
        case .mine: t("My packages")
        case .deliveries: t("My deliveries")
        case .profile: t("In dispute")
        case .search, .new: t("Search")
        }
    }
}
