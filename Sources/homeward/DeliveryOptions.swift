import ArgumentParser
import Server

/// The settings of push services and Hologram, as flags.
struct DeliveryOptions: ParsableArguments {
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
            (.pushHosts, pushHosts), (.pushRewrite, pushRewrite), (.hologramKey, hologramKey),
            (.hologramURL, hologramUrl), (.hologramWebhookSecrets, hologramWebhookSecrets),
            (.hologramBucket, hologramBucket),
        ]
    }
}
