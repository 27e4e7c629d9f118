import Kernel

/// The name that Apple posts beside the code the first time, and never again:
/// `{"name":{"firstName":"…","lastName":"…"},"email":"…"}`. It comes through the browser and proves nothing. A name
/// needs no proof. The email does and is therefore read from the token.
/// See https://developer.apple.com/documentation/signinwithapple/authenticating-users-with-sign-in-with-apple
enum AppleUser {
    /// Returns the person's name in the parameter; `nil` where there is none.
    static func name(_ parameter: String?) -> String? {
        guard let parameter, parameter.utf8.count <= Limits.providerTokenBytes,
            let json = JSONReader.value(of: Array(parameter.utf8)),
            let name = try? json.optional("name", \.object),
            let first = try? name.optional("firstName", \.text) ?? "",
            let last = try? name.optional("lastName", \.text) ?? ""
        else { return nil }
        let parts = [first, last].filter { !$0.isEmpty }
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }
}
