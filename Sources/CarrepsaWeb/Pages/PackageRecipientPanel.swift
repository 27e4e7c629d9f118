import Accounts
import Carrepsa
import Kernel
import WebCore

/// The recipient at the top of the carrier's page: how to reach them, and where to bring the package.
struct PackageRecipientPanel: Sendable {
    let panelRows: [RecipientRow]

    /// - Returns: `nil` for other people than the carrier, without a recipient, and after the end of the delivery.
    init?(_ details: PackageDetails, app: MapsApp?, _ t: Translator) {
        guard details.role == .carrier, let recipient = details.recipient else { return nil }
        let point = details.package.route.destination.point
        let mapURL =
            point.map { PlaceLink.url($0, app: app) } ?? recipient.address.map { PlaceLink.url(address: $0, app: app) }
        panelRows = RecipientRow.all(recipient, addressURL: mapURL, isCallable: true, t)
    }
}

/// A step that makes a new offer complete.
struct OfferStep: Sendable {
    let offerStepURL: String
    let offerStepIcon: String
    let offerStepText: String

    /// Returns the steps that are open; none for other people than the owner, and after the acceptance.
    static func open(_ details: PackageDetails, isLapsed: Bool, _ t: Translator) -> [OfferStep] {
        let package = details.package
        guard details.role == .owner, package.state == .available, !isLapsed else { return [] }
        var steps: [OfferStep] = []
        if !package.hasRecipient {
            steps.append(
                OfferStep(
                    offerStepURL: CarrepsaPath.recipient(package.id), offerStepIcon: "user",
                    offerStepText: t("Add who receives it")))
        }
        if package.route.origin.point == nil || package.route.destination.point == nil {
            steps.append(
                OfferStep(
                    offerStepURL: CarrepsaPath.package(package.id) + "/edit#places", offerStepIcon: "map-pin",
                    offerStepText: t("Travellers can’t find this on their way yet: set both ends on the map.")))
        }
        return steps
    }
}
