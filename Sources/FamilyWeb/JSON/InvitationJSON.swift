import Family
import Kernel
import WebCore

/// A new invitation in the JSON API. It is returned once.
struct InvitationJSON: Encodable {
    let id: ID<Invitation>
    let code: String
    let url: String
    let expiresAt: Instant

    init(_ invitation: Invitation) {
        id = invitation.id
        code = invitation.code
        url = invitation.url
        expiresAt = invitation.expiresAt
    }
}

/// An open invitation in the JSON API, without its code: only the code's hash is stored.
struct OpenInvitationJSON: Encodable {
    let id: ID<Invitation>
    let by: NamedJSON
    let expiresAt: Instant

    init(_ invitation: OpenInvitation) {
        id = invitation.id
        by = NamedJSON(id: invitation.by, name: invitation.byName)
        expiresAt = invitation.expiresAt
    }
}

/// The parent who invites, in the JSON API.
struct InviterJSON: Encodable {
    struct Parent: Encodable {
        let name: String
    }

    let by: Parent

    init(_ inviter: Inviter) { by = Parent(name: inviter.name) }
}
