import Accounts
import Family
import WebCore

/// A sign-in by code in the JSON API.
struct ChildSignInJSON: Encodable {
    let child: ChildJSON
    let token: String

    init(_ entered: ChildSignIn) {
        child = ChildJSON(entered.child)
        token = entered.signedIn.token
    }
}
