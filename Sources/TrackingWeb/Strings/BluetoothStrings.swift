import Kernel
import WebCore

/// The texts about Bluetooth, once per language.
struct BluetoothStrings: WordCatalogue {
    let title: String
    let pairLead: String
    let pair: String
    let linkLead: String
    let connect: String
    let orCode: String
    let unsupported: String

    let progress: String
    let steps: [BluetoothStep]
    let done: String
    let now: String
    let chooserHint: String
    let cancel: String

    let linkedTitle: String
    let linkedText: String
    let apartTitle: String
    let apartText: String
    let partingLead: String
    let partingLinkedText: String
    let partingTitle: String
    let partingText: String
    /// Replaces the distance while a tracker is connected.
    let near: String
    let disconnect: String
    let connectAgain: String

    let again: String
    let useCode: String
    let openAgain: String
    let problems: [BluetoothProblem]
    /// The messages that screen readers read out.
    let sayings: [BluetoothStatusText]

    /// Returns the texts of a language.
    static func of(_ language: Language) -> BluetoothStrings {
        switch language {
        case .english: english
        case .german: german
        }
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

extension BluetoothStrings {
    static let english = BluetoothStrings(
        title: "Bluetooth",
        pairLead: "Switch the tracker on and hold it next to this device.",
        pair: "Pair by Bluetooth",
        linkLead: "Near the tracker, positions and commands can go straight to it.",
        connect: "Connect by Bluetooth",
        orCode: "Or with the code",
        unsupported: """
            This browser can't use Bluetooth, and no browser on iPhone and iPad can. Pair with the code on the tracker \
            instead: the result is the same.
            """,
        progress: "Step {n} of {count}: {step}",
        steps: [
            BluetoothStep(step: "choose", words: "Choose the tracker"),
            BluetoothStep(step: "connect", words: "Connect"),
            BluetoothStep(step: "register", words: "Ask the server"),
            BluetoothStep(step: "bind", words: "Pair", isPairingOnly: true),
            BluetoothStep(step: "activate", words: "Turn it on", isPairingOnly: true),
        ],
        done: "Done",
        now: "Under way",
        chooserHint: "Choose “Homeward …” in the browser's window. None there? Turn on Bluetooth and come nearer.",
        cancel: "Cancel",
        linkedTitle: "Connected by Bluetooth",
        linkedText: "While this page is open, positions and commands go straight to the tracker.",
        apartTitle: "Not connected at the moment",
        apartText: "The tracker goes on over the mobile network. It reconnects automatically when it is near.",
        partingLead: "Is the tracker here? Once connected it is free at once, even without a network of its own.",
        partingLinkedText: "The tracker is released at once and can be paired again.",
        partingTitle: "Letting the tracker go",
        partingText: "Stay next to it for a moment.",
        near: "Near, by Bluetooth",
        disconnect: "Disconnect",
        connectAgain: "Connect again",
        again: "Try again",
        useCode: "Use the code",
        openAgain: "Open the app again",
        problems: englishProblems,
        sayings: [
            BluetoothStatusText(saying: "paired", words: "The tracker is paired and on."),
            BluetoothStatusText(
                saying: "waits", words: "The tracker is paired. It turns itself on as soon as it reports."),
            BluetoothStatusText(saying: "linked", words: "Connected by Bluetooth."),
            BluetoothStatusText(saying: "apart", words: "The Bluetooth connection ended."),
            BluetoothStatusText(saying: "stopped", words: "Cancelled."),
            BluetoothStatusText(saying: "parting", words: "Letting the tracker go."),
            BluetoothStatusText(saying: "freed", words: "The tracker is free, and can be paired again."),
            BluetoothStatusText(
                saying: "unheard",
                words: """
                    The tracker may not have heard yet that it was let go. It does as soon as it has a network, or is \
                    next paired by Bluetooth.
                    """),
        ]
    )

    private static let englishProblems = [
        BluetoothProblem(
            problem: "off", problemTitle: "Bluetooth is off",
            problemText: "Turn on Bluetooth in this device's settings and try again, or pair with the code."),
        BluetoothProblem(
            problem: "denied", problemTitle: "The browser may not use Bluetooth",
            problemText: """
                Allow it “Bluetooth” or “Nearby devices” in its own and in this device's settings, and try again.
                """),
        BluetoothProblem(
            problem: "cancelled", problemTitle: "No tracker was chosen",
            problemText: "None in the list? Turn on Bluetooth, switch the tracker on, and hold it next to this device."),
        BluetoothProblem(
            problem: "range", problemTitle: "The tracker can't be reached",
            problemText: "Hold it next to this device and try again."),
        BluetoothProblem(
            problem: "lost", problemTitle: "The connection broke off",
            problemText: "Nothing was paired. Keep the tracker next to this device and try again."),
        BluetoothProblem(
            problem: "apart", problemTitle: "The connection broke off",
            problemText: "The tracker goes on over the mobile network. Hold it next to this device to connect again.",
            next: "again"),
        BluetoothProblem(
            problem: "silent", problemTitle: "The tracker doesn't answer",
            problemText: "Nothing was paired. Switch it off and on, and try again."),
        BluetoothProblem(
            problem: "wrong", problemTitle: "This is no Homeward tracker",
            problemText: "Try again, and choose the one whose name begins with “Homeward”."),
        BluetoothProblem(
            problem: "other", problemTitle: "This is another tracker",
            problemText: "It isn't the one that is paired here. Try again, and choose the other.", next: "again"),
        BluetoothProblem(
            problem: "taken", problemTitle: "This tracker can't be paired",
            problemText: "It belongs to another person, who has to unpair it first."),
        BluetoothProblem(
            problem: "bound", problemTitle: "This tracker has an owner",
            problemText: "Its owner has to unpair it first. Then you can pair it."),
        BluetoothProblem(
            problem: "releasing", problemTitle: "The tracker is still letting go",
            problemText: "It first has to tell its server that it is free. Wait a minute and try again.", next: "again"),
        BluetoothProblem(
            problem: "malformed", problemTitle: "The tracker refused",
            problemText: "It couldn't read the request. Try again. If that doesn't help, pair with the code."),
        BluetoothProblem(
            problem: "signature", problemTitle: "The tracker refused",
            problemText: "The request isn't signed by the server that it knows. Nothing was paired."),
        BluetoothProblem(
            problem: "replayed", problemTitle: "The tracker refused",
            problemText: "That request was used before. Try again: a new one is created."),
        BluetoothProblem(
            problem: "expired", problemTitle: "The tracker refused",
            problemText: "The request came too late. Try again: a new one is created."),
        BluetoothProblem(
            problem: "foreign", problemTitle: "The tracker refused",
            problemText: "It is registered with another Homeward server, and has to be unpaired there first."),
        BluetoothProblem(
            problem: "refused", problemTitle: "The tracker refused",
            problemText: "Nothing was paired. Try again, or pair with the code."),
        BluetoothProblem(
            problem: "server", problemTitle: "The server can't be reached",
            problemText: "Keep the tracker here, check your internet connection, and try again.", next: "again"),
        BluetoothProblem(
            problem: "locked", problemTitle: "The app is locked",
            problemText: "Nothing was paired. Unlock the app, and try again.", next: "open"),
        BluetoothProblem(
            problem: "signedOut", problemTitle: "You are signed out",
            problemText: "Nothing was paired. Sign in again, and try once more.", next: "open"),
        BluetoothProblem(
            problem: "declined", problemTitle: "That didn't work",
            problemText: "Nothing was paired. Try again, or pair with the code."),
        BluetoothProblem(
            problem: "failed", problemTitle: "That didn't work",
            problemText: "Try again, or pair with the code."),
    ]
}
