import Accounts

/// A fictional person with an account at every simulated vendor.
struct DemoProviderUser: Sendable {
    let subject: String
    let name: String
    let email: String?
    /// The description on the page.
    let note: String

    static let all = [
        DemoProviderUser(
            subject: "nora", name: "Nora Sommer", email: "nora@example.org",
            note: "nora@example.org, comes for the first time"
        ),
        DemoProviderUser(
            subject: "mia", name: "Mia Sommer", email: "mia@example.org",
            note: "mia@example.org, who has an account with a password already"
        ),
        DemoProviderUser(
            subject: "paul", name: "Paul Privat", email: "x7k2m9@relay.example",
            note: "hides the email behind a relay"
        ),
        DemoProviderUser(subject: "pia", name: "Pia Phone", email: nil, note: "has a phone number, but no email"),
    ]
}

/// A vendor that the demo's provider simulates.
struct DemoVendor: Sendable {
    let name: ProviderName
    let title: String
    let algorithm: DemoProviderKeys.Algorithm
    /// Whether the response is a form that the browser posts, with the name beside the token.
    var postsResponse: Bool { name == .apple }
    /// The error code when the person cancels.
    var cancellation: String { name == .apple ? "user_cancelled_authorize" : "access_denied" }
    /// The id of the registered client.
    var clientID: String { "homeward-demo-\(name.rawValue)" }

    static let all = [
        DemoVendor(name: .apple, title: "Apple, as the demo plays it", algorithm: .rs256),
        DemoVendor(name: .google, title: "Google, as the demo plays it", algorithm: .rs256),
        DemoVendor(name: .facebook, title: "Facebook, as the demo plays it", algorithm: .es256),
        DemoVendor(name: .oidc, title: "The demo’s own provider", algorithm: .es256),
    ]
}
