import Family
import Kernel
import Pictures
import WebCore

/// The page of a child's code, and the code's card as a fragment.
struct CodePage: Sendable {
    let shell: Shell
    let childName: String
    let childTheme: String
    let avatarURL: String?
    let codesURL: String
    let childURL: String
    let lead: String
    let secretNote: String
    let stepOpen: String
    let stepRenewal: String
    let usedText: String
    let goneText: String
    /// Where the page goes on once the code was used; `nil` to show another code.
    let nextURL: String?
    let card: CodeCard?

    /// - Parameter isAfterSetup: whether the page follows the set-up, and then leads to the dashboard.
    init(_ context: SignedInContext, _ child: Child, code: SignInCode?, isAfterSetup: Bool = false) throws {
        let t = context.t
        func fill(_ text: String) -> String {
            Translator.filled(
                text, ["name": child.name, "site": Self.host(context.site.url) + FamilyPath.accountSignIn])
        }
        shell = Shell(
            context, title: t("QR code Scan", context: "title"), menu: .family(context.t, for: context.account),
            isLargeTitle: false,
            isNarrow: true,
            hasTabs: false,
            back: isAfterSetup
                ? ShellBack(url: FamilyPath.root, label: t("Family"))
                : ShellBack(url: FamilyPath.child(child.id), label: child.name)
        )
        childName = child.name
        childTheme = child.theme
        avatarURL = child.avatarPictureID.map { FamilyPath.picture($0, size: .small) }
        codesURL = FamilyPath.signInCodes(of: child.id)
        childURL = FamilyPath.child(child.id)
        lead = fill(
            isAfterSetup
                ? t("{name} scans this code and taps “Done” on a chore. Then you give the points.")
                : t("Let {name} sign in with this code."))
        secretNote = fill(t("Scanning this code signs in as {name}. Don’t show it to anyone else."))
        stepOpen = fill(t("On {name}’s device, open {site} and tap the scan button at the top right."))
        stepRenewal = t(
            "The code works once and expires after {n} minute. This page then shows a new one.",
            plural: "The code works once and expires after {n} minutes. This page then shows a new one.",
            count: Limits.signInCodeSeconds.wholeMinutes)
        usedText = fill(t("{name} is signed in on a device. Here is a new code for another one."))
        nextURL = isAfterSetup ? FamilyPath.root : nil
        goneText = fill(t("{name} was deleted."))
        card = try code.map {
            try CodeCard(
                id: $0.id.description, url: $0.url, expiresAt: $0.expiresAt, label: fill(t("{name}’s code")),
                now: context.web.clock.now)
        }
    }

    private static func host(_ url: String) -> String {
        url.split(separator: "/", maxSplits: 2).last.map(String.init) ?? url
    }
}

/// A code with its QR code and its remaining time.
struct CodeCard: Sendable {
    private static let secondsPerMinute = 60

    let codeID: String
    let qr: String
    let qrLabel: String
    let link: String
    /// A whole number of seconds, because the browser's clock may be wrong.
    let secondsLeft: String
    /// `9:59`.
    let timeLeft: String

    init(id: String, url: String, expiresAt: Instant, label: String, now: Instant) throws {
        codeID = id
        qr = try QRCode.svg(url)
        qrLabel = label
        link = url
        let seconds = max(0, Int(expiresAt.seconds(since: now)))
        secondsLeft = String(seconds)
        let rest = seconds % Self.secondsPerMinute
        timeLeft = "\(seconds / Self.secondsPerMinute):" + (rest < 10 ? "0" : "") + String(rest)
    }
}
