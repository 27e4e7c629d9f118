import Foundation
import Kernel

/// The name that Apple posts beside the code the first time, and never again:
/// `{"name":{"firstName":"…","lastName":"…"},"email":"…"}`. It comes through the browser and proves nothing. A name
/// needs no proof. The email does and is therefore read from the token.
/// See https://developer.apple.com/documentation/signinwithapple/authenticating-users-with-sign-in-with-apple
struct AppleUser: Decodable {
    struct Name: Decodable {
        let firstName: String?
        let lastName: String?
    }

    let name: Name?

    /// Returns the person's name in the parameter; `nil` where there is none.
    static func name(_ json: String?) -> String? {
        guard let json, json.utf8.count <= Limits.providerTokenBytes, JSONSyntax.isValid(Array(json.utf8)),
            let user = try? JSONDecoder().decode(AppleUser.self, from: Data(json.utf8))
        else { return nil }
        let parts = [user.name?.firstName, user.name?.lastName].compactMap(\.self).filter { !$0.isEmpty }
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }
}
