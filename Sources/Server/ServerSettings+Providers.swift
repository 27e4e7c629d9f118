import Accounts
import Foundation

/// The settings of one provider, not checked yet.
private struct ProviderEntry {
    let name: ProviderName
    let clientID: Setting
    let secret: Setting
    let issuer: Setting
    var label: Setting?
    /// Settings that are invalid without a client.
    var others: [Setting] = []

    /// The settings without which the provider can't be used.
    var required: [Setting] { [clientID] + (others.isEmpty ? [secret] : others) }

    static let all = [
        ProviderEntry(
            name: .apple, clientID: .appleClientID, secret: .appleClientSecret, issuer: .appleIssuer,
            others: [.appleTeamID, .appleKeyID, .appleKeyFile]
        ),
        ProviderEntry(
            name: .google, clientID: .googleClientID, secret: .googleClientSecret, issuer: .googleIssuer
        ),
        ProviderEntry(
            name: .facebook, clientID: .facebookClientID, secret: .facebookClientSecret, issuer: .facebookIssuer
        ),
        ProviderEntry(
            name: .oidc, clientID: .oidcClientID, secret: .oidcClientSecret, issuer: .oidcIssuer, label: .oidcName,
            others: [.oidcIssuer]
        ),
    ]
}

extension ServerSettings {
    /// The names of the settings that each provider needs.
    static let providerSettings = Dictionary(
        uniqueKeysWithValues: ProviderEntry.all.map { ($0.name, $0.required.map(\.name)) })

    /// Reads the services that people can sign in with.
    static func providers(_ text: (Setting) -> String?) throws(SettingError) -> [ProviderSettings] {
        var found: [ProviderSettings] = []
        for entry in ProviderEntry.all {
            guard let clientID = text(entry.clientID) else {
                // Fails instead of hiding the button: a missing button is hard to explain.
                if let given = ([entry.secret] + entry.others).first(where: { text($0) != nil }) {
                    throw SettingError(entry.clientID, "is missing beside \(given.name)")
                }
                continue
            }
            do {
                found.append(
                    try ProviderSettings(
                        entry.name, issuer: text(entry.issuer), clientID: clientID,
                        credential: try credential(entry, text), label: entry.label.flatMap(text)
                    )
                )
            } catch let failure as SettingError {
                throw failure
            } catch {
                throw failure(entry, error as? ProviderSettingsError)
            }
        }
        return found
    }

    private static func failure(_ entry: ProviderEntry, _ problem: ProviderSettingsError?) -> SettingError {
        switch problem {
        case .clientID: SettingError(entry.clientID, "is too long")
        case .label: SettingError(entry.label ?? entry.issuer, "must fit on a button: 40 characters at most")
        case .key: SettingError(.appleKeyFile, "is no private key as Apple gives it out")
        case .issuer, nil:
            SettingError(entry.issuer, "must be an https address as the provider's tokens say it")
        }
    }

    private static func credential(
        _ entry: ProviderEntry, _ text: (Setting) -> String?
    ) throws -> ProviderSettings.Credential {
        let isKeyGiven = entry.name == .apple && entry.others.contains { text($0) != nil }
        guard isKeyGiven else {
            if let secret = text(entry.secret) { return .secret(secret) }
            guard entry.name == .oidc || entry.name == .facebook else {
                throw SettingError(entry.secret, "is missing beside \(entry.clientID.name)")
            }
            return .none
        }
        for needed in entry.others where text(needed) == nil {
            throw SettingError(needed, "is missing beside \(entry.clientID.name)")
        }
        guard let team = text(.appleTeamID), let keyID = text(.appleKeyID), let file = text(.appleKeyFile),
            let pem = try? String(contentsOfFile: file, encoding: .utf8)
        else { throw SettingError(.appleKeyFile, "can't be read") }
        return .signed(try AppleKey(teamID: team, keyID: keyID, pem: pem))
    }
}
