package import Kernel
package import Storage

/// A person who can see an item, as the others who can see it do.
package struct ItemPerson: Sendable, Equatable {
    package let id: PersonID
    /// The name of the account.
    package let name: String
    package let access: ItemAccess
    /// The time since which the item is shared with the person; for the owner, the item's creation.
    package let since: Instant
}

/// A person of the actor's household with whom the item isn't shared.
package struct HouseholdPerson: Sendable, Equatable {
    package let id: PersonID
    package let name: String

    package init(id: PersonID, name: String) {
        self.id = id
        self.name = name
    }
}

/// Reads who lives in the same household.
package protocol HouseholdPeopleReader: Sendable {
    /// Returns the other adults of the household of a person, who may be a child; an empty array without a household.
    func adults(with person: PersonID, in tx: Transaction) throws -> [HouseholdPerson]
    /// Returns the children of an adult's household; an empty array for a child.
    func children(of person: PersonID, in tx: Transaction) throws -> [HouseholdPerson]

    /// Returns the time zone of the person's household by its name in the IANA database; `nil` for none.
    func timeZone(of person: PersonID, in tx: Transaction) throws -> String?
    /// Locks the person's household until the end of the transaction, so that no member leaves it before. Lock it
    /// before items and accounts.
    func lock(householdOf person: PersonID, in tx: Transaction) throws
}

extension HouseholdPeopleReader {
    /// Locks nothing.
    package func lock(householdOf person: PersonID, in tx: Transaction) throws {}

    /// Returns an empty array.
    package func children(of person: PersonID, in tx: Transaction) throws -> [HouseholdPerson] { [] }
}

/// The people of an item, and what the actor may do with them.
package struct ItemPeople: Sendable, Equatable {
    /// The item as the actor sees it.
    package let item: Item
    package let access: ItemAccess
    /// The owner first, then the others in the order in which they joined.
    package let people: [ItemPerson]
    /// The open invitations; empty for people who can't share the item.
    package let invitations: [ItemInvitation]
    /// The people of the household with whom the actor can share the item.
    package let candidates: [HouseholdPerson]
    /// The actor's own settings of the item.
    package let membership: ItemMembership
}

/// A person's own settings of an item.
package struct ItemMembership: Sendable, Equatable {
    package let access: ItemAccess
    /// The person's own name for the item; `nil` for the owner's.
    package let name: String?
    /// The distance in metres beyond which the person gets an alert; `nil` for the item's own.
    package let alertMetres: Int?
    /// Whether the person gets no notifications about the item.
    package let isMuted: Bool
    /// Increases by one with each change.
    package let version: Int64
}

/// A change of a person's own settings of an item, before validation.
package struct ItemMembershipPatch: Sendable {
    /// Clearing it restores the owner's name.
    package let name: FieldChange<String>
    /// Clearing it restores the item's distance.
    package let alertMetres: FieldChange<Int>
    package let isMuted: FieldChange<Bool>

    package init(
        name: FieldChange<String> = .unchanged, alertMetres: FieldChange<Int> = .unchanged,
        isMuted: FieldChange<Bool> = .unchanged
    ) {
        self.name = name
        self.alertMetres = alertMetres
        self.isMuted = isMuted
    }
}

/// An open invitation to an item.
package struct ItemInvitation: Sendable, Equatable {
    package let id: ID<ItemInvitation>
    package let access: ItemAccess
    /// The person who created it.
    package let createdBy: PersonID
    package let expiresAt: Instant
}

/// A new invitation with its secret link, which is shown once.
package struct NewItemInvitation: Sendable, Equatable {
    package let invitation: ItemInvitation
    /// The link for the invited person.
    package let url: String
}

/// What the invited person sees of an item before accepting.
package struct ItemInvitationPreview: Sendable, Equatable {
    package let itemName: String
    /// The name of the person who invites.
    package let inviterName: String
    package let access: ItemAccess
}

/// A server without households.
package struct NoHouseholds: HouseholdPeopleReader {
    package init() {}

    /// Returns an empty array.
    package func adults(with person: PersonID, in tx: Transaction) throws -> [HouseholdPerson] { [] }

    /// Returns `nil`.
    package func timeZone(of person: PersonID, in tx: Transaction) throws -> String? { nil }
}
