import Accounts
import Carrepsa
import Hummingbird
import Kernel
import Pictures
import WebCore

/// `/carrepsa/packages/new` and `/carrepsa/packages/{id}`: posting an offer, showing a package, withdrawing an offer.
struct PackagesController: Sendable {
    let packages: PackageService
    let wallets: WalletService
    let pictures: PictureLibrary
    let responder: PackageActionResponder
    let currency: Currency

    func addRoutes(to packages: RouterGroup<SignedInContext>) {
        packages.get("new", use: new)
        packages.post(use: create)
        packages.get("{id}", use: show)
        packages.delete("{id}", use: destroy)
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Package.self)
        let details: PackageDetails
        do {
            details = try await packages.details(of: id, for: context.actor)
        } catch let error as AppError where error.code == .notFound && context.face == .fragment {
            guard let reason = try await packages.endReason(of: id, for: context.actor) else { throw error }
            return Responses.gone(
                context, toast: ShellToast(reason.text(context.t), isProblem: true))
        }
        return try Responses.of(
            context, template: "carrepsa-package", fragment: "carrepsa-status", version: details.package.version,
            page: {
                PackagePage(
                    context, details, t: context.t, formatter: context.carrepsaFormatter(currency))
            },
            json: { PackageDetailsJSON(details) }
        )
    }

    @Sendable func new(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try Responses.page(context, template: "carrepsa-new", try await form(context, PackageFormState(), nil))
    }

    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var typed = PackageFormState()
        return try await Responses.form(
            context, template: "carrepsa-new", page: { error in try await form(context, typed, error) },
            perform: {
                var fields = try await Fields.read(request, context)
                typed = PackageFormState(fields)
                var input = fields.packageInput(currency)
                let upload = fields.file("picture")
                let change = try context.change(fields)
                if let picture = try await fields.store(upload, in: pictures, by: change) {
                    input.pictureID = picture
                    // A rejected form shows the uploaded picture again, so that the person needn't upload it twice.
                    typed.pictureID = picture.description
                }
                try fields.check { [input] in try packages.validate(input) }
                let details = try await packages.create(input, by: change)
                let reward = context.carrepsaFormatter(currency).money(details.package.reward)
                let toast = context.t("Requested. {amount} is held for the carrier.", ["amount": reward])
                return Responses.created(
                    context, location: CarrepsaPath.package(details.package.id), version: details.package.version,
                    json: { PackageDetailsJSON(details) }, seeOther: CarrepsaPath.mine, toast: ShellToast(toast)
                )
            }
        )
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Package.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        if let redirect = responder.confirmation(.withdraw, of: id, fields, context) { return redirect }
        return try await responder.showingErrors(id, context) {
            try await packages.withdraw(id, by: context.change(fields))
            return Responses.removed(
                context, seeOther: CarrepsaPath.mine, toast: ShellToast(context.t("Request cancelled")))
        }
    }

    private func form(
        _ context: SignedInContext, _ typed: PackageFormState, _ error: AppError?
    ) async throws -> NewPackagePage {
        let wallet = try await wallets.wallet(of: context.actor)
        return NewPackagePage(
            context, typed: typed, wallet: wallet,
            error: error?.translated(to: context.language),
            t: context.t, formatter: context.carrepsaFormatter(currency)
        )
    }
}

extension Fields {
    /// Reads a new package's details. Forms have decimals and kilograms; JSON has minor units and grams.
    fileprivate mutating func packageInput(_ currency: Currency) -> PackageInput {
        PackageInput(
            title: string("title").value, from: string("from").value, to: string("to").value,
            weightGrams: isForm ? typed("weight", Kilograms.grams) : integer("weight").value,
            reward: isForm ? typed("reward", currency.minor) : integer("reward").value,
            moneyLock: isForm ? typed("moneyLock", currency.minor) : integer("moneyLock").value,
            description: string("description").value, pictureID: id("pictureId", of: Picture.self).value,
            deadline: latestPickup()
        )
    }

    /// Returns `nil` for invalid text; the service then reports the field as missing.
    private func typed(_ name: String, _ read: (String) -> Int64?) -> Int64? { read(typed(name)) }

    /// Reads the latest pickup. API clients send a time. Forms send a day, whose end counts: in the reader's time
    /// zone if a script adds it, otherwise in UTC.
    private mutating func latestPickup() -> Instant? {
        if let instant = instant("deadline").value { return instant }
        let day = typed("deadlineDay")
        guard isForm, !day.isEmpty else { return nil }
        guard let midnight = Instant(rfc3339: day + "T00:00:00Z") else {
            addError("deadlineDay", "Choose a day.")
            return nil
        }
        return midnight.adding(seconds: 24 * 60 * 60)
    }
}

extension OfferEndReason {
    /// Returns the message for an offer that disappeared while the reader viewed it.
    func text(_ t: Translator) -> String {
        switch self {
        case .taken: t("Another carrier was faster.")
        case .withdrawn: t("The owner cancelled the request.")
        case .settled: t("This is settled: no decision is needed any more.")
        }
    }
}
