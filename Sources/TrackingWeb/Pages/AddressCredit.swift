import Kernel
import Tracking

/// The attribution of addresses that the licence of OpenStreetMap's data requires (opendatacommons.org/licenses/odbl).
enum AddressCredit {
    static func text(_ t: Translator) -> String { t("Addresses © OpenStreetMap contributors") }

    /// Returns `nil` if no item's place is an address.
    static func text(_ items: [ItemOverview], _ t: Translator) -> String? {
        let hasAddress = items.contains { item in
            guard case .address = item.place else { return false }
            return true
        }
        return hasAddress ? text(t) : nil
    }
}
