extension Setting {
    package static let appleClientID = Setting(
        "HOMEWARD_APPLE_CLIENT_ID",
        "Sign in with Apple: the identifier of the Services ID. Without it, there is no button."
    )
    package static let appleTeamID = Setting("HOMEWARD_APPLE_TEAM_ID", "Sign in with Apple: the team's identifier.")
    package static let appleKeyID = Setting("HOMEWARD_APPLE_KEY_ID", "Sign in with Apple: the key's identifier.")
    package static let appleKeyFile = Setting(
        "HOMEWARD_APPLE_KEY_FILE", "Sign in with Apple: the file of the key, AuthKey_….p8, as downloaded from Apple."
    )
    /// A client secret that was made elsewhere.
    package static let appleClientSecret = Setting(
        "HOMEWARD_APPLE_CLIENT_SECRET",
        "Sign in with Apple: a client secret made elsewhere, instead of team, key and file."
    )
    package static let appleIssuer = Setting(
        "HOMEWARD_APPLE_ISSUER", standard: "https://appleid.apple.com", "Sign in with Apple: the issuer; for tests."
    )
    package static let googleClientID = Setting(
        "HOMEWARD_GOOGLE_CLIENT_ID", "Sign in with Google: the client's identifier. Without it, there is no button."
    )
    package static let googleClientSecret = Setting(
        "HOMEWARD_GOOGLE_CLIENT_SECRET", "Sign in with Google: the client's secret."
    )
    package static let googleIssuer = Setting(
        "HOMEWARD_GOOGLE_ISSUER", standard: "https://accounts.google.com",
        "Sign in with Google: the issuer; for tests."
    )
    package static let facebookClientID = Setting(
        "HOMEWARD_FACEBOOK_CLIENT_ID", "Sign in with Facebook: the app's identifier. Without it, there is no button."
    )
    package static let facebookClientSecret = Setting(
        "HOMEWARD_FACEBOOK_CLIENT_SECRET", "Sign in with Facebook: the app's secret."
    )
    package static let facebookIssuer = Setting(
        "HOMEWARD_FACEBOOK_ISSUER", standard: "https://www.facebook.com",
        "Sign in with Facebook: the issuer; for tests."
    )
    package static let oidcIssuer = Setting(
        "HOMEWARD_OIDC_ISSUER", "Another OpenID Connect provider: its issuer, such as https://id.example."
    )
    package static let oidcClientID = Setting(
        "HOMEWARD_OIDC_CLIENT_ID",
        "Another OpenID Connect provider: the client's identifier. Without it, there is no button."
    )
    package static let oidcClientSecret = Setting(
        "HOMEWARD_OIDC_CLIENT_SECRET", "Another OpenID Connect provider: the client's secret; none for a public client."
    )
    package static let oidcName = Setting(
        "HOMEWARD_OIDC_NAME", standard: "OpenID", "Another OpenID Connect provider: the text of its button."
    )

    static let providers: [Setting] = [
        appleClientID, appleTeamID, appleKeyID, appleKeyFile, appleClientSecret, appleIssuer, googleClientID,
        googleClientSecret, googleIssuer, facebookClientID, facebookClientSecret, facebookIssuer, oidcIssuer,
        oidcClientID, oidcClientSecret, oidcName,
    ]
}
