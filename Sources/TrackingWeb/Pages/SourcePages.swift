import Kernel
import Tracking
import WebCore

/// The page with the position sources.
struct SourceListPage: Sendable {
    let shell: Shell
    let t: TrackingStrings
    let rows: [SourceRow]
    let isEmpty: Bool
    let addURL: String
    let moreURL: String?
    let quarantineURL: String

    init(
        _ context: SignedInContext, sources: [Source], next: String?, names: [ID<Item>: String], t: TrackingStrings,
        formatter: TrackingFormatter
    ) {
        shell = Shell(
            context, title: t.sources.title, menu: .tracking(t), tab: "items", isRefreshable: true,
            back: ShellBack(url: TrackingPath.items, label: t.list.title),
            action: ShellAction(label: t.sources.add, icon: "plus", url: TrackingPath.newSource)
        )
        self.t = t
        rows = sources.map { source in
            SourceRow(source, itemName: source.itemID.flatMap { names[$0] }, t: t, formatter: formatter)
        }
        isEmpty = sources.isEmpty
        addURL = TrackingPath.newSource
        moreURL = next.map { TrackingPath.sources + "?after=" + PathSegment.encoded($0) }
        quarantineURL = TrackingPath.quarantine
    }
}

/// One position source of the list.
struct SourceRow: Sendable {
    let kind: String
    /// `My phone`, or the item that the source tracks.
    let use: String
    /// The time of the last report; `nil` before the first one.
    let seenMoment: Moment?
    let sourceURL: String

    init(_ source: Source, itemName: String?, t: TrackingStrings, formatter: TrackingFormatter) {
        kind = source.kind.title(t)
        if source.itemID == nil {
            use = t.sources.asPhone
        } else {
            use = itemName ?? t.details.tracker
        }
        seenMoment = source.lastSeenAt.map { Moment($0, formatter) }
        sourceURL = TrackingPath.source(source.id)
    }
}

extension SourceKind {
    /// Returns the app's name.
    func title(_ t: TrackingStrings) -> String {
        switch self {
        case .owntracks: t.sources.ownTracks
        case .osmand: t.sources.osmAnd
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
    let t: TrackingStrings
    let formAction: String
    let kinds: [Choice]
    let kindMessage: String
    let uses: [Choice]
    let useMessage: String
    let speedUnits: [Choice]
    let formError: String?
    let unreachable: Unreachable?

    init(
        _ context: SignedInContext, items: [ItemOverview], typed: SourceFormState, error: AppError?, t: TrackingStrings
    ) {
        shell = Shell(
            context, title: t.sources.add, menu: .tracking(t), isLargeTitle: false, isNarrow: true, hasTabs: false,
            back: ShellBack(url: TrackingPath.sources, label: t.common.cancel, isCancel: true),
            action: ShellAction(label: t.sources.create, formID: "source-form", isStrong: true)
        )
        self.t = t
        formAction = TrackingPath.sources
        kinds = SourceKind.allCases.map { kind in
            Choice(
                value: kind.rawValue, choiceLabel: kind.title(t),
                choiceHint: kind == .owntracks ? t.sources.ownTracksHint : t.sources.osmAndHint,
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
        kindMessage = error?.fields["kind"] == nil ? "" : t.sources.kindInvalid
        let isTaken = error?.message == TrackingErrorMessage.alreadyPaired.rawValue
        useMessage = isTaken ? t.sources.itemTaken : error?.fields["itemId"] ?? ""
        formError = isTaken || error?.fields.isEmpty == false ? nil : error?.translated(to: context.language).message
        unreachable = Unreachable(context.site, t: t)
    }

    private static func uses(_ items: [ItemOverview], chosen: String, _ t: TrackingStrings) -> [Choice] {
        let phone = Choice(value: "", choiceLabel: t.sources.asPhone, choiceHint: "", isChosen: chosen.isEmpty)
        let free = items.filter { $0.tracker == nil || $0.item.id.description == chosen }
        return [phone]
            + free.map { overview in
                let id = overview.item.id.description
                let label = TrackingStrings.fill(t.sources.asTracker, ["name": overview.item.name])
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
struct Secret: Sendable {
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
    let arrivedMoment: Moment?
    let assets: String

    init(_ source: Source, since: Instant, assets: String, t: TrackingStrings, formatter: TrackingFormatter) {
        self.assets = assets
        arrivalURL = TrackingPath.source(source.id) + "?since=\(since.millisecondsSince1970)"
        awaitedText = t.sources.firstAwaited
        arrivedText = t.sources.firstArrived
        arrivedMoment = source.lastSeenAt.flatMap { $0 >= since ? Moment($0, formatter) : nil }
    }
}

/// The same as a fragment, for live updates.
struct SourceReportStatusFragment: Sendable {
    let arrival: SourceReportStatus
}

/// The instructions for the app with its newly created secrets; shown once.
struct SourceSetUpPage: Sendable {
    let shell: Shell
    let t: TrackingStrings
    let steps: [String]
    let secrets: [Secret]
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

    init(_ context: SignedInContext, _ new: NewSource, t: TrackingStrings, formatter: TrackingFormatter) throws {
        let app = new.source.kind.title(t)
        shell = Shell(
            context, title: TrackingStrings.fill(t.sources.setUpTitle, ["app": app]), menu: .tracking(t),
            isLargeTitle: false, isNarrow: true, hasTabs: false
        )
        self.t = t
        let address = context.site.url + new.path
        let setUp = new.setupText(baseURL: context.site.url)
        qr = try QRCode.svg(setUp)
        doneURL = new.source.itemID.map(TrackingPath.item) ?? TrackingPath.sources
        sourceURL = TrackingPath.source(new.source.id)
        arrival = SourceReportStatus(new.source, since: formatter.now, assets: shell.assets, t: t, formatter: formatter)
        unreachable = Unreachable(context.site, t: t)
        switch new.source.kind {
        case .owntracks:
            steps = t.sources.stepsOwnTracks
            scanText = t.sources.scanOwnTracks
            openURL = setUp
            secrets = Self.secrets([
                (t.sources.url, address), (t.sources.user, new.user), (t.sources.password, new.secret),
                (t.sources.passphrase, new.passphrase),
            ])
        case .osmand:
            steps = t.sources.stepsOsmAnd
            scanText = t.sources.scanOsmAnd
            openURL = nil
            let bare = address.split(separator: "?", maxSplits: 1).first.map(String.init) ?? address
            secrets = Self.secrets([
                (t.sources.deviceID, new.secret), (t.sources.serverURL, bare),
                (t.sources.webAddress, Self.osmAndAddress(address)),
            ])
        }
    }

    /// Returns the URL with OsmAnd's placeholders, in the format of its settings.
    private static func osmAndAddress(_ address: String) -> String {
        address + "&lat={0}&lon={1}&timestamp={2}&hdop={3}&altitude={4}&speed={5}&bearing={6}"
    }

    private static func secrets(_ parts: [(label: String, value: String?)]) -> [Secret] {
        parts.enumerated().compactMap { index, part in
            part.value.map { Secret(secretID: "secret-\(index)", secretLabel: part.label, secretValue: $0) }
        }
    }
}
