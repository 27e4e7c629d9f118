import Carrepsa
import Kernel
import WebCore

/// The view model of an offer for people without an account.
struct SharedOfferPage: Sendable {
    let shell: Shell
    let leadText: String
    let routeText: String
    let rewardText: String
    let facts: [PackageFact]
    let deadlineMoment: FormattedDeadline?
    let routeMap: RouteMapView?
    /// What people with an account see in addition; `nil` for nothing.
    let moreText: String?
    let openURL: String
    /// `nil` if registration is closed.
    let signUpURL: String?

    init(_ context: AppContext, _ offer: SharedOffer, t: Translator, formatter: CarrepsaFormatter) {
        let package = offer.package
        shell = Shell(
            context, title: package.title, menu: .carrepsaSignedOut, isNarrow: true, hasTabs: false,
            back: ShellBack(url: CarrepsaPath.root, label: "Carrepsa"))
        leadText =
            offer.ownerFirstName.map { t("{name} is looking for someone to take this along.", ["name": $0]) }
            ?? t("The owner is looking for someone to take this along.")
        routeText = [package.from, package.to].isolated(separator: " → ")
        rewardText = formatter.money(package.reward)
        facts = [
            package.route.size.map { PackageFact(factLabel: t("Size"), factText: $0.label(t)) },
            PackageFact(factLabel: t("Weight"), factText: formatter.weight(package.weightGrams)),
            PackageFact(factLabel: t("Deposit"), factText: formatter.money(package.moneyLock)),
        ].compactMap(\.self)
        deadlineMoment = package.deadline.map { FormattedDeadline($0, formatter.times) }
        routeMap = RouteMapView(context, package.route, t)
        let hasTimes = [package.route.origin, package.route.destination].contains { $0.openingTimes != nil }
        moreText =
            switch (package.description != nil, hasTimes) {
            case (true, true): t("Sign in to read the description and the opening times.")
            case (true, false): t("Sign in to read the description.")
            case (false, true): t("Sign in to read the opening times.")
            case (false, false): nil
            }
        openURL = CarrepsaPath.package(package.id)
        let destination = PercentEncoding.encoded(openURL)
        signUpURL = context.offersRegistration() ? "/register?app=carrepsa&return=\(destination)" : nil
    }
}

/// The view model of a shared offer that has ended.
struct SharedOfferGonePage: Sendable {
    let shell: Shell
    let carrepsaURL: String

    init(_ context: AppContext) {
        shell = Shell(
            context, title: context.t("This offer has ended"), menu: .carrepsaSignedOut, isNarrow: true,
            hasTabs: false, back: ShellBack(url: CarrepsaPath.root, label: "Carrepsa"))
        carrepsaURL = CarrepsaPath.root
    }
}
