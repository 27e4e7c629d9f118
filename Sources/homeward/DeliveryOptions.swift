import ArgumentParser
import Server

/// The settings of mail servers, push services and Hologram, as flags.
struct DeliveryOptions: ParsableArguments {
    @Option(help: ArgumentHelp(Setting.smtpURL.help))
    var smtpUrl: String?

    @Option(help: ArgumentHelp(Setting.smtpFrom.help))
    var smtpFrom: String?

    @Option(help: ArgumentHelp(Setting.smtpCAFile.help))
    var smtpCaFile: String?

    @Option(help: ArgumentHelp(Setting.pushHosts.help))
    var pushHosts: String?

    @Option(help: ArgumentHelp(Setting.pushRewrite.help))
    var pushRewrite: String?

    @Option(help: ArgumentHelp(Setting.hologramKey.help))
    var hologramKey: String?

    @Option(help: ArgumentHelp(Setting.hologramURL.help))
    var hologramUrl: String?

    @Option(help: ArgumentHelp(Setting.hologramWebhookSecrets.help))
    var hologramWebhookSecrets: String?

    @Option(help: ArgumentHelp(Setting.hologramBucket.help))
    var hologramBucket: String?

    var given: [(setting: Setting, value: String?)] {
        [
            (.smtpURL, smtpUrl), (.smtpFrom, smtpFrom), (.smtpCAFile, smtpCaFile),
            (.pushHosts, pushHosts), (.pushRewrite, pushRewrite), (.hologramKey, hologramKey),
            (.hologramURL, hologramUrl), (.hologramWebhookSecrets, hologramWebhookSecrets),
            (.hologramBucket, hologramBucket),
        ]
    }

    /// - Throws: `ValidationError` for a password in a flag: all users of the computer can list the flags of programs.
    func validate() throws {
        guard smtpUrl?.contains("@") == true else { return }
        throw ValidationError(
            "--smtp-url: other users of this computer could read the password. Set \(Setting.smtpURL.name) in the "
                + "environment or in the file of --config."
        )
    }
}
