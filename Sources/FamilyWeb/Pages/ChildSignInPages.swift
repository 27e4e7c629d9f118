import Accounts
import Family
import Kernel
import WebCore

/// The page *Is that you?*
struct ChildSignInPage: Sendable {
    let shell: Shell
    let code: String
    let holderName: String
    let holderTheme: String
    /// A `data:` URL; `nil` without a built-in avatar.
    let avatarData: String?
    let initial: String
    let signInAs: String
    /// The name of the person who is signed in in this browser now.
    let signedInAs: String?
    let elsewhereURL: String

    init(_ context: AppContext, _ holder: CodeHolder, code: String, avatar: String?) {
        shell = Shell(
            context, title: context.t("Is that you?"), menu: .familySignedOut(context.t), isNarrow: true, hasTabs: false
        )
        self.code = code
        holderName = holder.name
        holderTheme = holder.theme
        avatarData = avatar
        initial = holder.name.first.map(String.init) ?? ""
        signInAs = context.t("Sign in as {name}", ["name": holder.name])
        signedInAs = context.identity.map {
            context.t(
                "You are signed in as {name} here. If you continue, {name} is signed out.", ["name": $0.account.name])
        }
        elsewhereURL = context.identity == nil ? FamilyPath.accountSignIn : FamilyPath.root
    }
}

/// The page for an invalid sign-in code, which says what to do next.
struct InvalidCodePage: Sendable {
    let shell: Shell
    let problem: String
    let isThrottled: Bool
    let isSignedIn: Bool
    let scanURL: String
    let homeURL: String
    let homeLabel: String

    init(_ context: AppContext, isThrottled: Bool) {
        shell = Shell(
            context, title: context.t("You need a new code"), menu: .familySignedOut(context.t), isNarrow: true,
            hasTabs: false)
        self.isThrottled = isThrottled
        problem =
            isThrottled
            ? .tooManyWrongCodes(context.t)
            : context.t(
                "This code no longer works. Each code works once and expires after {n} minute.",
                plural: "This code no longer works. Each code works once and expires after {n} minutes.",
                count: Limits.signInCodeSeconds.wholeMinutes)
        isSignedIn = context.identity != nil
        scanURL = FamilyPath.scan
        homeURL = isSignedIn ? FamilyPath.root : FamilyPath.accountSignIn
        homeLabel = isSignedIn ? context.t("To your family") : context.t("Sign in")
    }
}

/// The scanner as a page. Scripts show it as a dialog over the sign-in page.
struct ScanPage: Sendable {
    let shell: Shell
    let cameraDenied: String
    let cameraMissing: String
    let cameraBusy: String
    let throttledText: String
    let siteURL: String
    let signInURL: String
    let closeURL: String

    init(_ context: AppContext) {
        shell = Shell(
            context, title: context.t("Scan code"), menu: .familySignedOut(context.t), isLargeTitle: false,
            isNarrow: true,
            hasTabs: false, back: ShellBack(url: FamilyPath.accountSignIn, label: context.t("Sign in"))
        )
        cameraDenied = context.t(
            """
            The camera may not be used here. Allow it in the browser’s settings for this page and try again, or \
            choose a photo.
            """
        )
        cameraMissing = context.t("No camera was found. Choose a photo instead.")
        cameraBusy = context.t(
            "The camera doesn’t start; another app may be using it. Close that one and try again, or choose a photo.")
        throttledText = .tooManyWrongCodes(context.t)
        siteURL = context.site.url
        signInURL = FamilyPath.codeSignIn
        closeURL = FamilyPath.accountSignIn
    }
}

extension String {
    /// Returns the message after too many wrong sign-in codes.
    fileprivate static func tooManyWrongCodes(_ t: Translator) -> String { t.message(FamilyMessage.codeThrottled.text) }
}
