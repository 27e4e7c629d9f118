import Kernel
import Tracking

/// The attribution of addresses that the licence of OpenStreetMap's data requires (opendatacommons.org/licenses/odbl).
enum AddressCredit {
    static func text(_ t: Translator) -> String { t("Addresses © OpenStreetMap contributors") }

    /// Returns `nil` if no item's place is an address.
    static func text(_ items: [ItemOverview], _ t: Translator) -> String? {
        text(items.compactMap(\.place), t)
    }

    /// Returns `nil` if none of the places is an address.
    static func text(_ places: [PlaceDescription], _ t: Translator) -> String? {
        let hasAddress = places.contains { place in
            guard case .address = place else { return false }
            return true
        }
        return hasAddress ? text(t) : nil
    }
}
