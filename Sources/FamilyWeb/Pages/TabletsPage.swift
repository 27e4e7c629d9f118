import Accounts
import Family
import Kernel
import Pictures
import WebCore

/// The shared tablets of a family.
struct TabletsPage: Sendable {
    let shell: Shell
    let tablets: [TabletRow]
    let hasTablets: Bool
    let codeURL: String
    let children: [PicturePINRow]
    let hasChildren: Bool

    init(_ context: SignedInContext, _ found: TabletOverview) {
        let t = context.t
        shell = Shell(
            context, title: t("Shared tablet"), menu: .family(t, for: context.account),
            tab: FamilyTab.account.rawValue, isLargeTitle: false, isRefreshable: true,
            back: ShellBack(url: FamilyPath.account, label: t("Account")))
        let formatter = context.familyFormatter
        tablets = found.tablets.map { TabletRow($0, t, formatter) }
        hasTablets = !tablets.isEmpty
        children = found.children.map { PicturePINRow($0, isSet: found.withPicturePIN.contains($0.id), t) }
        hasChildren = !children.isEmpty
        codeURL = FamilyPath.tabletCodes
    }
}

/// A child, and whether it has a picture PIN.
struct PicturePINRow: Sendable {
    let childName: String
    let pinURL: String
    let avatarURL: String?
    let pinState: String

    init(_ child: Member, isSet: Bool, _ t: Translator) {
        childName = child.name
        pinURL = FamilyPath.picturePIN(of: child.id)
        avatarURL = child.avatarPictureID.map { FamilyPath.picture($0, size: .small) }
        pinState = isSet ? t("Set") : t("Not set")
    }
}

struct TabletRow: Sendable {
    let tabletID: String
    let tabletName: String
    /// `Paired by Ada`; `nil` if the account was deleted.
    let pairedText: String?
    let lastUsed: FormattedTime
    let removeURL: String
    let question: String

    init(_ tablet: Tablet, _ t: Translator, _ formatter: FamilyFormatter) {
        tabletID = tablet.id.description
        tabletName = DeviceName.text(tablet.name, t)
        pairedText = tablet.pairedByName.map { t("Paired by {name}", ["name": $0]) }
        lastUsed = FormattedTime(tablet.lastUsedAt, formatter.times)
        removeURL = FamilyPath.tablet(tablet.id) + "?_method=delete"
        question = t("Remove “{device}”?", ["device": tabletName])
    }
}

/// The page with the code that pairs a tablet, and the code's card as a fragment.
struct TabletCodePage: Sendable {
    let shell: Shell
    let codesURL: String
    let tabletsURL: String
    let stepRenewal: String
    let card: CodeCard?

    init(_ context: SignedInContext, code: TabletCode?) throws {
        let t = context.t
        shell = Shell(
            context, title: t("Pair a tablet"), menu: .family(t, for: context.account), isLargeTitle: false,
            isNarrow: true, hasTabs: false, back: ShellBack(url: FamilyPath.tablets, label: t("Shared tablet")))
        codesURL = FamilyPath.tabletCodes
        tabletsURL = FamilyPath.tablets
        stepRenewal = t(
            "The code works once and expires after {n} minute. This page then shows a new one.",
            plural: "The code works once and expires after {n} minutes. This page then shows a new one.",
            count: Limits.signInCodeSeconds.wholeMinutes)
        card = try code.map {
            try CodeCard(
                id: $0.id.description, url: $0.url, expiresAt: $0.expiresAt, label: t("Code for a tablet"),
                now: context.web.clock.now)
        }
    }
}

/// The page on which a device becomes a shared tablet.
struct TabletPairingPage: Sendable {
    let shell: Shell
    let code: String
    let question: String
    /// The name of the person who is signed in in this browser now.
    let signedInAs: String?
    let elsewhereURL: String

    init(_ context: AppContext, parentName: String, code: String) {
        let t = context.t
        shell = Shell(
            context, title: t("Pair this tablet?"), menu: .familySignedOut(t), isNarrow: true, hasTabs: false)
        self.code = code
        question = t(
            "{name} showed this code. The tablet then shows the day of all children in the family. Each child reports its chores on it. Only a parent on another device can undo this.",
            ["name": parentName])
        signedInAs = context.identity.map {
            t("You are signed in as {name} here. If you continue, {name} is signed out.", ["name": $0.account.name])
        }
        elsewhereURL = context.identity == nil ? FamilyPath.accountSignIn : FamilyPath.root
    }
}

/// The page for a code that pairs no tablet, which says what to do next.
struct InvalidTabletCodePage: Sendable {
    let shell: Shell
    let problem: String
    let homeURL: String

    init(_ context: AppContext, problem: String) {
        shell = Shell(
            context, title: context.t("You need a new code"), menu: .familySignedOut(context.t), isNarrow: true,
            hasTabs: false)
        self.problem = problem
        homeURL = context.identity == nil ? FamilyPath.accountSignIn : FamilyPath.root
    }
}
