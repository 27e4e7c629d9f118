import Accounts
import Family
import Kernel
import WebCore

/// The list of the devices on which a child is signed in.
struct ChildDevicesPage: Sendable {
    let shell: Shell
    let devicesURL: String
    let lead: String
    let isParent: Bool
    let codesURL: String
    let voidURL: String
    let devices: [ChildDeviceRow]
    let hasDevices: Bool
    let nextURL: String?

    init(_ context: SignedInContext, _ entries: ChildEntries<Session>) {
        let child = entries.child
        let page = entries.page
        let t = context.t
        isParent = context.account.role == .adult
        let isMine = context.actor.person == child.id
        func fill(_ text: String) -> String { Translator.filled(text, ["name": child.name]) }
        shell = Shell(
            context, title: isMine ? t("My devices") : fill(t("{name}’s devices")),
            menu: .family(context.t, for: context.account),
            tab: isMine ? FamilyTab.account.rawValue : FamilyTab.family.rawValue, isLargeTitle: false,
            isRefreshable: true,
            back: isMine
                ? ShellBack(url: FamilyPath.account, label: context.t("Account"))
                : ShellBack(url: FamilyPath.child(child.id), label: child.name)
        )
        devicesURL = FamilyPath.devices(of: child.id)
        lead =
            isMine
            ? t("The devices on which you are signed in.")
            : fill(t("The devices on which {name} is signed in. Signing one out takes effect at once."))
        codesURL = FamilyPath.signInCodes(of: child.id)
        voidURL = "\(FamilyPath.signInCodes(of: child.id))?_method=delete"
        let formatter = context.familyFormatter
        devices = page.items.map { ChildDeviceRow($0, of: child, current: context.session.id, t, formatter) }
        hasDevices = !devices.isEmpty
        nextURL = page.next.map { "\(FamilyPath.devices(of: child.id))?after=\(PercentEncoding.encoded($0))" }
    }
}

struct ChildDeviceRow: Sendable {
    let deviceID: String
    let deviceName: String
    let deviceIcon: String
    let isCurrent: Bool
    let lastUsed: FormattedTime
    let removeURL: String
    let question: String

    init(
        _ session: Session, of child: Child, current: ID<Session>, _ t: Translator,
        _ formatter: FamilyFormatter
    ) {
        deviceID = session.id.description
        deviceName = DeviceName.text(session.name, t)
        deviceIcon = Self.icon(session.name)
        isCurrent = session.id == current
        // The store updates the time of a session's last use once an hour. This session is in use now.
        lastUsed = FormattedTime(isCurrent ? formatter.now : session.lastUsedAt, formatter.times)
        removeURL = FamilyPath.device(session.id, of: child.id) + "?_method=delete"
        question = t("Sign out “{device}”?", ["device": deviceName])
    }

    private static func icon(_ name: String) -> String {
        if name.contains("iPad") { return "tablet" }
        return name.contains("iPhone") || name.contains("Android") ? "smartphone" : "laptop"
    }
}
