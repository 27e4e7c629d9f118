import Kernel
import WebCore

/// The tabs of Carrepsa.
enum CarrepsaTab: String {
    case search
    case mine
    case new
    case deliveries
    case profile
}

extension AppMenu {
    /// Returns Carrepsa's tab bar, with the button for a new package in the middle.
    static func carrepsa(_ t: Translator) -> AppMenu {
        func tab(_ id: CarrepsaTab, _ label: String, _ icon: String, _ url: String) -> Tab {
            Tab(id: id.rawValue, label: label, icon: icon, url: url, isPrimary: id == .new)
        }
        return AppMenu(
            id: "carrepsa", name: "Carrepsa",
            tabs: [
                tab(.search, t("Search"), "search", CarrepsaPath.packages),
                tab(.mine, t("My packages"), "package", CarrepsaPath.mine),
                tab(.new, t("New"), "plus", CarrepsaPath.newPackage),
                tab(.deliveries, t("My deliveries", context: "tab"), "backpack", CarrepsaPath.deliveries),
                tab(.profile, t("Profile"), "circle-user", CarrepsaPath.profile),
            ]
        )
    }

    /// The menu for signed-out visitors, without tabs.
    static let carrepsaSignedOut = AppMenu(id: "carrepsa", name: "Carrepsa", tabs: [])
}
