import Kernel
import Tracking
import WebCore

/// The people of an item as JSON.
struct ItemPeopleJSON: Encodable {
    struct Person: Encodable {
        let id: PersonID
        let name: String
        let access: String
        let since: Instant
    }

    struct Candidate: Encodable {
        let id: PersonID
        let name: String
    }

    let access: String
    let people: [Person]
    let invitations: [ItemInvitationJSON]
    let candidates: [Candidate]
    let membership: ItemMembershipJSON

    init(_ people: ItemPeople) {
        access = people.access.rawValue
        self.people = people.people.map {
            Person(id: $0.id, name: $0.name, access: $0.access.rawValue, since: $0.since)
        }
        invitations = people.invitations.map(ItemInvitationJSON.init)
        candidates = people.candidates.map { Candidate(id: $0.id, name: $0.name) }
        membership = ItemMembershipJSON(people.membership)
    }
}

/// What a person may do with an item, as JSON.
struct GrantedAccessJSON: Encodable {
    let personId: PersonID
    let access: String

    init(_ person: PersonID, _ access: ItemAccess) {
        personId = person
        self.access = access.rawValue
    }
}

/// A person's own settings of an item as JSON.
struct ItemMembershipJSON: Encodable {
    let access: String
    @Nullable var name: String?
    @Nullable var alertMetres: Int?
    let isMuted: Bool
    let version: Int64

    init(_ membership: ItemMembership) {
        access = membership.access.rawValue
        _name = Nullable(wrappedValue: membership.name)
        _alertMetres = Nullable(wrappedValue: membership.alertMetres)
        isMuted = membership.isMuted
        version = membership.version
    }
}

/// An open invitation to an item as JSON.
struct ItemInvitationJSON: Encodable {
    let id: ID<ItemInvitation>
    let access: String
    let expiresAt: Instant

    init(_ invitation: ItemInvitation) {
        id = invitation.id
        access = invitation.access.rawValue
        expiresAt = invitation.expiresAt
    }
}

/// A new invitation to an item as JSON, with its link, which is shown once.
struct NewItemInvitationJSON: Encodable {
    let id: ID<ItemInvitation>
    let access: String
    let expiresAt: Instant
    let url: String

    init(_ created: NewItemInvitation) {
        id = created.invitation.id
        access = created.invitation.access.rawValue
        expiresAt = created.invitation.expiresAt
        url = created.url
    }
}

/// What the invited person sees of an item, as JSON.
struct ItemInvitationPreviewJSON: Encodable {
    let item: String
    let from: String
    let access: String

    init(_ preview: ItemInvitationPreview) {
        item = preview.itemName
        from = preview.inviterName
        access = preview.access.rawValue
    }
}

/// The item that an invited person joined, as JSON.
struct JoinedItemJSON: Encodable {
    let id: ID<Item>
}
