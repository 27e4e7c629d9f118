import Accounts
import Family
import WebCore

/// The page *Is that you?*
struct ChildSignInPage: Sendable {
    let shell: Shell
    let t: FamilySignInStrings
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
        let words = context.familyStrings
        t = words.child.door
        shell = Shell(
            context, title: words.child.door.title, menu: .familySignedOut(words), isNarrow: true, hasTabs: false)
        self.code = code
        holderName = holder.name
        holderTheme = holder.theme
        avatarData = avatar
        initial = holder.name.first.map(String.init) ?? ""
        signInAs = FamilyStrings.fill(words.child.door.signInAs, ["name": holder.name])
        signedInAs = context.identity.map {
            FamilyStrings.fill(words.child.door.signedInAs, ["name": $0.account.name])
        }
        elsewhereURL = context.identity == nil ? FamilyPath.accountSignIn : FamilyPath.root
    }
}

/// The page for an invalid sign-in code, which says what to do next.
struct InvalidCodePage: Sendable {
    let shell: Shell
    let t: FamilySignInStrings
    let problem: String
    let isThrottled: Bool
    let isSignedIn: Bool
    let scanURL: String
    let homeURL: String
    let homeLabel: String

    init(_ context: AppContext, isThrottled: Bool) {
        let words = context.familyStrings
        t = words.child.door
        shell = Shell(
            context, title: words.child.door.deadTitle, menu: .familySignedOut(words), isNarrow: true, hasTabs: false)
        self.isThrottled = isThrottled
        problem = isThrottled ? words.child.door.scanThrottled : words.child.door.deadText
        isSignedIn = context.identity != nil
        scanURL = FamilyPath.scan
        homeURL = isSignedIn ? FamilyPath.root : FamilyPath.accountSignIn
        homeLabel = isSignedIn ? words.child.door.deadHome : words.child.door.signInPage
    }
}

/// The scanner as a page. Scripts show it as a dialog over the sign-in page.
struct ScanPage: Sendable {
    let shell: Shell
    let t: FamilySignInStrings
    let cameraDenied: String
    let cameraMissing: String
    let cameraBusy: String
    let siteURL: String
    let signInURL: String
    let closeURL: String

    init(_ context: AppContext) {
        let words = context.familyStrings
        t = words.child.door
        shell = Shell(
            context, title: words.child.door.scanTitle, menu: .familySignedOut(words), isLargeTitle: false,
            isNarrow: true,
            hasTabs: false, back: ShellBack(url: FamilyPath.accountSignIn, label: words.child.door.signInPage)
        )
        let strings = ShellStrings.of(context.language)
        cameraDenied = strings.cameraDenied
        cameraMissing = strings.cameraMissing
        cameraBusy = strings.cameraBusy
        siteURL = context.site.url
        signInURL = FamilyPath.codeSignIn
        closeURL = FamilyPath.accountSignIn
    }
}
