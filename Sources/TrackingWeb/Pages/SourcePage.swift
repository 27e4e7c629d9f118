import Foundation
import Kernel
import Tracking
import WebCore

/// The page of one position source: its data, new secrets for it, and its removal.
struct SourcePage: Sendable {
    let shell: Shell
    let row: SourceRow
    let reloadURL: String
    let listURL: String
    let appAddress: String
    let unitText: String?
    let renewAction: String
    let removeAction: String

    init(
        _ context: SignedInContext, _ source: Source, itemName: String?, t: Translator,
        formatter: TrackingFormatter
    ) {
        let url = TrackingPath.source(source.id)
        shell = Shell(
            context, title: source.kind.title(t), menu: .tracking(t), tab: "items", isLargeTitle: false, isNarrow: true,
            back: ShellBack(url: TrackingPath.sources, label: t("Phones and apps"))
        )
        row = SourceRow(source, itemName: itemName, t: t, formatter: formatter)
        reloadURL = url
        listURL = TrackingPath.sources
        appAddress = context.site.url + "/ingest/" + source.kind.rawValue
        unitText = source.speedUnit.map { $0.title(t) }
        renewAction = url + "/secret?_method=put"
        removeAction = url + "?_method=delete"
    }
}

extension SpeedUnit {
    /// Returns the unit's name and the apps that send it.
    func title(_ t: Translator) -> String {
        switch self {
        case .knots: t("Knots (Traccar Client)")
        case .kmh: t("Kilometres an hour")
        case .mps: t("Metres a second (OsmAnd)")
        case .mph: t("Miles an hour")
        }
    }
}

/// A warning that phones can't reach the server's URL.
struct Unreachable: Sendable {
    let unreachableText: String

    /// Returns `nil` unless the URL is known to be unreachable for phones.
    init?(_ site: Site, t: Translator) {
        guard Self.isLoopbackOrUnspecified(site.url) else { return nil }
        unreachableText = t(
            """
            Its address is {url}, which works on this computer only. Set HOMEWARD_URL to an https address that \
            phones can reach, start the server again, then set the app up.
            """,
            ["url": site.url])
    }

    /// Returns whether a URL points to the client's own host (RFC 6761, 6.3; RFC 1122, 3.2.1.3; RFC 4291, 2.5.3) or to
    /// no host.
    static func isLoopbackOrUnspecified(_ url: String) -> Bool {
        guard let host = URLComponents(string: url)?.host?.lowercased() else { return false }
        let name = host.trimmingCharacters(in: CharacterSet(charactersIn: "[]."))
        let isLoopback = name.hasPrefix("127.") && name.allSatisfy { $0.isNumber || $0 == "." }
        return name == "localhost" || name.hasSuffix(".localhost") || isLoopback || name == "::1" || name == "0.0.0.0"
    }
}
