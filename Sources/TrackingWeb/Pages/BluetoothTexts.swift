import Kernel

/// The steps, failures and messages of a Bluetooth operation, for its script.
struct BluetoothTexts: Sendable {
    /// The progress for screen readers. The script replaces the placeholders.
    let progress: String
    let steps: [BluetoothStep]
    let problems: [BluetoothProblem]
    /// The messages that screen readers read out.
    let sayings: [BluetoothStatusText]

    init(_ t: Translator) {
        progress = t("Step {n} of {count}: {step}")
        steps = [
            BluetoothStep(step: "choose", words: t("Choose the tracker")),
            BluetoothStep(step: "connect", words: t("Connect")),
            BluetoothStep(step: "register", words: t("Ask the server")),
            BluetoothStep(step: "bind", words: t("Pair"), isPairingOnly: true),
            BluetoothStep(step: "activate", words: t("Turn it on"), isPairingOnly: true),
        ]
        problems = Self.problems(t)
        sayings = [
            BluetoothStatusText(saying: "paired", words: t("The tracker is paired and on.")),
            BluetoothStatusText(
                saying: "waits", words: t("The tracker is paired. It turns itself on as soon as it reports.")),
            BluetoothStatusText(saying: "linked", words: t("Connected by Bluetooth.")),
            BluetoothStatusText(saying: "apart", words: t("The Bluetooth connection ended.")),
            BluetoothStatusText(saying: "stopped", words: t("Cancelled.")),
            BluetoothStatusText(saying: "parting", words: t("Letting the tracker go.")),
            BluetoothStatusText(saying: "freed", words: t("The tracker is free, and can be paired again.")),
            BluetoothStatusText(
                saying: "unheard",
                words: t(
                    """
                    The tracker may not have heard yet that it was let go. It does as soon as it has a network, or \
                    is next paired by Bluetooth.
                    """
                )),
        ]
    }

    private static func problems(_ t: Translator) -> [BluetoothProblem] {
        [
            BluetoothProblem(
                problem: "off", problemTitle: t("Bluetooth is off"),
                problemText: t("Turn on Bluetooth in this device’s settings and try again, or pair with the code.")),
            BluetoothProblem(
                problem: "denied", problemTitle: t("The browser may not use Bluetooth"),
                problemText: t(
                    "Allow it “Bluetooth” or “Nearby devices” in its own and in this device’s settings, and try again.")
            ),
            BluetoothProblem(
                problem: "cancelled", problemTitle: t("No tracker was chosen"),
                problemText: t(
                    "None in the list? Turn on Bluetooth, switch the tracker on, and hold it next to this device.")),
            BluetoothProblem(
                problem: "range", problemTitle: t("The tracker can’t be reached"),
                problemText: t("Hold it next to this device and try again.")),
            BluetoothProblem(
                problem: "lost", problemTitle: t("The connection broke off"),
                problemText: t("Nothing was paired. Keep the tracker next to this device and try again.")),
            BluetoothProblem(
                problem: "apart", problemTitle: t("The connection broke off"),
                problemText: t(
                    "The tracker goes on over the mobile network. Hold it next to this device to connect again."),
                next: "again"),
            BluetoothProblem(
                problem: "silent", problemTitle: t("The tracker doesn’t answer"),
                problemText: t("Nothing was paired. Switch it off and on, and try again.")),
            BluetoothProblem(
                problem: "wrong", problemTitle: t("This is no Homeward tracker"),
                problemText: t("Try again, and choose the one whose name begins with “Homeward”.")),
            BluetoothProblem(
                problem: "other", problemTitle: t("This is another tracker"),
                problemText: t(
                    """
                    It isn’t the one that is paired here. Try again, and choose the other.
                    """), next: "again"),
            BluetoothProblem(
                problem: "taken", problemTitle: t("This tracker can’t be paired"),
                problemText: t("It belongs to another person, who has to unpair it first.")),
            BluetoothProblem(
                problem: "bound", problemTitle: t("This tracker has an owner"),
                problemText: t("Its owner has to unpair it first. Then you can pair it.")),
            BluetoothProblem(
                problem: "releasing", problemTitle: t("The tracker is still letting go"),
                problemText: t("It first has to tell its server that it is free. Wait a minute and try again."),
                next: "again"),
            BluetoothProblem(
                problem: "malformed", problemTitle: t("The tracker refused"),
                problemText: t("It couldn’t read the request. Try again. If that doesn’t help, pair with the code.")),
            BluetoothProblem(
                problem: "signature", problemTitle: t("The tracker refused"),
                problemText: t("The request isn’t signed by the server that it knows. Nothing was paired.")),
            BluetoothProblem(
                problem: "replayed", problemTitle: t("The tracker refused"),
                problemText: t("That request was used before. Try again: a new one is created.")),
            BluetoothProblem(
                problem: "expired", problemTitle: t("The tracker refused"),
                problemText: t("The request came too late. Try again: a new one is created.")),
            BluetoothProblem(
                problem: "foreign", problemTitle: t("The tracker refused"),
                problemText: t("It is registered with another Homeward server, and has to be unpaired there first.")),
            BluetoothProblem(
                problem: "refused", problemTitle: t("The tracker refused"),
                problemText: t("Nothing was paired. Try again, or pair with the code.")),
            BluetoothProblem(
                problem: "server", problemTitle: t("The server can’t be reached"),
                problemText: t("Keep the tracker here, check your internet connection, and try again."), next: "again"),
            BluetoothProblem(
                problem: "locked", problemTitle: t("The app is locked"),
                problemText: t("Nothing was paired. Unlock the app, and try again."), next: "open"),
            BluetoothProblem(
                problem: "signedOut", problemTitle: t("You are signed out"),
                problemText: t("Nothing was paired. Sign in again, and try once more."), next: "open"),
            BluetoothProblem(
                problem: "declined", problemTitle: t("That didn’t work"),
                problemText: t("Nothing was paired. Try again, or pair with the code.")),
            BluetoothProblem(
                problem: "failed", problemTitle: t("That didn’t work"),
                problemText: t("Try again, or pair with the code.")),
        ]
    }
}

/// One step of a Bluetooth operation.
struct BluetoothStep: Sendable {
    /// The step's name in the script.
    let step: String
    let words: String
    /// Whether the step belongs only to pairing, and not to a connection.
    var isPairingOnly: Bool = false
}

/// A failure and how to resolve it.
struct BluetoothProblem: Sendable {
    /// The failure's name in the script.
    let problem: String
    let problemTitle: String
    let problemText: String
    /// The buttons that help: `again`, `code`, `open`.
    var next: String = "again code"
}

/// A short message for screen readers.
struct BluetoothStatusText: Sendable {
    /// The message's name in the script.
    let saying: String
    let words: String
}
