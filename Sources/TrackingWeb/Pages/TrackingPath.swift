import Kernel
import Pictures
import Tracking

/// The paths of Tracking's pages.
enum TrackingPath {
    static let items = "/tracking/items"
    static let map = "/tracking/map"
    static let newItem = "/tracking/items/new"
    static let sources = "/tracking/sources"
    static let newSource = "/tracking/sources/new"
    static let quarantine = "/tracking/quarantine"
    static let alerts = "/tracking/alerts"
    static let safePlaces = "/tracking/safe-places"
    static let newSafePlace = "/tracking/safe-places/new"
    static let itemSettings = "/tracking/settings"
    static let settings = "/account"
    static let position = "/tracking/position"
    /// The sharing of one's own position. Children use it, too, and no other path of Tracking.
    static let myPosition = "/my-position"
    static let childAccount = "/family/account"
    static let persons = "/tracking/people"
    static func person(_ id: PersonID) -> String { "\(persons)/\(id)" }
    static func rules(about person: PersonID) -> String { "\(self.person(person))/rules" }
    static func rule(_ id: ID<PersonRule>, about person: PersonID) -> String { "\(rules(about: person))/\(id)" }
    static let invitations = "/tracking/invitations"

    static func item(_ id: ID<Item>) -> String { "\(items)/\(id)" }
    static func people(of item: ID<Item>) -> String { "\(self.item(item))/people" }
    static func lost(_ id: ID<Item>) -> String { item(id) + "/lost" }
    static func label(_ id: ID<Item>) -> String { item(id) + "/label" }
    static func finderReports(_ id: ID<Item>) -> String { item(id) + "/finder-reports" }
    static func finderReport(_ report: ID<FinderReport>, of id: ID<Item>) -> String {
        finderReports(id) + "/\(report)"
    }
    static let liveLinks = "/tracking/live-links"
    static let newLiveLink = "/tracking/live-links/new"
    static func liveLink(_ id: ID<LiveLink>) -> String { "\(liveLinks)/\(id)" }
    static func newLiveLink(of item: ID<Item>) -> String { "\(newLiveLink)?item=\(item)" }
    static func live(_ secret: String) -> String { "/live/\(secret)" }
    static func foundItem(_ secret: String) -> String { "/found/items/\(secret)" }
    static func ownReport(_ secret: String) -> String { "/found/reports/\(secret)" }
    static func days(_ id: ID<Item>) -> String { "\(item(id))/days" }
    static func period(_ firstDay: LocalDate, _ unit: ItemPeriod.Unit = .month, of id: ID<Item>) -> String {
        switch unit {
        case .month: "\(days(id))?month=\(firstDay.text.prefix(7))"
        case .year: "\(days(id))?year=\(firstDay.text.prefix(4))"
        }
    }
    static func day(_ date: LocalDate, of id: ID<Item>) -> String { "\(days(id))/\(date.text)" }
    static func stays(_ id: ID<Item>) -> String { "\(item(id))/stays" }
    static func trip(startingAt start: Instant, of id: ID<Item>) -> String {
        "\(item(id))/trips/\(start.millisecondsSince1970)"
    }
    static func parking(of item: ID<Item>) -> String { "\(Self.item(item))/parking" }
    static func geofences(of item: ID<Item>) -> String { "\(Self.item(item))/geofences" }
    static func geofence(_ id: ID<Geofence>, of item: ID<Item>) -> String { "\(geofences(of: item))/\(id)" }
    static func alert(_ id: ID<ItemAlert>) -> String { "\(alerts)/\(id)" }
    static func safePlace(_ id: ID<SafePlace>) -> String { "\(safePlaces)/\(id)" }
    static func newSafePlace(at item: ID<Item>) -> String { "\(newSafePlace)?item=\(item)" }
    static func newSafePlace(forRuleOf item: ID<Item>) -> String { "\(newSafePlace)?rule=\(item)" }
    static func newSafePlace(forRuleAbout person: PersonID) -> String { "\(newSafePlace)?person=\(person)" }
    static func newRule(about person: PersonID, at place: ID<SafePlace>) -> String {
        "\(rules(about: person))/new?place=\(place)"
    }
    static func newGeofence(of item: ID<Item>, at place: ID<SafePlace>) -> String {
        "\(geofences(of: item))/new?place=\(place)"
    }
    static func source(_ id: ID<Source>) -> String { "\(sources)/\(id)" }
    static func picture(_ id: ID<Picture>, size: PictureSize) -> String { "/pictures/\(id)?size=\(size.rawValue)" }
}
