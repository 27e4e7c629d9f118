import Carrepsa
import Hummingbird
import Kernel
import WebCore

/// `/carrepsa/packages/{id}/split-offer` and `/acceptance` below it: owner and carrier agree on a division of the
/// money of a package in dispute.
struct SplitOffersController: Sendable {
    let disputes: DisputeService
    let responder: PackageActionResponder
    let currency: Currency

    func addRoutes(to packages: RouterGroup<SignedInContext>) {
        packages.post("{id}/split-offer", use: create)
        packages.delete("{id}/split-offer", use: destroy)
        packages.post("{id}/split-offer/acceptance", use: createAcceptance)
    }

    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Package.self)
        var fields = try await Fields.read(request, context)
        let split = fields.split(currency)
        let statement = fields.string("statement").value
        let sent = PackagePage.Sent(
            rewardToCarrier: fields.typed("rewardToCarrier"), depositToOwner: fields.typed("depositToOwner"),
            splitStatement: fields.typed("statement"))
        return try await responder.showingErrors(id, context, form: sent.with) { [fields] in
            var fields = fields
            try fields.check { try disputes.validate(statement: statement) }
            let package = try await disputes.offerSplit(id, split, statement: statement, by: context.change(fields))
            return responder.created(
                package, context, list: CarrepsaPath.package(id), toast: context.t("Offered. {name} is notified."))
        }
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Package.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        return try await responder.showingErrors(id, context) {
            let package = try await disputes.removeOffer(id, by: context.change(fields))
            return responder.changed(
                package, context, list: CarrepsaPath.package(id),
                toast: context.t("The offer is gone. {name} is notified."))
        }
    }

    @Sendable func createAcceptance(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Package.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        if let redirect = responder.confirmation(.acceptSplit, of: id, fields, context) { return redirect }
        return try await responder.showingErrors(id, context) {
            let package = try await disputes.acceptSplit(id, by: context.change(fields))
            return responder.created(
                package, context, list: CarrepsaPath.package(id),
                toast: context.t("Accepted. The money is divided. {name} is notified."))
        }
    }
}

extension Fields {
    /// Reads a division of the money; `nil` if an amount is missing or isn't a number. Forms have decimals, JSON has
    /// minor units.
    mutating func split(_ currency: Currency) -> MoneySplit? {
        let reward = splitAmount("rewardToCarrier", currency)
        let deposit = splitAmount("depositToOwner", currency)
        guard let reward, let deposit else { return nil }
        return MoneySplit(rewardToCarrier: reward, depositToOwner: deposit)
    }

    private mutating func splitAmount(_ name: String, _ currency: Currency) -> Int64? {
        let amount = amount(name, currency)
        if amount == nil { addError(name, CarrepsaMessage.splitAmountMissing.text) }
        return amount
    }
}
