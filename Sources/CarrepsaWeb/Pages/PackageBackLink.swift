import Carrepsa
import Kernel
import WebCore

/// The list to which the package's back link leads.
struct PackageBackLink: Sendable {
    let tab: CarrepsaTab
    let url: String
    let isPane: Bool

    init(_ details: PackageDetails) {
        let isDecided = details.role == .operator && details.dispute?.isUndecided == false
        self.init(details.role, isPast: details.package.state.isFinished || isDecided)
    }

    /// - Parameter isPast: whether the list shows finished packages.
    init(_ role: PackageRole, isPast: Bool = false) {
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

    func label(_ t: Translator) -> String {
        switch tab {
        case .mine: t("My packages")
        case .deliveries: t("My deliveries")
        case .profile: t("In dispute")
        case .search, .new: t("Search")
        }
    }
}
