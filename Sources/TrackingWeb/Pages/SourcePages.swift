import Kernel
import Tracking
import WebCore

/// The page with the position sources.
struct SourceListPage: Sendable {
    let shell: Shell
    let rows: [SourceRow]
    let isEmpty: Bool
    let addURL: String
    let moreURL: String?
    let quarantineURL: String

    init(
        _ context: SignedInContext, sources: [Source], next: String?, names: [ID<Item>: String], t: Translator,
        formatter: TrackingFormatter
    ) {
        shell = Shell(
            context, title: t("Phones and apps"), menu: .tracking(t), tab: "items", isRefreshable: true,
            back: ShellBack(url: TrackingPath.items, label: t("Items")),
            action: ShellAction(label: t("Connect an app"), icon: "plus", url: TrackingPath.newSource)
        )
        rows = sources.map { source in
            SourceRow(source, itemName: source.itemID.flatMap { names[$0] }, t: t, formatter: formatter)
        }
        isEmpty = sources.isEmpty
        addURL = TrackingPath.newSource
        moreURL = next.map { TrackingPath.sources + "?after=" + PercentEncoding.encoded($0) }
        quarantineURL = TrackingPath.quarantine
    }
}

/// One position source of the list.
struct SourceRow: Sendable {
    let kind: String
    /// `My phone`, or the item that the source tracks.
    let use: String
    /// The time of the last report; `nil` before the first one.
    let seenMoment: FormattedTime?
    let sourceURL: String

    init(_ source: Source, itemName: String?, t: Translator, formatter: TrackingFormatter) {
        kind = source.kind.title(t)
        if source.itemID == nil {
            use = t("My phone")
        } else {
            use = itemName ?? t("Tracker")
        }
        seenMoment = source.lastSeenAt.map { FormattedTime($0, formatter.times) }
        sourceURL = TrackingPath.source(source.id)
    }
}

extension SourceKind {
    /// Returns the app's name.
    func title(_ t: Translator) -> String {
        switch self {
        case .owntracks: t("OwnTracks")
        case .osmand: t("Traccar Client or OsmAnd")
        }
    }
}

/// One option of a form.
struct Choice: Sendable {
    let value: String
    let choiceLabel: String
    let choiceHint: String
    let isChosen: Bool
}

/// The page that connects a position source.
struct NewSourcePage: Sendable {
    let shell: Shell
    let formAction: String
    let kinds: [Choice]
    let kindMessage: String
    let uses: [Choice]
    let useMessage: String
    let speedUnits: [Choice]
    let formError: String?
    let unreachable: Unreachable?

    init(
        _ context: SignedInContext, items: [ItemOverview], typed: SourceFormState, error: AppError?, t: Translator
    ) {
        shell = Shell(
            context, title: t("Connect an app"), menu: .tracking(t), isLargeTitle: false, isNarrow: true,
            hasTabs: false,
            back: ShellBack(url: TrackingPath.sources, label: t("Cancel"), isCancel: true),
            action: ShellAction(label: t("Connect"), formID: "source-form", isStrong: true)
        )
        formAction = TrackingPath.sources
        kinds = SourceKind.allCases.map { kind in
            Choice(
                value: kind.rawValue, choiceLabel: kind.title(t),
                choiceHint: kind == .owntracks ? t("iPhone and Android, with encryption") : t("iPhone and Android"),
                isChosen: typed.kind == kind.rawValue
            )
        }
        uses = Self.uses(items, chosen: typed.itemID, t)
        speedUnits = SpeedUnit.allCases.map { unit in
            Choice(
                value: unit.rawValue, choiceLabel: unit.title(t), choiceHint: "",
                isChosen: typed.speedUnit == unit.rawValue
            )
        }
        kindMessage = error?.fields["kind"] == nil ? "" : t("Choose an app.")
        let isTaken = error?.message == TrackingErrorMessage.alreadyPaired.text
        useMessage = isTaken ? t("This item has a tracker. Unpair it first.") : error?.fields["itemId"] ?? ""
        formError = isTaken || error?.fields.isEmpty == false ? nil : error?.translated(to: context.language).message
        unreachable = Unreachable(context.site, t: t)
    }

    private static func uses(_ items: [ItemOverview], chosen: String, _ t: Translator) -> [Choice] {
        let phone = Choice(value: "", choiceLabel: t("My phone"), choiceHint: "", isChosen: chosen.isEmpty)
        let free = items.filter { $0.tracker == nil || $0.item.id.description == chosen }
        return [phone]
            + free.map { overview in
                let id = overview.item.id.description
                let label = t("Item: {name}", ["name": overview.item.name])
                return Choice(value: id, choiceLabel: label, choiceHint: "", isChosen: id == chosen)
            }
    }
}

