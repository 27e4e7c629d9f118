import Kernel
import Recurrence
import Tracking
import WebCore

/// The sharing of the reader's own position as JSON.
struct MyPositionJSON: Encodable {
    struct Share: Encodable {
        let personId: PersonID
        let name: String
        let startedAt: Instant
        @Nullable var expiresAt: Instant?
        @Nullable var itemId: ID<Item>?
    }

    struct Person: Encodable {
        let id: PersonID
        let name: String
    }

    /// The views of one viewer and day.
    struct View: Encodable {
        let name: String
        let count: Int
        let lastAt: Instant
    }

    struct Request: Encodable {
        let personId: PersonID
        let name: String
        let askedAt: Instant
    }

    struct Rule: Encodable {
        let id: ID<PersonRule>
        let personId: PersonID
        let name: String
        let kind: String
        let placeName: String
    }

    let isSharing: Bool
    let shares: [Share]
    let candidates: [Person]
    let views: [View]
    let requests: [Request]
    let rules: [Rule]

    init(_ overview: PositionSharingOverview) {
        isSharing = !overview.entries.isEmpty
        shares = overview.entries.map {
            Share(
                personId: $0.share.viewer, name: $0.viewerName, startedAt: $0.share.startedAt,
                expiresAt: $0.share.expiresAt, itemId: $0.share.item)
        }
        candidates = overview.candidates.map { Person(id: $0.id, name: $0.name) }
        views = overview.views.map { View(name: $0.name, count: $0.count, lastAt: $0.lastAt) }
        requests = overview.requests.map { Request(personId: $0.asker, name: $0.name, askedAt: $0.askedAt) }
        rules = overview.rules.map {
            Rule(
                id: $0.rule.id, personId: $0.rule.owner, name: $0.ownerName, kind: $0.rule.settings.kind.rawValue,
                placeName: $0.rule.placeName)
        }
    }
}

/// A person who shares their position with the reader, as JSON.
struct SharedPersonJSON: Encodable {
    struct Position: Encodable {
        let at: Instant
        let latitude: Double
        let longitude: Double
        @Nullable var accuracy: Double?
    }

    let id: PersonID
    let name: String
    @Nullable var expiresAt: Instant?
    @Nullable var position: Position?

    init(_ person: SharedPerson) {
        id = person.share.person
        name = person.name
        _expiresAt = Nullable(wrappedValue: person.share.expiresAt)
        _position = Nullable(
            wrappedValue: person.position.map {
                Position(
                    at: $0.at, latitude: $0.coordinate.latitude, longitude: $0.coordinate.longitude,
                    accuracy: $0.accuracyMetres)
            })
    }
}

/// The rules of the reader about a person, with the person, as JSON.
struct PersonWithRulesJSON: Encodable {
    let person: SharedPersonJSON
    let rules: [PersonRuleJSON]
}

/// A rule about a person as JSON; see ``GeofenceJSON``.
struct PersonRuleJSON: Encodable {
    let id: ID<PersonRule>
    let personId: PersonID
    let placeId: ID<SafePlace>
    let kind: String
    let dwellMinutes: Int
    let days: [String]
    @Nullable var from: String?
    @Nullable var until: String?
    @Nullable var by: String?
    let timeZone: String
    let version: Int64

    init(_ rule: PersonRule) {
        let settings = rule.settings
        id = rule.id
        personId = rule.person
        placeId = rule.place
        kind = settings.kind.rawValue
        dwellMinutes = settings.dwellMinutes
        days = settings.days.map(\.code)
        _from = Nullable(wrappedValue: settings.from?.text)
        _until = Nullable(wrappedValue: settings.until?.text)
        _by = Nullable(wrappedValue: settings.by?.text)
        timeZone = settings.timeZone.identifier
        version = rule.version
    }
}
