import Accounts
import Kernel
import Pictures
import WebCore

/// An account as clients see it.
struct AccountJSON: Encodable {
    let id: PersonID
    let name: String
    @Nullable var email: String?
    @Nullable var phone: String?
    @Nullable var dateOfBirth: String?
    let theme: String
    @Nullable var avatarPictureId: String?
    @Nullable var mapsApp: String?
    let role: String
    @Nullable var language: String?
    @Nullable var emailVerifiedAt: Instant?
    let version: Int64

    init(_ account: Account) {
        id = account.id
        name = account.name
        email = account.email
        phone = account.phone
        dateOfBirth = account.dateOfBirth
        theme = account.theme
        avatarPictureId = account.avatarPictureID?.description
        mapsApp = account.mapsApp?.rawValue
        role = account.role.rawValue
        language = account.language
        emailVerifiedAt = account.emailVerifiedAt
        version = account.version
    }
}

/// What a program gets for signing in.
struct SignedInJSON: Encodable {
    let account: AccountJSON
    let token: String

    init(_ signedIn: SignedIn) {
        account = AccountJSON(signedIn.account)
        token = signedIn.token
    }
}

/// A device as clients see it.
struct SessionJSON: Encodable {
    let id: ID<Session>
    let name: String
    let createdAt: Instant
    let lastUsedAt: Instant
    let current: Bool

    init(_ session: Session, current: ID<Session>) {
        id = session.id
        name = session.name
        createdAt = session.createdAt
        lastUsedAt = session.lastUsedAt
        self.current = session.id == current
    }
}

/// A picture as clients see it.
struct PictureJSON: Encodable {
    let id: ID<Picture>
    let width: Int
    let height: Int
    let createdAt: Instant

    init(_ picture: Picture) {
        id = picture.id
        width = picture.width
        height = picture.height
        createdAt = picture.createdAt
    }
}
