import Accounts
import Kernel
import WebCore

extension SiteCookie {
    /// The secret that binds an attempt at a provider to this browser. Browsers send it when the provider redirects
    /// back, but not with posts that another website causes.
    static let providerAttempt = SiteCookie("homeward-provider", lifetimeSeconds: Int(Limits.providerAttemptSeconds))

    /// The code of an identity that the next sign-in links.
    static let identityOffer = SiteCookie("homeward-offer", lifetimeSeconds: Int(Limits.providerAttemptSeconds))

    /// The secret that binds a passkey's challenge to the browser that requested it before the sign-in.
    static let passkeyChallenge = SiteCookie(
        "homeward-passkey", lifetimeSeconds: Int(Limits.passkeyChallengeSeconds), isStrict: true)
}
