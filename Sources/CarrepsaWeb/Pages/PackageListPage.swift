import Accounts
import Carrepsa
import Kernel
import WebCore

/// The view model of a package list: the search, the reader's packages or their deliveries.
struct PackageListPage: Sendable {
    let shell: Shell
    let t: CarrepsaStrings
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
        t: CarrepsaStrings, formatter: CarrepsaFormatter
    ) {
        shell = Shell(
            context, title: t.common.search, menu: .carrepsa(t), tab: CarrepsaTab.search.rawValue,
            isRefreshable: true, emptyDetail: t.lists.choose
        )
        self.t = t
        search = SearchForm(filter, t: t)
        segments = []
        hasSegments = false
        cards = page.items.map {
            PackageCard(
                $0, in: .offers(reader: context.actor.person), assets: context.assets, t: t, formatter: formatter)
        }
        emptyNote = page.items.isEmpty ? .offers(isFiltered: !filter.isEmpty, t) : nil
        reloadURL = filter.url(after: after)
        moreURL = page.next.map { filter.url(after: $0) }
        weightMessage = filter.weightMessage.isEmpty ? nil : filter.weightMessage
    }

    /// Creates the page of the reader's own packages or of those they carry.
    init(
        _ listing: PackageListing, isPast: Bool, for context: SignedInContext, _ page: ListPage<Package>,
        filter: PackageFilterFormState, after: String?, t: CarrepsaStrings, formatter: CarrepsaFormatter
    ) {
        let isOwned = listing == .owned
        let tab: CarrepsaTab = isOwned ? .mine : .deliveries
        let root = isOwned ? CarrepsaPath.mine : CarrepsaPath.deliveries
        shell = Shell(
            context, title: isOwned ? t.common.mine : t.common.deliveries, menu: .carrepsa(t), tab: tab.rawValue,
            isRefreshable: true, emptyDetail: t.lists.choose
        )
        self.t = t
        search = nil
        segments = [
            ListSegment(segmentURL: root, label: t.lists.live, isCurrent: !isPast),
            ListSegment(segmentURL: root + CarrepsaPath.past, label: t.lists.past, isCurrent: isPast),
        ]
        hasSegments = true
        cards = page.items.map {
            PackageCard($0, in: isOwned ? .owned : .carried, assets: context.assets, t: t, formatter: formatter)
        }
        emptyNote = page.items.isEmpty ? .own(isOwned: isOwned, isPast: isPast, t) : nil
        let here = ([root + (isPast ? CarrepsaPath.past : "")] + filter.items).joined(separator: "&")
        reloadURL = here + (after.map { "&after=\(PathSegment.encoded($0))" } ?? "")
        moreURL = page.next.map { here + "&after=\(PathSegment.encoded($0))" }
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
        let items = self.items + (after.map { ["after=\(PathSegment.encoded($0))"] } ?? [])
        return items.isEmpty ? CarrepsaPath.packages : CarrepsaPath.packages + "?" + items.joined(separator: "&")
    }

    /// The query items of the filter's non-empty fields.
    var items: [String] {
        var items: [String] = []
        if !from.isEmpty { items.append("from=\(PathSegment.encoded(from))") }
        if !to.isEmpty { items.append("to=\(PathSegment.encoded(to))") }
        if !kilograms.isEmpty { items.append("kilograms=\(PathSegment.encoded(kilograms))") }
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

    init(_ filter: PackageFilterFormState, t: CarrepsaStrings) {
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

    static func offers(isFiltered: Bool, _ t: CarrepsaStrings) -> EmptyNote {
        isFiltered
            ? EmptyNote(
                icon: "package-search", emptyTitle: t.search.noMatchTitle, emptyText: t.search.noMatchText,
                hasAction: true, emptyURL: CarrepsaPath.packages, emptyLabel: t.search.clear
            )
            : EmptyNote(
                icon: "package-open", emptyTitle: t.search.noneTitle, emptyText: t.search.noneText, hasAction: true,
                emptyURL: CarrepsaPath.newPackage, emptyLabel: t.form.title
            )
    }

    static func own(isOwned: Bool, isPast: Bool, _ t: CarrepsaStrings) -> EmptyNote {
        if isPast {
            return EmptyNote(
                icon: "history", emptyTitle: t.lists.past,
                emptyText: isOwned ? t.lists.minePastNone : t.lists.deliveriesPastNone, hasAction: false,
                emptyURL: "", emptyLabel: ""
            )
        }
        return isOwned
            ? EmptyNote(
                icon: "package", emptyTitle: t.lists.mineNoneTitle, emptyText: t.lists.mineNoneText, hasAction: true,
                emptyURL: CarrepsaPath.newPackage, emptyLabel: t.form.title
            )
            : EmptyNote(
                icon: "backpack", emptyTitle: t.lists.deliveriesNoneTitle, emptyText: t.lists.deliveriesNoneText,
                hasAction: true, emptyURL: CarrepsaPath.packages, emptyLabel: t.common.search
            )
    }
}
