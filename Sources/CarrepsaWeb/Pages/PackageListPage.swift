import Accounts
import Carrepsa
import Kernel
import WebCore

/// The view model of a package list: the search, the reader's packages or their deliveries.
struct PackageListPage: Sendable {
    let shell: Shell
    let search: SearchForm?
    let segments: [ListSegment]
    let hasSegments: Bool
    /// The URL that live updates load.
    let reloadURL: String
    let cards: [PackageCard]
    let emptyNote: EmptyNote?
    let moreURL: String?
    /// The error at the weight, for the script that marks the field; `nil` for none.
    let weightMessage: String?

    /// Creates the page of all offers.
    init(
        offersFor context: SignedInContext, _ page: ListPage<Package>, filter: PackageFilterFormState,
        after: String?,
        t: Translator, formatter: CarrepsaFormatter
    ) {
        shell = Shell(
            context, title: t("Search"), menu: .carrepsa(t), tab: CarrepsaTab.search.rawValue,
            isRefreshable: true, emptyDetail: t("Choose a package")
        )
        search = SearchForm(filter)
        segments = []
        hasSegments = false
        cards = page.items.map {
            PackageCard($0, in: .offers(reader: context.actor.person), t: t, formatter: formatter)
        }
        emptyNote = page.items.isEmpty ? .offers(isFiltered: !filter.isEmpty, t) : nil
        reloadURL = filter.url(after: after)
        moreURL = page.next.map { filter.url(after: $0) }
        weightMessage = filter.weightMessage.isEmpty ? nil : filter.weightMessage
    }

    /// Creates the page of the reader's own packages or of those they carry.
    init(
        _ listing: PackageListing, isPast: Bool, for context: SignedInContext, _ page: ListPage<Package>,
        filter: PackageFilterFormState, after: String?, t: Translator, formatter: CarrepsaFormatter
    ) {
        let isOwned = listing == .owned
        let tab: CarrepsaTab = isOwned ? .mine : .deliveries
        let root = isOwned ? CarrepsaPath.mine : CarrepsaPath.deliveries
        shell = Shell(
            context, title: isOwned ? t("My packages") : t("My deliveries"), menu: .carrepsa(t), tab: tab.rawValue,
            isRefreshable: true, emptyDetail: t("Choose a package")
        )
        search = nil
        segments = [
            ListSegment(segmentURL: root, label: t("Live"), isCurrent: !isPast),
            ListSegment(segmentURL: root + CarrepsaPath.past, label: t("Past"), isCurrent: isPast),
        ]
        hasSegments = true
        cards = page.items.map {
            PackageCard($0, in: isOwned ? .owned : .carried, t: t, formatter: formatter)
        }
        emptyNote = page.items.isEmpty ? .own(isOwned: isOwned, isPast: isPast, t) : nil
        let here = ([root + (isPast ? CarrepsaPath.past : "")] + filter.items).joined(separator: "&")
        reloadURL = here + (after.map { "&after=\(PercentEncoding.encoded($0))" } ?? "")
        moreURL = page.next.map { here + "&after=\(PercentEncoding.encoded($0))" }
        weightMessage = nil
    }
}

/// The link to one half of a list: current or past packages.
struct ListSegment: Sendable {
    let segmentURL: String
    let label: String
    let isCurrent: Bool
}

/// The search filter as typed.
struct PackageFilterFormState: Sendable {
    var from = ""
    var to = ""
    /// The weight in kilograms, as typed.
    var kilograms = ""
    /// The error at the weight; empty for none.
    var weightMessage = ""

    var isEmpty: Bool { from.isEmpty && to.isEmpty && kilograms.isEmpty }

    /// Returns the URL of the search, from a cursor on.
    func url(after: String?) -> String {
        let items = self.items + (after.map { ["after=\(PercentEncoding.encoded($0))"] } ?? [])
        return items.isEmpty ? CarrepsaPath.packages : CarrepsaPath.packages + "?" + items.joined(separator: "&")
    }

    /// The query items of the filter's non-empty fields.
    var items: [String] {
        var items: [String] = []
        if !from.isEmpty { items.append("from=\(PercentEncoding.encoded(from))") }
        if !to.isEmpty { items.append("to=\(PercentEncoding.encoded(to))") }
        if !kilograms.isEmpty { items.append("kilograms=\(PercentEncoding.encoded(kilograms))") }
        return items
    }
}

/// The view model of the search form.
struct SearchForm: Sendable {
    let searchAction: String
    let fromText: String
    let toText: String
    let kilogramsText: String
    let weightMessage: String
    let isWeightInvalid: Bool
    let isFiltered: Bool

    init(_ filter: PackageFilterFormState) {
        searchAction = CarrepsaPath.packages
        fromText = filter.from
        toText = filter.to
        kilogramsText = filter.kilograms
        weightMessage = filter.weightMessage
        isWeightInvalid = !filter.weightMessage.isEmpty
        isFiltered = !filter.isEmpty
    }
}

/// The text of an empty list, with a suggested action.
struct EmptyNote: Sendable {
    let icon: String
    let emptyTitle: String
    let emptyText: String
    let hasAction: Bool
    let emptyURL: String
    let emptyLabel: String

    static func offers(isFiltered: Bool, _ t: Translator) -> EmptyNote {
        isFiltered
            ? EmptyNote(
                icon: "package-search", emptyTitle: t("Nothing on this way yet"),
                emptyText: t("New requests that fit appear here automatically. A place’s first letters are enough."),
                hasAction: true, emptyURL: CarrepsaPath.packages, emptyLabel: t("Clear filters")
            )
            : EmptyNote(
                icon: "package-open", emptyTitle: t("Nothing to carry right now"),
                emptyText: t("New requests appear here automatically. Do you have something to send?"), hasAction: true,
                emptyURL: CarrepsaPath.newPackage, emptyLabel: t("New package")
            )
    }

    static func own(isOwned: Bool, isPast: Bool, _ t: Translator) -> EmptyNote {
        if isPast {
            return EmptyNote(
                icon: "history", emptyTitle: t("Past"),
                emptyText: isOwned
                    ? t("What has arrived or was called off is listed here.")
                    : t("What you have delivered is listed here."), hasAction: false,
                emptyURL: "", emptyLabel: ""
            )
        }
        return isOwned
            ? EmptyNote(
                icon: "package", emptyTitle: t("You aren’t sending anything right now"),
                emptyText: t("Ask your neighbours to take a package along."), hasAction: true,
                emptyURL: CarrepsaPath.newPackage, emptyLabel: t("New package")
            )
            : EmptyNote(
                icon: "backpack", emptyTitle: t("You aren’t carrying anything right now"),
                emptyText: t("Look for a package that is on your way."),
                hasAction: true, emptyURL: CarrepsaPath.packages, emptyLabel: t("Search")
            )
    }
}
