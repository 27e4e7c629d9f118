import Accounts
import Kernel
import Tracking
import WebCore

/// The page of an item's tracker: pairs one by its code, or releases the current one.
struct TrackerPage: Sendable {
    let shell: Shell
    let formAction: String
    let codeField: InputField
    let formError: String?
    let itemURL: String
    let orCode: String
    let bluetooth: BluetoothPanel?
    /// Switches a Homeward tracker on and off.
    let power: PowerSwitch?
    let powerTitle: String
    let trackerFacts: TrackerFacts?
    /// The note about what a finder of the tracker learns of its owner; `nil` without a Homeward tracker.
    let finderNote: String?
    let isPhoneApp: Bool
    let unpairAction: String
    let unpairNote: String
    let phoneURL: String
    let sourceURL: String

    init(
        _ context: SignedInContext, _ overview: ItemOverview, typedCode: String, error: AppError?, t: Translator,
        formatter: TrackingFormatter
    ) {
        let item = overview.item
        let url = TrackingPath.item(item.id)
        shell = Shell(
            context, title: overview.tracker == nil ? t("Pair a tracker") : t("Tracker"), menu: .tracking(t),
            tab: "items", isLargeTitle: false, isNarrow: true, back: ShellBack(url: url, label: item.name)
        )
        formAction = url + "/tracker?_method=put"
        let message = Self.message(error, typedCode, t, formatter)
        codeField = InputField(
            id: "code", inputName: "code", label: t("Claim code"), value: typedCode,
            hint: t("Letters and digits as printed on the tracker. Capitals and hyphens don’t matter."),
            unit: "", isInvalid: !message.isEmpty, message: message
        )
        formError = message.isEmpty ? error?.translated(to: context.language).message : nil
        itemURL = url
        orCode = t("Or with the code")
        bluetooth = BluetoothPanel(overview, t: t, page: url + "/tracker")
        let hasSwitch = overview.tracker.map { $0.kind == .homeward } ?? false
        power = hasSwitch ? PowerSwitch(overview, key: shell.idempotencyKey, t: t) : nil
        powerTitle = t("On", context: "tracker")
        trackerFacts = overview.tracker.map { TrackerFacts($0, t: t, formatter: formatter) }
        finderNote = hasSwitch ? Self.finderNote(context) : nil
        isPhoneApp = overview.tracker.map { $0.kind != .homeward } ?? false
        unpairAction = url + "/tracker?_method=delete"
        unpairNote = t(
            "It turns itself off and can be paired again. The positions of {name} stay.", ["name": item.name])
        phoneURL = TrackingPath.newSource + "?item=\(item.id)"
        // The id of an app that is a tracker is its source's id.
        sourceURL = overview.tracker.map { "\(TrackingPath.sources)/\($0.id)" } ?? TrackingPath.sources
    }

    private static func finderNote(_ context: SignedInContext) -> String {
        let contact = MaskedContact(email: context.account.email, phone: context.account.phone)
        guard let contact else {
            return context.t(
                "A person who finds this tracker away from you learns how to switch it off, and nothing about you.")
        }
        return context.t(
            "A person who finds this tracker away from you sees {contact} as its owner, and nothing else about you.",
            ["contact": contact.description])
    }

    private static func message(
        _ error: AppError?, _ typedCode: String, _ t: Translator, _ formatter: TrackingFormatter
    ) -> String {
        guard let error else { return "" }
        switch error.code {
        case .throttled:
            let wait = formatter.span(seconds: Double(error.retryAfterSeconds ?? Int(Limits.claimSeconds)))
            return t("Too many wrong codes. Wait {time} and try again.", ["time": wait])
        case .invalid where error.fields["code"] == nil: return ""
        case .invalid:
            return typedCode.allSatisfy(\.isWhitespace)
                ? t("Enter the code.")
                : t("No tracker is waiting with this code. Compare it with the one on the tracker.")
        default: return ""
        }
    }
}
