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

    struct Look: Encodable {
        let name: String
        let at: Instant
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
    let looks: [Look]
    let rules: [Rule]

    init(of person: PersonID, now: Instant, in tx: Transaction) throws {
        sharedWith = try PositionShareStore.shares(of: person, now: now, in: tx).map { share in
            Share(
                personId: share.viewer, name: try ItemMemberStore.name(of: share.viewer, in: tx), itemId: share.item,
                startedAt: share.startedAt, expiresAt: share.expiresAt)
        }
        looks = try PositionLookStore.list(of: person, limit: Limits.looksPerPerson, in: tx)
            .map { Look(name: $0.name, at: $0.at) }
        rules = try PersonRuleStore.all(of: person, in: tx).map(Rule.init)
    }
}
