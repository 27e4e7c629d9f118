import Family
import Kernel
import WebCore

/// A new code in the JSON API. It is returned once.
struct SignInCodeJSON: Encodable {
    let id: ID<SignInCode>
    let code: String
    let url: String
    let expiresAt: Instant

    init(_ code: SignInCode) {
        id = code.id
        self.code = code.code
        url = code.url
        expiresAt = code.expiresAt
    }
}

/// The state of a code in the JSON API.
struct CodeStateJSON: Encodable {
    let id: ID<SignInCode>
    let state: String
}
