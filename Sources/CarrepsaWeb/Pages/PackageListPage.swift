import Accounts
import Carrepsa
import Kernel
import WebCore

/// A list of packages: the search, one's own, one's deliveries.
struct PackageListPage: Sendable {
    let shell: Shell
    let t: CarrepsaStrings
    let search: SearchForm?
    let segments: [ListSegment]
    let hasSegments: Bool
    /// Where a live update comes from.
    let reloadURL: String
    let cards: [PackageCard]
    let emptyNote: EmptyNote?
    let moreURL: String?
    /// The message at the weight, for the script that marks the field; `nil` for none.
    let weightMessage: String?

    /// The packages that anybody may take along.
    init(
        offersFor context: SignedInContext, _ page: CarrepsaPage<Package>, filter: TypedFilter, after: String?,
        t: CarrepsaStrings, wording: CarrepsaWording
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
                $0, in: .offers(reader: context.actor.person), assets: context.assets, t: t, wording: wording)
        }
        emptyNote = page.items.isEmpty ? .offers(isFiltered: !filter.isEmpty, t) : nil
        reloadURL = filter.url(after: after)
        moreURL = page.next.map { filter.url(after: $0) }
        weightMessage = filter.weightMessage.isEmpty ? nil : filter.weightMessage
    }

    /// One's own packages, or those one carries.
    init(
        _ listing: PackageListing, isPast: Bool, for context: SignedInContext, _ page: CarrepsaPage<Package>,
        filter: TypedFilter, after: String?, t: CarrepsaStrings, wording: CarrepsaWording
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
            PackageCard($0, in: isOwned ? .owned : .carried, assets: context.assets, t: t, wording: wording)
        }
        emptyNote = page.items.isEmpty ? .own(isOwned: isOwned, isPast: isPast, t) : nil
        let here = ([root + (isPast ? CarrepsaPath.past : "")] + filter.items).joined(separator: "&")
        reloadURL = here + (after.map { "&after=\(PathSegment.encoded($0))" } ?? "")
        moreURL = page.next.map { here + "&after=\(PathSegment.encoded($0))" }
        weightMessage = nil
    }
}

/// One of the two halves of a list.
struct ListSegment: Sendable {
    let segmentURL: String
    let label: String
    let isCurrent: Bool
}

/// What the search is narrowed by, as it was typed.
struct TypedFilter: Sendable {
    var from = ""
    var to = ""
    /// Kilograms as people write them.
    var kilograms = ""
    /// What is wrong with the weight; empty for nothing.
    var weightMessage = ""

    var isEmpty: Bool { from.isEmpty && to.isEmpty && kilograms.isEmpty }

    /// The same search, further down.
    func url(after: String?) -> String {
        let items = self.items + (after.map { ["after=\(PathSegment.encoded($0))"] } ?? [])
        return items.isEmpty ? CarrepsaPath.packages : CarrepsaPath.packages + "?" + items.joined(separator: "&")
    }

    /// What of it there is, as parts of a query.
    var items: [String] {
        var items: [String] = []
        if !from.isEmpty { items.append("from=\(PathSegment.encoded(from))") }
        if !to.isEmpty { items.append("to=\(PathSegment.encoded(to))") }
        if !kilograms.isEmpty { items.append("kilograms=\(PathSegment.encoded(kilograms))") }
        return items
    }
}

/// The search's fields.
struct SearchForm: Sendable {
    let searchAction: String
    let fromText: String
    let toText: String
    let kilogramsText: String
    let weightMessage: String
    let isWeightInvalid: Bool
    let isFiltered: Bool

    init(_ filter: TypedFilter, t: CarrepsaStrings) {
        searchAction = CarrepsaPath.packages
        fromText = filter.from
        toText = filter.to
        kilogramsText = filter.kilograms
        weightMessage = filter.weightMessage
        isWeightInvalid = !filter.weightMessage.isEmpty
        isFiltered = !filter.isEmpty
    }
}

/// What an empty list says, and what to do then.
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
