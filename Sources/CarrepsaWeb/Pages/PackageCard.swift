import Carrepsa
import Kernel
import Pictures
import WebCore

/// The view model of a package in a list.
struct PackageCard: Sendable {
    let id: String
    let url: String
    let cardPhotoURL: String?
    let title: String
    let route: String
    /// The weight, and the name of the other person if there is one.
    let about: String
    let reward: String
    let lock: String
    let dueMoment: FormattedDeadline?
    let badges: [CardBadge]

    /// The kind of list, which determines badges and names.
    enum Listing: Sendable {
        case offers(reader: PersonID)
        case owned
        case carried
        case disputed
    }

    init(_ package: Package, in listing: Listing, t: Translator, formatter: CarrepsaFormatter) {
        id = package.id.description
        url = CarrepsaPath.package(package.id)
        cardPhotoURL = package.pictureID.map { CarrepsaPath.picture($0, size: .small) }
        title = package.title
        route = [package.from, package.to].isolated(separator: " → ")
        reward = formatter.money(package.reward)
        lock = t("Deposit {amount}", ["amount": formatter.money(package.moneyLock)])
        let isWaiting = package.state == .available || package.state == .accepted
        dueMoment = isWaiting ? package.deadline.map { FormattedDeadline($0, formatter.times) } : nil
        about = Self.about(package, in: listing, t, formatter)
        badges = CardBadge.all(of: package, in: listing, now: formatter.now, t)
    }

    private static func about(
        _ package: Package, in listing: Listing, _ t: Translator, _ formatter: CarrepsaFormatter
    ) -> String {
        let weight = formatter.weight(package.weightGrams)
        switch listing {
        case .owned:
            guard let name = package.carrier?.name else { return weight }
            return [weight, t("with {name}", ["name": name])].isolated(separator: " · ")
        case .carried, .disputed:
            guard let name = package.owner.name else { return weight }
            return [weight, t("for {name}", ["name": name])].isolated(separator: " · ")
        case .offers: return weight
        }
    }
}

/// A badge with the package's state.
struct CardBadge: Sendable {
    let word: String
    /// The CSS class of the badge, or empty.
    let kind: String

    static func all(
        of package: Package, in listing: PackageCard.Listing, now: Instant, _ t: Translator
    ) -> [CardBadge] {
        var badges: [CardBadge] = []
        let isUnfunded = package.state == .available && !package.funded && !package.isLapsed(now)
        if case .offers(let reader) = listing {
            if package.owner.id == reader { badges.append(CardBadge(word: t("Yours"), kind: "badge-accent")) }
        } else if !isUnfunded {
            badges.append(state(package, t))
        }
        if package.isLapsed(now) {
            badges.append(CardBadge(word: t("Pickup deadline passed"), kind: "badge-warning"))
        } else if isUnfunded {
            badges.append(CardBadge(word: t("Reward not funded"), kind: "badge-warning"))
        }
        guard package.state == .travelling else { return badges }
        if package.disputedAt != nil {
            badges.append(CardBadge(word: t("Problem reported"), kind: "badge-danger"))
        } else if package.cancellationRequestedBy != nil {
            badges.append(CardBadge(word: t("Cancellation asked for"), kind: "badge-warning"))
        } else if package.deliveryReportedAt != nil, case .owned = listing {
            badges.append(CardBadge(word: t("Confirm delivery?"), kind: "badge-warning"))
        }
        return badges
    }

    static func state(_ package: Package, _ t: Translator) -> CardBadge {
        switch package.state {
        case .available: CardBadge(word: t("Available"), kind: "")
        case .accepted: CardBadge(word: t("Accepted"), kind: "badge-accent")
        case .travelling: CardBadge(word: t("Travelling"), kind: "badge-accent")
        case .delivered: CardBadge(word: t("Delivered"), kind: "badge-good")
        case .cancelled: CardBadge(word: t("Cancelled"), kind: "")
        }
    }
}
