import Family
import Kernel
import Pictures
import WebCore

/// The page of a child's code, and the code's card as a fragment.
struct CodePage: Sendable {
    let shell: Shell
    let t: FamilyCodeStrings
    let childName: String
    let childTheme: String
    let avatarURL: String?
    let codesURL: String
    let childURL: String
    let lead: String
    let secretNote: String
    let stepOpen: String
    let usedText: String
    let goneText: String
    let card: CodeCard?

    init(_ context: SignedInContext, _ child: Child, code: SignInCode?) throws {
        let words = context.familyStrings
        let t = words.child.code
        func fill(_ text: String) -> String {
            FamilyStrings.fill(
                text, ["name": child.name, "site": Self.host(context.site.url) + FamilyPath.accountSignIn])
        }
        self.t = t
        shell = Shell(
            context, title: t.title, menu: .family(words, for: context.account), isLargeTitle: false, isNarrow: true,
            hasTabs: false, back: ShellBack(url: FamilyPath.child(child.id), label: child.name)
        )
        childName = child.name
        childTheme = child.theme
        avatarURL = child.avatarPictureID.map { FamilyPath.picture($0, size: .small) }
        codesURL = FamilyPath.signInCodes(of: child.id)
        childURL = FamilyPath.child(child.id)
        lead = fill(t.lead)
        secretNote = fill(t.isSecret)
        stepOpen = fill(t.stepOpen)
        usedText = fill(t.used)
        goneText = fill(t.childGone)
        card = try code.map { try CodeCard($0, label: fill(t.label), now: context.web.clock.now) }
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

    init(_ code: SignInCode, label: String, now: Instant) throws {
        codeID = code.id.description
        qr = try QRCode.svg(code.url)
        qrLabel = label
        link = code.url
        let seconds = max(0, Int(code.expiresAt.seconds(since: now)))
        secondsLeft = String(seconds)
        let rest = seconds % Self.secondsPerMinute
        timeLeft = "\(seconds / Self.secondsPerMinute):" + (rest < 10 ? "0" : "") + String(rest)
    }
}
