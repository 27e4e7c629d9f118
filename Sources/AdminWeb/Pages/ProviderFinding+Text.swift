import Accounts
import Kernel
import WebCore

extension ProviderFinding {
    /// Characters of a provider's text that a message repeats.
    private static let longestQuote = 200

    /// How much it matters.
    var level: Finding.Level {
        switch self {
        case _ where isProblem: .problem
        case .clientUntested: .note
        default: .good
        }
    }

    /// Returns what was found.
    func message(_ t: Translator) -> String {
        switch self {
        case .documentWorks(let issuer): t("{issuer} publishes its addresses.", ["issuer": issuer])
        case .unreachable(let issuer, let reason):
            t("{issuer} doesn’t respond: {reason}", ["issuer": issuer, "reason": Self.quote(reason)])
        case .documentFails(let issuer, let reason):
            t(
                "{issuer} doesn’t publish usable addresses: {reason}",
                ["issuer": issuer, "reason": Self.quote(reason)])
        case .issuerDiffers(let configured, let published):
            t(
                "{issuer} calls itself {other}.", ["issuer": configured, "other": Self.quote(published)])
        case .endpointRefused(let url):
            t("The provider publishes an address that isn’t safe: {address}", ["address": Self.quote(url)])
        case .keysWork(let count):
            t("{n} key signs its tokens.", plural: "{n} keys sign its tokens.", count: count)
        case .keysFail(let reason): t("Its keys can’t be used: {reason}", ["reason": Self.quote(reason)])
        case .clientWorks: t("It accepts this server’s client ID and secret.")
        case .clientFails(let code):
            t("It rejects this server’s client ID or secret: {reason}", ["reason": Self.quote(code)])
        case .redirectFails: t("It doesn’t know this server’s redirect address.")
        case .clientKeyFails: t("The client’s private key can’t sign.")
        case .clientUntested(let reason):
            t(
                "Its response doesn’t say whether it accepts this server: {reason}", ["reason": Self.quote(reason)])
        case .tokenEndpointFails(let reason):
            t("The address for tokens doesn’t respond: {reason}", ["reason": Self.quote(reason)])
        }
    }

    /// Returns what to do; `nil` for a good finding.
    func advice(_ t: Translator) -> String? {
        switch self {
        case .documentWorks, .keysWork, .clientWorks: nil
        case .unreachable, .tokenEndpointFails:
            t("Check the issuer’s setting, and that this server reaches the internet.")
        case .documentFails, .keysFail: t("Check the issuer’s setting. It must be an OpenID Connect provider.")
        case .issuerDiffers: t("Set the issuer exactly as the provider writes it, including a trailing slash.")
        case .endpointRefused: t("Addresses must use https and must not point to this server or its private network.")
        case .clientFails: t("Compare client ID and secret with the provider’s console. A secret may have expired.")
        case .redirectFails(let uri): t("Register {address} at the provider.", ["address": uri])
        case .clientKeyFails: t("Download the key from the provider again.")
        case .clientUntested: t("Sign in with it once to be sure.")
        }
    }

    private static func quote(_ text: String) -> String { String(text.prefix(longestQuote)) }
}
