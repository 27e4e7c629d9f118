import Accounts
import Carrepsa
import Hummingbird
import Kernel
import Pictures
import Storage
import WebCore

extension CarrepsaPages {
    /// The values of the query parameter `role`.
    private enum Whose: String {
        case owner
        case carrier

        var listing: PackageListing { self == .owner ? .owned : .carried }
    }

    // MARK: Lists

    @Sendable func listPackages(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let paging = try context.paging()
        let isWhole = context.face != .json && context.query("limit") == nil
        let limit = isWhole ? Limits.pageSizeMaximum : paging.limit
        guard let role = context.query("role"), !role.isEmpty else {
            return try await search(context, after: paging.after, limit: limit)
        }
        guard let whose = Whose(rawValue: role) else { throw AppError.invalid("role", "Choose owner or carrier.") }
        return try await own(whose.listing, context, after: paging.after, limit: limit)
    }

    private func search(_ context: SignedInContext, after: String?, limit: Int) async throws -> Response {
        var typed = PackageFilterFormState(from: context.query("from") ?? "", to: context.query("to") ?? "")
        let filter = PackageFilter(
            from: typed.from, to: typed.to, maxWeightGrams: try maxWeight(context, typed: &typed))
        let page = try await service.packages(
            for: context.actor, .offers, filter: filter, past: nil, after: after, limit: limit
        )
        let t = context.carrepsaStrings
        return try Responses.of(
            context, template: "carrepsa-list", fragment: "carrepsa-rows",
            page: {
                PackageListPage(
                    offersFor: context, page, filter: typed, after: after, t: t, formatter: formatter(context))
            },
            json: { ListJSON(items: page.items.map(PackageJSON.init), next: page.next) }
        )
    }

    /// Reads the weight filter: `maxWeight` in grams from API clients, `kilograms` from the form. An invalid weight
    /// in the form gets an error at the field and doesn't filter.
    private func maxWeight(_ context: SignedInContext, typed: inout PackageFilterFormState) throws -> Int64? {
        if let text = context.query("kilograms"), !text.allSatisfy(\.isWhitespace) {
            typed.kilograms = text
            guard let grams = Kilograms.grams(from: text), grams > 0 else {
                let message = context.carrepsaStrings.search.weightInvalid
                if context.face == .json { throw AppError.invalid("kilograms", message) }
                typed.weightMessage = message
                return nil
            }
            return grams
        }
        guard let text = context.query("maxWeight"), !text.isEmpty else { return nil }
        guard let grams = Int64(text), grams > 0 else {
            throw AppError.invalid("maxWeight", "Enter a weight of at least 1 gram.")
        }
        typed.kilograms = formatter(context).kilograms(grams)
        return grams
    }

    private func own(
        _ listing: PackageListing, _ context: SignedInContext, after: String?, limit: Int
    ) async throws -> Response {
        // Pages show current packages by default; API clients get all.
        let past = try pastOrLive(context) ?? (context.face == .json ? nil : false)
        var typed = PackageFilterFormState(from: context.query("from") ?? "", to: context.query("to") ?? "")
        let filter = PackageFilter(
            from: typed.from, to: typed.to, maxWeightGrams: try maxWeight(context, typed: &typed))
        let page = try await service.packages(
            for: context.actor, listing, filter: filter, past: past, after: after, limit: limit
        )
        let t = context.carrepsaStrings
        return try Responses.of(
            context, template: "carrepsa-list", fragment: "carrepsa-rows",
            page: {
                PackageListPage(
                    listing, isPast: past ?? false, for: context, page, filter: typed, after: after, t: t,
                    formatter: formatter(context)
                )
            },
            json: { ListJSON(items: page.items.map(PackageJSON.init), next: page.next) }
        )
    }

    private func pastOrLive(_ context: SignedInContext) throws -> Bool? {
        switch context.query("past") ?? "" {
        case "": nil
        case "true": true
        case "false": false
        default: throw AppError.invalid("past", "Choose true or false.")
        }
    }

    // MARK: One package

    @Sendable func showPackage(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Package.self)
        let view: PackageView
        do {
            view = try await service.package(id, for: context.actor)
        } catch let error as AppError where error.code == .notFound && context.face == .fragment {
            guard let end = try await service.end(of: id, for: context.actor) else { throw error }
            return Responses.gone(
                context, toast: ShellToast(context.carrepsaStrings.actions.text(of: end), isProblem: true))
        }
        if context.face == .json {
            return Responses.json(context, PackageViewJSON(view), version: view.package.version)
        }
        return try Responses.page(
            context, template: "carrepsa-package", fragment: "carrepsa-status", version: view.package.version,
            try await page(view, context)
        )
    }

    func page(
        _ view: PackageView, _ context: SignedInContext, sent: PackagePage.Sent = .nothing
    ) async throws -> PackagePage {
        // Only a button that is disabled for lack of money shows the balance.
        let isShort = view.blocked.values.contains(.insufficientFunds)
        let wallet = isShort ? try await service.wallet(for: context.actor) : nil
        return PackagePage(
            context, view, wallet: wallet, sent: sent, t: context.carrepsaStrings, formatter: formatter(context))
    }

    // MARK: New

    @Sendable func newPackage(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try Responses.page(context, template: "carrepsa-new", try await form(context, PackageFormState(), nil))
    }

    private func form(
        _ context: SignedInContext, _ typed: PackageFormState, _ error: AppError?
    ) async throws -> NewPackagePage {
        let wallet = try await service.wallet(for: context.actor)
        return NewPackagePage(
            context, typed: typed, wallet: wallet,
            error: error.map { context.web.translated($0, to: context.language) },
            t: context.carrepsaStrings, formatter: formatter(context)
        )
    }

    @Sendable func postPackage(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var typed = PackageFormState()
        return try await Responses.form(
            context, template: "carrepsa-new", page: { error in try await form(context, typed, error) },
            perform: {
                var fields = try await Fields.read(request, context)
                typed = PackageFormState(fields)
                var input = fields.packageInput(service.currency)
                let upload = fields.file("picture")
                let change = try context.change(fields)
                if let picture = try await fields.capturingErrors({ try await pictures.keep(upload, by: change) }) {
                    input.pictureID = picture
                    // A rejected form shows the uploaded picture again, so that the person needn't upload it twice.
                    typed.pictureID = picture.description
                }
                try fields.check { [input] in try service.check(input) }
                let view = try await service.post(input, by: change)
                return Responses.created(
                    context, location: CarrepsaPath.package(view.package.id), version: view.package.version,
                    json: { PackageViewJSON(view) }, seeOther: CarrepsaPath.mine,
                    toast: requested(view.package, context)
                )
            }
        )
    }

    private func requested(_ package: Package, _ context: SignedInContext) -> ShellToast {
        let amount = formatter(context).money(package.reward)
        return ShellToast(CarrepsaStrings.fill(context.carrepsaStrings.form.requested, ["amount": amount]))
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
            note("deadlineDay", "Choose a day.")
            return nil
        }
        return midnight.adding(seconds: 24 * 60 * 60)
    }
}

extension ActionStrings {
    /// Returns the message for an offer that disappeared while the reader viewed it.
    func text(of end: OfferEndReason) -> String {
        switch end {
        case .taken: taken
        case .withdrawn: offerWithdrawn
        case .settled: settled
        }
    }
}
