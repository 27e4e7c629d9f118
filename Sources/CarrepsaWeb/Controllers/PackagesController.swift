import Accounts
import Carrepsa
import Hummingbird
import Kernel
import Pictures
import Recurrence
import WebCore

/// `/carrepsa/packages/new` and `/carrepsa/packages/{id}`: posting an offer, showing a package, withdrawing an offer.
struct PackagesController: Sendable {
    let packages: PackageService
    let wallets: WalletService
    let pictures: PictureLibrary
    let responder: PackageActionResponder
    let suggestions: PriceSuggestionService
    let links: OfferLinkService
    let maps: RouteFormMaps
    let currency: Currency

    /// - Parameter cases: the group of the routes that administrators use without a wallet.
    func addRoutes(
        to packages: RouterGroup<SignedInContext>, cases: RouterGroup<SignedInContext>,
        suggestions root: RouterGroup<SignedInContext>
    ) {
        root.post("price-suggestions", use: suggest)
        packages.get("new", use: new)
        packages.post(use: create)
        cases.get("{id}", use: show)
        packages.get("{id}/edit", use: edit)
        packages.put("{id}", use: update)
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
                    context, details, shareURL: shareURL(of: details, context), t: context.t,
                    formatter: context.carrepsaFormatter(currency))
            },
            json: { PackageDetailsJSON(details) }
        )
    }

    @Sendable func new(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var typed = PackageFormState()
        // Another person's package, or none, gives an empty form.
        if let id = context.query("from").flatMap({ ID<Package>($0) }),
            let details = try? await packages.details(of: id, for: context.actor), details.role == .owner
        {
            typed = PackageFormState(details.package, keepsDeadline: false, context.carrepsaFormatter(currency))
        }
        return try Responses.page(
            context, template: "carrepsa-new", fragment: "carrepsa-funds", try await form(context, .new, typed, nil))
    }

    /// Shows the form of a new package again with a suggested reward and deposit. It posts nothing.
    @Sendable func suggest(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var typed = PackageFormState()
        return try await Responses.form(
            context, template: "carrepsa-new", page: { error in try await form(context, .new, typed, error) },
            perform: {
                var fields = try await Fields.read(request, context)
                typed = PackageFormState(fields)
                // Without scripts, the photo comes with the form, and its field is empty in the next page. A person
                // can ask for several suggestions with one page, so its key doesn't cover the photos.
                let input = try await readInput(&fields, &typed, context) { _ in Change(actor: context.actor) }
                let requiresWeight = fields.isForm
                try fields.check { try suggestions.check(input, requiresWeight: requiresWeight) }
                let suggestion = try await suggestions.suggestion(for: input, of: context.actor)
                if context.face == .json { return try Responses.json(context, PriceSuggestionJSON(suggestion)) }
                return try await show(suggestion, typed, context)
            })
    }

    private func show(
        _ suggestion: PriceSuggestion, _ typed: PackageFormState, _ context: SignedInContext
    ) async throws -> Response {
        var typed = typed
        let formatter = context.carrepsaFormatter(currency)
        typed.reward = formatter.typed(suggestion.reward)
        // The owner knows what the package is worth.
        if typed.moneyLock.allSatisfy(\.isWhitespace) { typed.moneyLock = formatter.typed(suggestion.deposit) }
        return try Responses.page(
            context, template: "carrepsa-new", try await form(context, .new, typed, nil, suggestion: suggestion))
    }

    /// The public address of an own open offer; `nil` for others.
    private func shareURL(of details: PackageDetails, _ context: SignedInContext) -> String? {
        guard details.role == .owner, details.package.state == .available else { return nil }
        let id = details.package.id
        return "\(context.site.url)/offers/\(id)/\(links.secret(of: id))"
    }

    @Sendable func edit(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Package.self)
        let details = try await packages.details(of: id, for: context.actor)
        guard details.actions.contains(.edit) else {
            return Responses.seeOther(
                context, to: CarrepsaPath.package(id),
                toast: ShellToast(
                    context.t("This is no longer possible: the package was changed elsewhere."), isProblem: true))
        }
        let typed = PackageFormState(details.package, keepsDeadline: true, context.carrepsaFormatter(currency))
        return try Responses.page(
            context, template: "carrepsa-new", try await form(context, .edit(details.package), typed, nil))
    }

    @Sendable func update(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Package.self)
        var typed: PackageFormState?
        return try await Responses.form(
            context, template: "carrepsa-new",
            page: { error in
                let package = try await packages.details(of: id, for: context.actor).package
                var shown =
                    typed ?? PackageFormState(package, keepsDeadline: true, context.carrepsaFormatter(currency))
                if error.isStaleVersion { shown.version = String(package.version) }
                return try await form(context, .edit(package), shown, error)
            },
            perform: {
                var fields = try await Fields.read(request, context)
                var submitted = PackageFormState(fields)
                defer { typed = submitted }
                let input = try await packageInput(&fields, &submitted, context)
                let details = try await packages.edit(id, input, by: context.change(fields))
                return Responses.changed(
                    context, version: details.package.version, json: { PackageDetailsJSON(details) },
                    seeOther: CarrepsaPath.package(id), toast: ShellToast(context.t("Offer changed")))
            }
        )
    }

    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var typed = PackageFormState()
        return try await Responses.form(
            context, template: "carrepsa-new", page: { error in try await form(context, .new, typed, error) },
            perform: {
                var fields = try await Fields.read(request, context)
                typed = PackageFormState(fields)
                let input = try await packageInput(&fields, &typed, context)
                let details = try await packages.create(input, by: context.change(fields))
                let reward = context.carrepsaFormatter(currency).money(details.package.reward)
                let toast = context.t("Requested. {amount} is held for the carrier.", ["amount": reward])
                return Responses.created(
                    context, location: CarrepsaPath.package(details.package.id), version: details.package.version,
                    json: { PackageDetailsJSON(details) }, seeOther: CarrepsaPath.package(details.package.id),
                    toast: ShellToast(toast)
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

    /// Reads the fields, stores an uploaded picture, and checks everything.
    private func packageInput(
        _ fields: inout Fields, _ typed: inout PackageFormState, _ context: SignedInContext
    ) async throws -> PackageInput {
        let input = try await readInput(&fields, &typed, context) { try context.change($0) }
        try fields.check { try packages.validate(input) }
        return input
    }

    /// Reads the fields and stores an uploaded picture. Errors of the fields are noted.
    /// - Parameter change: returns who stores the picture, and the key that covers it, from all fields.
    private func readInput(
        _ fields: inout Fields, _ typed: inout PackageFormState, _ context: SignedInContext,
        storingBy change: (Fields) throws -> Change
    ) async throws -> PackageInput {
        var input = fields.packageInput(currency, context)
        let upload = fields.file("picture")
        if let picture = try await fields.store(upload, in: pictures, by: change(fields)) {
            input.pictureID = picture
            // A rejected form shows the uploaded picture again, so that the person needn't upload it twice.
            typed.pictureID = picture.description
        }
        return input
    }

    private func form(
        _ context: SignedInContext, _ purpose: PackageFormPurpose, _ typed: PackageFormState, _ error: AppError?,
        suggestion: PriceSuggestion? = nil
    ) async throws -> NewPackagePage {
        let wallet = try await wallets.wallet(of: context.actor)
        return NewPackagePage(
            context, purpose, typed: typed, suggestion: suggestion, wallet: wallet,
            map: try await maps.map(for: context.actor), error: error?.translated(to: context.language),
            t: context.t, formatter: context.carrepsaFormatter(currency)
        )
    }
}

extension Fields {
    /// Reads a new package's details. Forms have decimals and kilograms; JSON has minor units and grams.
    fileprivate mutating func packageInput(_ currency: Currency, _ context: SignedInContext) -> PackageInput {
        let origin = routeEnd("from", hasTimes: true)
        let language = context.language
        return PackageInput(
            title: string("title").value, from: string("from").value, to: string("to").value,
            origin: origin, destination: routeEnd("to", hasTimes: true),
            size: choice("size", of: PackageSize.self).value,
            weightGrams: isForm ? typed("weight") { Kilograms.grams(from: $0, in: language) } : integer("weight").value,
            reward: amount("reward", currency),
            moneyLock: amount("moneyLock", currency),
            description: string("description").value, pictureID: id("pictureId", of: Picture.self).value,
            deadline: latestPickup(origin, context), requiresPhotos: boolean("requiresPhotos").value
        )
    }

    /// Returns `nil` for invalid text; the service then reports the field as missing.
    private func typed(_ name: String, _ read: (String) -> Int64?) -> Int64? { read(typed(name)) }

    /// Reads the latest pickup. API clients send a time. Forms send a day, whose end counts: a script adds the instant;
    /// without one, the day is that of the browser's time zone, or of solar time at the origin.
    private mutating func latestPickup(_ origin: PackageEndInput, _ context: SignedInContext) -> Instant? {
        if let instant = instant("deadline").value { return instant }
        let day = typed("deadlineDay")
        guard isForm, !day.isEmpty else { return nil }
        guard let date = LocalDate(day) else {
            addError("deadlineDay", "Choose a day.")
            return nil
        }
        let zone = context.browserTimeZone.flatMap { try? LocalTimeZone($0) } ?? origin.timeZone ?? .utc
        return zone.instant(of: date.adding(days: 1), at: .midnight)
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
