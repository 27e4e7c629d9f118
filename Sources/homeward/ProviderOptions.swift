import ArgumentParser
import Server

/// The settings of sign-in providers, as flags.
struct ProviderOptions: ParsableArguments {
    @Option(help: ArgumentHelp(Setting.appleClientID.help))
    var appleClientId: String?

    @Option(help: ArgumentHelp(Setting.appleTeamID.help))
    var appleTeamId: String?

    @Option(help: ArgumentHelp(Setting.appleKeyID.help))
    var appleKeyId: String?

    @Option(help: ArgumentHelp(Setting.appleKeyFile.help))
    var appleKeyFile: String?

    @Option(help: ArgumentHelp(Setting.appleClientSecret.help))
    var appleClientSecret: String?

    @Option(help: ArgumentHelp(Setting.appleIssuer.help))
    var appleIssuer: String?

    @Option(help: ArgumentHelp(Setting.googleClientID.help))
    var googleClientId: String?

    @Option(help: ArgumentHelp(Setting.googleClientSecret.help))
    var googleClientSecret: String?

    @Option(help: ArgumentHelp(Setting.googleIssuer.help))
    var googleIssuer: String?

    @Option(help: ArgumentHelp(Setting.facebookClientID.help))
    var facebookClientId: String?

    @Option(help: ArgumentHelp(Setting.facebookClientSecret.help))
    var facebookClientSecret: String?

    @Option(help: ArgumentHelp(Setting.facebookIssuer.help))
    var facebookIssuer: String?

    @Option(help: ArgumentHelp(Setting.oidcIssuer.help))
    var oidcIssuer: String?

    @Option(help: ArgumentHelp(Setting.oidcClientID.help))
    var oidcClientId: String?

    @Option(help: ArgumentHelp(Setting.oidcClientSecret.help))
    var oidcClientSecret: String?

    @Option(help: ArgumentHelp(Setting.oidcName.help))
    var oidcName: String?

    var given: [(setting: Setting, value: String?)] {
        [
            (.appleClientID, appleClientId), (.appleTeamID, appleTeamId), (.appleKeyID, appleKeyId),
            (.appleKeyFile, appleKeyFile), (.appleClientSecret, appleClientSecret), (.appleIssuer, appleIssuer),
            (.googleClientID, googleClientId), (.googleClientSecret, googleClientSecret),
            (.googleIssuer, googleIssuer), (.facebookClientID, facebookClientId),
            (.facebookClientSecret, facebookClientSecret), (.facebookIssuer, facebookIssuer),
            (.oidcIssuer, oidcIssuer), (.oidcClientID, oidcClientId), (.oidcClientSecret, oidcClientSecret),
            (.oidcName, oidcName),
        ]
    }
}
