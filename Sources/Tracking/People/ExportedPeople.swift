import Kernel
import Recurrence
import Storage

/// A person's sharing of positions in their export, without positions of others.
struct ExportedPeople: Encodable {
    struct Share: Encodable {
        let personId: PersonID
        let name: String
        let itemId: ID<Item>?
        let startedAt: Instant
        let expiresAt: Instant?
    }

    struct View: Encodable {
        let name: String
        let count: Int
        let lastAt: Instant
    }

    /// A request by or to the person.
    struct Request: Encodable {
        let personId: PersonID
        let askerId: PersonID
        /// The name of the other person.
        let name: String
        let askedAt: Instant
        let isOpen: Bool
    }

    struct Rule: Encodable {
        let id: ID<PersonRule>
        let personId: PersonID
        let placeId: ID<SafePlace>
        let kind: String
        let dwellMinutes: Int
        let days: [String]
        let from: String?
        let until: String?
        let by: String?
        let timeZone: String

        init(_ rule: PersonRule) {
            let settings = rule.settings
            id = rule.id
            personId = rule.person
            placeId = rule.place
            kind = settings.kind.rawValue
            dwellMinutes = settings.dwellMinutes
            days = settings.days.map(\.code)
            from = settings.from?.text
            until = settings.until?.text
            by = settings.by?.text
            timeZone = settings.timeZone.identifier
        }
    }

    let sharedWith: [Share]
    let views: [View]
    let requests: [Request]
    let rules: [Rule]

    init(of person: PersonID, now: Instant, in tx: Transaction) throws {
        sharedWith = try PositionShareStore.shares(of: person, now: now, in: tx).map { share in
            Share(
                personId: share.viewer, name: try ItemMemberStore.name(of: share.viewer, in: tx), itemId: share.item,
                startedAt: share.startedAt, expiresAt: share.expiresAt)
        }
        views = try PositionViewStore.list(of: person, limit: Limits.viewsPerExport, in: tx)
            .map { View(name: $0.name, count: $0.count, lastAt: $0.lastAt) }
        requests = try PositionRequestStore.all(of: person, in: tx).map { request in
            Request(
                personId: request.person, askerId: request.asker,
                name: try ItemMemberStore.name(
                    of: request.person == person ? request.asker : request.person, in: tx),
                askedAt: request.askedAt, isOpen: request.isOpen)
        }
        rules = try PersonRuleStore.all(of: person, in: tx).map(Rule.init)
    }
}
