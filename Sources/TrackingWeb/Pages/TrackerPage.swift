import Accounts
import Kernel
import Tracking
import WebCore

/// The page of an item's tracker: pairs one by its code, or releases the current one.
struct TrackerPage: Sendable {
    let shell: Shell
    let t: TrackingStrings
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
        _ context: SignedInContext, _ overview: ItemOverview, typedCode: String, error: AppError?, t: TrackingStrings,
        formatter: TrackingFormatter
    ) {
        let item = overview.item
        let url = TrackingPath.item(item.id)
        shell = Shell(
            context, title: overview.tracker == nil ? t.pairing.title : t.details.tracker, menu: .tracking(t),
            tab: "items", isLargeTitle: false, isNarrow: true, back: ShellBack(url: url, label: item.name)
        )
        self.t = t
        formAction = url + "/tracker?_method=put"
        let message = Self.message(error, typedCode, t, formatter)
        codeField = InputField(
            id: "code", inputName: "code", label: t.pairing.codeLabel, value: typedCode, hint: t.pairing.codeHelp,
            unit: "", isInvalid: !message.isEmpty, message: message
        )
        formError = message.isEmpty ? error?.translated(to: context.language).message : nil
        itemURL = url
        let words = BluetoothStrings.of(context.language)
        orCode = words.orCode
        bluetooth = BluetoothPanel(overview, b: words, assets: shell.assets, page: url + "/tracker")
        let hasSwitch = overview.tracker.map { $0.kind == .homeward } ?? false
        power = hasSwitch ? PowerSwitch(overview, key: shell.idempotencyKey, t: t) : nil
        powerTitle = t.details.active
        trackerFacts = overview.tracker.map { TrackerFacts($0, t: t, formatter: formatter) }
        finderNote = hasSwitch ? Self.finderNote(context) : nil
        isPhoneApp = overview.tracker.map { $0.kind != .homeward } ?? false
        unpairAction = url + "/tracker?_method=delete"
        unpairNote = TrackingStrings.fill(t.pairing.unpairText, ["name": item.name])
        phoneURL = TrackingPath.newSource + "?item=\(item.id)"
        // The id of an app that is a tracker is its source's id.
        sourceURL = overview.tracker.map { "\(TrackingPath.sources)/\($0.id)" } ?? TrackingPath.sources
    }

    private static func finderNote(_ context: SignedInContext) -> String {
        let t = FoundStrings.of(context.language)
        let contact = MaskedContact(email: context.account.email, phone: context.account.phone)
        guard let contact else { return t.forOwnerUnknown }
        return TrackingStrings.fill(t.forOwner, ["contact": contact.description])
    }

    private static func message(
        _ error: AppError?, _ typedCode: String, _ t: TrackingStrings, _ formatter: TrackingFormatter
    ) -> String {
        guard let error else { return "" }
        switch error.code {
        case .throttled:
            let wait = formatter.span(seconds: Double(error.retryAfterSeconds ?? Int(Limits.claimSeconds)))
            return TrackingStrings.fill(t.pairing.codeThrottled, ["time": wait])
        case .invalid where error.fields["code"] == nil: return ""
        case .invalid: return typedCode.allSatisfy(\.isWhitespace) ? t.pairing.codeMissing : t.pairing.codeWrong
        default: return ""
        }
    }
}
