import Accounts
import Kernel
import Pictures
import WebCore

/// The account resource.
struct AccountJSON: Encodable {
    private enum Key: String, CodingKey {
        case version
    }

    private let facts: AccountData
    private let version: Int64

    init(_ account: Account) {
        facts = AccountData(account)
        version = account.version
    }

    func encode(to encoder: any Encoder) throws {
        try facts.encode(to: encoder)
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(version, forKey: .version)
    }
}

/// The response to a program's sign-in.
struct SignedInJSON: Encodable {
    let account: AccountJSON
    let token: String

    init(_ signedIn: SignedIn) {
        account = AccountJSON(signedIn.account)
        token = signedIn.token
    }
}

/// The picture resource.
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
