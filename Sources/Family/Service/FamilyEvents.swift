import Accounts
import Kernel
import Storage

/// The change events of this module, and the resources that they and the notifications name.
enum FamilyEvents {
    /// The members of a household who get an event.
    enum Audience: Sendable {
        case everybody
        case parents
        case parentsAnd(PersonID)

        var includesTablets: Bool {
            if case .parents = self { false } else { true }
        }

        func includes(_ member: StoredMember) -> Bool {
            switch self {
            case .everybody: true
            case .parents: member.role == .parent
            case .parentsAnd(let child): member.role == .parent || member.person == child
            }
        }
    }

    /// Publishes an event to members of a household, in the transaction of the change.
    static func publish(
        _ kind: String, _ resource: String, version: Int64 = 0, of household: ID<Household>,
        to audience: Audience = .everybody, now: Instant, in tx: Transaction
    ) throws {
        let members = try HouseholdStore.members(of: household, in: tx).filter(audience.includes)
        // Tablets show the day of all children.
        let tablets =
            try audience.includesTablets
            ? TabletStore.tablets(of: household, in: tx).map(\.device.person) : []
        try tx.publish(
            (members.map(\.person) + tablets).map { person in
                ChangeEvent(audience: person, kind: kind, resource: resource, version: version, at: now)
            }
        )
    }

    /// Publishes to the parents and to a child that what it bought, or saves for, changed.
    static func publishPurchases(
        of child: PersonID, in household: ID<Household>, now: Instant, in tx: Transaction
    ) throws {
        try publish("purchase", Self.child(child), of: household, to: .parentsAnd(child), now: now, in: tx)
    }

    static func child(_ id: PersonID) -> String { "/family/children/\(id)" }
    static func devices(of child: PersonID) -> String { "\(Self.child(child))/devices" }
    static func chore(_ id: ID<Chore>) -> String { "/family/chores/\(id)" }
    static func request(_ request: ChoreRequest) -> String { "\(child(request.childID))/requests/\(request.id)" }
    static func purchase(_ purchase: Purchase) -> String { "\(child(purchase.childID))/purchases/\(purchase.id)" }
    static func wish(_ wish: Wish) -> String { "\(child(wish.childID))/wishes/\(wish.id)" }
    static let shop = "/family/shop"
    static func reward(_ id: ID<ShopReward>) -> String { "\(shop)/\(id)" }
    static func parent(_ id: PersonID) -> String { "\(parents)/\(id)" }
    static let parents = "/family/parents"
    static func deletedChild(_ id: PersonID) -> String { "\(deletedChildren)/\(id)" }
    static let deletedChildren = "/family/deleted-children"
    static let today = "/family/today"
    static let swaps = "/family/swaps"
    /// The page of swaps, as the resource of one of them.
    static func swap(_ id: ID<TurnSwap>) -> String { "\(swaps)?swap=\(id)" }
    static let pauses = "/family/pauses"
    static let tablets = "/family/tablets"
    static let account = "/family/account"
}