/// The submitted form of a position source.
struct SourceFormState: Sendable {
    var kind = SourceKind.owntracks.rawValue
    var itemID = ""
    var speedUnit = SpeedUnit.knots.rawValue
}

/// A secret for the person to copy.
struct SourceSecretRow: Sendable {
    let secretID: String
    let secretLabel: String
    let secretValue: String
}

/// Whether an app has reported since its secrets were shown. The set-up page shows it and updates it live.
struct SourceReportStatus: Sendable {
    let arrivalURL: String
    let awaitedText: String
    let arrivedText: String
    /// The time of the report; `nil` before one.
    let arrivedMoment: FormattedTime?

    init(_ source: Source, since: Instant, t: Translator, formatter: TrackingFormatter) {
        arrivalURL = TrackingPath.source(source.id) + "?since=\(since.millisecondsSince1970)"
        awaitedText = t("Waiting for the first position …")
        arrivedText = t("The first position has arrived")
        arrivedMoment = source.lastSeenAt.flatMap { $0 >= since ? FormattedTime($0, formatter.times) : nil }
    }
}

/// The same as a fragment, for live updates.
struct SourceReportStatusFragment: Sendable {
    let arrival: SourceReportStatus
}

/// The instructions for the app with its newly created secrets; shown once.
struct SourceSetUpPage: Sendable {
    let shell: Shell
    let steps: [String]
    let secrets: [SourceSecretRow]
    /// The QR code as SVG.
    let qr: String
    let scanText: String
    /// A link that opens OwnTracks on this phone.
    let openURL: String?
    let doneURL: String
    /// The page to which reloading or returning to this page leads.
    let sourceURL: String
    let arrival: SourceReportStatus
    let unreachable: Unreachable?

    init(_ context: SignedInContext, _ new: NewSource, t: Translator, formatter: TrackingFormatter) throws {
        let app = new.source.kind.title(t)
        shell = Shell(
            context, title: t("Set up {app}", ["app": app]), menu: .tracking(t),
            isLargeTitle: false, isNarrow: true, hasTabs: false
        )
        let address = context.site.url + new.path
        let setUp = new.setupText(baseURL: context.site.url)
        qr = try QRCode.svg(setUp)
        doneURL = new.source.itemID.map(TrackingPath.item) ?? TrackingPath.sources
        sourceURL = TrackingPath.source(new.source.id)
        arrival = SourceReportStatus(new.source, since: formatter.now, t: t, formatter: formatter)
        unreachable = Unreachable(context.site, t: t)
        switch new.source.kind {
        case .owntracks:
            steps = [
                t("Install OwnTracks and open its settings."),
                t("Choose the mode HTTP and enter the address."),
                t("Turn authentication on; enter user and password."),
                t("To encrypt what is sent, enter the encryption key too."),
            ]
            scanText = t("Scan this with the phone’s camera: it opens OwnTracks with everything filled in.")
            openURL = setUp
            secrets = Self.secrets([
                (t("Address"), address), (t("User"), new.user), (t("Password"), new.secret),
                (t("Encryption key"), new.passphrase),
            ])
        case .osmand:
            steps = [
                t("Traccar Client: enter the device identifier and the server address, then turn tracking on."),
                t("OsmAnd: Trip recording, Online tracking, and enter the web address below."),
            ]
            scanText = t("Scan this in Traccar Client’s settings: address and identifier are filled in.")
            openURL = nil
            let bare = address.split(separator: "?", maxSplits: 1).first.map(String.init) ?? address
            secrets = Self.secrets([
                (t("Device identifier"), new.secret), (t("Server address (Traccar Client)"), bare),
                (t("Web address (OsmAnd)"), Self.osmAndAddress(address)),
            ])
        }
    }

    /// Returns the URL with OsmAnd's placeholders, in the format of its settings.
    private static func osmAndAddress(_ address: String) -> String {
        address + "&lat={0}&lon={1}&timestamp={2}&hdop={3}&altitude={4}&speed={5}&bearing={6}"
    }

    private static func secrets(_ parts: [(label: String, value: String?)]) -> [SourceSecretRow] {
        parts.enumerated().compactMap { index, part in
            part.value.map { SourceSecretRow(secretID: "secret-\(index)", secretLabel: part.label, secretValue: $0) }
        }
    }
}
