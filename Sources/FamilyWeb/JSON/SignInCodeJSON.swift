import Family
import Kernel
import WebCore

/// A new code for a child's device or a shared tablet in the JSON API. It is returned once.
struct SignInCodeJSON: Encodable {
    let id: String
    let code: String
    let url: String
    let expiresAt: Instant

    init(_ code: SignInCode) {
        id = code.id.description
        self.code = code.code
        url = code.url
        expiresAt = code.expiresAt
    }

    init(_ code: TabletCode) {
        id = code.id.description
        self.code = code.code
        url = code.url
        expiresAt = code.expiresAt
    }
}

/// The state of a code in the JSON API.
struct CodeStateJSON: Encodable {
    let id: String
    let state: String

    init(_ id: ID<some Any>, _ state: SignInCode.State) {
        self.id = id.description
        self.state = state.rawValue
    }
}
