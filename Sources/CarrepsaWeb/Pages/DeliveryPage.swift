import Carrepsa
import Kernel
import WebCore

/// The page of a package's recipient.
struct DeliveryPage: Sendable {
    let shell: Shell
    let deliveryURL: String
    /// The URL that the open page loads again.
    let pollURL: String
    let packageTitle: String
    let routeText: String
    let stateIcon: String
    let stateText: String
    let stateNote: String
    let isRefused: Bool
    let facts: [PackageFact]
    let hasFacts: Bool
    /// The delivery code in two groups; `nil` unless the package is on its way.
    let codeText: String?
    let formError: String?
    /// `nil` unless the recipient can say where to leave it.
    let leaveField: PackageField?
    let canRefuse: Bool
    let refusalNote: String

    init(
        _ context: AppContext, _ view: DeliveryView, secret: String, typed: String? = nil, error: AppError? = nil
    ) {
        let t = context.t
        let carrier = view.carrierName ?? t("The carrier")
        shell = Shell(context, title: t("A package for you"), menu: .bare, isNarrow: true, hasTabs: false)
        deliveryURL = CarrepsaPath.delivery(secret)
        pollURL = deliveryURL + "?shown=" + view.pageMark
        packageTitle = view.title
        routeText = [view.from, view.to].isolated(separator: " → ")
        (stateIcon, stateText) = Self.state(view, carrier: carrier, t)
        stateNote = view.ownerName.map { t("Sent by {name}", ["name": $0]) } ?? ""
        isRefused = view.isRefused
        let recipient = view.recipient
        facts = [
            (t("When and where to meet"), recipient.meeting), (t("Your address"), recipient.address),
            (t("Where to leave it"), recipient.leaveAt),
        ].compactMap { label, text in text.map { PackageFact(factLabel: label, factText: $0) } }
        hasFacts = !facts.isEmpty
        codeText =
            view.isRefused
            ? nil
            : view.code.map { code in
                let half = code.count / 2
                return code.prefix(half) + "\u{a0}" + code.dropFirst(half)
            }
        let shown = error?.translated(to: context.language)
        leaveField =
            view.canInstruct && !view.isRefused
            ? PackageField(
                "leaveAt", t("Where to leave it"), value: typed ?? recipient.leaveAt ?? "",
                hint: t("For example with a neighbour. Owner and carrier see it."),
                message: shown?.fields["leaveAt"] ?? "")
            : nil
        canRefuse = view.canRefuse
        refusalNote =
            view.state == .travelling
            ? t("Owner and carrier are notified and arrange how it comes back.") : t("Owner and carrier are notified.")
        formError = shown?.fields["leaveAt"] == nil ? shown?.message : nil
    }

    private static func state(_ view: DeliveryView, carrier: String, _ t: Translator) -> (icon: String, text: String) {
        switch view.state {
        case .accepted where view.isRefused, .travelling where view.isRefused:
            ("x", t("Owner and carrier were notified. You need not do anything."))
        case .available:
            (
                "search",
                t(
                    """
                    We’re still looking for a carrier. Once one has picked the package up, this page shows your \
                    delivery code.
                    """)
            )
        case .accepted:
            (
                "package",
                t(
                    "{name} will collect it and bring it to you. Your delivery code appears here once it is on the way.",
                    ["name": carrier])
            )
        case .travelling where view.isReported:
            ("check", t("{name} says it has arrived.", ["name": carrier]))
        case .travelling: ("navigation", t("{name} is on the way with it.", ["name": carrier]))
        case .delivered: ("check", t("It was delivered."))
        case .cancelled: ("x", t("The delivery was cancelled."))
        }
    }
}

/// The page of a delivery's link that doesn't exist or has ended.
struct DeliveryGonePage: Sendable {
    let shell: Shell
    /// `nil` on the whole page, whose shell has the title.
    let partTitle: String?

    init(_ context: AppContext) {
        let title = context.t("This link no longer works")
        shell = Shell(context, title: title, menu: .bare, isNarrow: true, hasTabs: false)
        partTitle = context.face == .fragment ? title : nil
    }
}
