import Accounts
import Carrepsa
import Hummingbird
import Kernel
import WebCore

extension CarrepsaPages {
    /// The response to a successful action.
    private struct ActionResponse {
        /// The path of the redirect; `nil` for the list that matches the reader's role.
        var list: String?
        /// The message on that page, with `{placeholders}` for names and amounts.
        let toast: String
        /// The carrier's message, if it differs.
        var carrierToast: String?
        /// The label of the message's link to the package; `nil` for no link.
        var link: String?
        /// Whether JSON responses have status 201 instead of 200.
        var isMade = true
    }

    // MARK: Confirmation

    /// Shows the confirmation page of an irreversible action.
    @Sendable func showConfirmation(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Package.self)
        guard let action = PackageAction(rawValue: try context.text("action")) else { throw AppError.notFound }
        let view = try await service.package(id, for: context.actor)
        let words = context.carrepsaStrings
        let button = PackageActionButton.dangerous(action, view, t: words, formatter: formatter(context))
        // The action is no longer possible; the package's page shows the current state.
        guard let button else { return Responses.seeOther(context, to: CarrepsaPath.package(id)) }
        return try Responses.page(
            context, template: "carrepsa-question", ConfirmationPage(context, view, button, t: words))
    }

    /// Redirects to the confirmation page unless the form is already confirmed. Scripts confirm on the page and omit
    /// the field `ask`.
    private func question(
        _ action: PackageAction, _ id: ID<Package>, _ fields: Fields, _ context: SignedInContext
    ) -> Response? {
        guard fields.isForm, fields.typed("ask") == "yes" else { return nil }
        return Responses.seeOther(context, to: CarrepsaPath.question(id, action))
    }

    // MARK: Offer

    @Sendable func withdraw(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Package.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        if let question = question(.withdraw, id, fields, context) { return question }
        return try await showingErrors(id, context) {
            try await service.withdraw(id, by: context.change(fields))
            return Responses.removed(
                context, seeOther: CarrepsaPath.mine, toast: ShellToast(context.carrepsaStrings.actions.withdrawn))
        }
    }

    @Sendable func accept(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let words = context.carrepsaStrings.actions
        let ending = ActionResponse(list: CarrepsaPath.packages, toast: words.accepted, link: words.openDelivery)
        return try await act(request, context, ending) { id, _, change in try await service.accept(id, by: change) }
    }

    @Sendable func cancelAcceptance(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Package.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        if let question = question(.cancelAcceptance, id, fields, context) { return question }
        return try await showingErrors(id, context) {
            let view = try await service.cancelAcceptance(id, by: context.change(fields))
            // The carrier is a stranger now, but came from the list of deliveries.
            let list = view.role == .owner ? CarrepsaPath.mine : CarrepsaPath.deliveries
            let toast = context.carrepsaStrings.actions.cancelledDelivery
            return answer(view, context, ActionResponse(list: list, toast: toast, isMade: false))
        }
    }

    // MARK: Handover

    @Sendable func confirmPickup(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let ending = ActionResponse(toast: context.carrepsaStrings.actions.pickedUp)
        return try await act(request, context, ending) { id, code, change in
            try await service.confirmPickup(id, code: code, by: change)
        }
    }

    @Sendable func confirmDelivery(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let words = context.carrepsaStrings
        let ending = ActionResponse(toast: words.actions.delivered, carrierToast: words.details.carrierDelivered)
        return try await act(request, context, ending) { id, code, change in
            try await service.confirmDelivery(id, code: code, by: change)
        }
    }

    @Sendable func reportDelivery(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let ending = ActionResponse(toast: context.carrepsaStrings.actions.reported)
        return try await act(request, context, ending) { id, _, change in
            try await service.reportDelivery(id, by: change)
        }
    }

    @Sendable func makeHandoverCode(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Package.self)
        var fields = try await Fields.read(request, context)
        let step = fields.requireChoice("step", of: HandoverStep.self)
        return try await showingErrors(id, context) { [fields] in
            try fields.check()
            guard let step else { throw AppError.notFound }
            let code = try await service.handoverCode(id, step: step, by: context.actor)
            let url = "\(context.site.url)\(CarrepsaPath.package(id))?code=\(code.code)"
            if context.face == .json {
                return try Responses.json(context, HandoverCodeJSON(code, url: url), status: .created)
            }
            let view = try await service.package(id, for: context.actor)
            let page = try HandoverCodePage(
                context, view, code, url: url, t: context.carrepsaStrings, formatter: formatter(context))
            return try Responses.page(
                context, template: "carrepsa-code", fragment: "carrepsa-code-card", status: .created, page)
        }
    }

    // MARK: Disputes

    @Sendable func requestCancellation(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let words = context.carrepsaStrings.actions
        let id = try context.id("id", of: Package.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        if let question = question(.agreeCancellation, id, fields, context) { return question }
        return try await showingErrors(id, context) {
            let view = try await service.requestCancellation(id, by: context.change(fields))
            let isOver = view.package.state == .cancelled
            return answer(view, context, ActionResponse(toast: isOver ? words.agreed : words.asked))
        }
    }

    @Sendable func retractCancellation(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let ending = ActionResponse(toast: context.carrepsaStrings.actions.takenBack, isMade: false)
        return try await act(request, context, ending) { id, _, change in
            try await service.retractCancellation(id, by: change)
        }
    }

    @Sendable func dispute(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Package.self)
        var fields = try await Fields.read(request, context)
        let reason = fields.string("reason").value
        let typed = fields.typed("reason")
        return try await showingErrors(id, context, showing: { PackagePage.Sent(reason: typed, error: $0) }) {
            [fields] in
            try fields.check()
            let view = try await service.dispute(id, reason: reason, by: context.change(fields))
            return answer(view, context, ActionResponse(toast: context.carrepsaStrings.actions.disputed))
        }
    }

    @Sendable func addStatement(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Package.self)
        var fields = try await Fields.read(request, context)
        let statement = fields.string("statement").value
        let typed = fields.typed("statement")
        return try await showingErrors(id, context, showing: { PackagePage.Sent(statement: typed, error: $0) }) {
            [fields] in
            try fields.check()
            let view = try await service.addStatement(id, text: statement, by: context.change(fields))
            let package = CarrepsaPath.package(id)
            return answer(
                view, context, ActionResponse(list: package, toast: context.carrepsaStrings.actions.statementAdded))
        }
    }

    @Sendable func decide(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Package.self)
        var fields = try await Fields.read(request, context)
        let outcome = fields.requireChoice("outcome", of: DisputeOutcome.self)
        let note = fields.string("note").value
        let typed = fields.typed("note")
        return try await showingErrors(id, context, showing: { PackagePage.Sent(note: typed, error: $0) }) { [fields] in
            // Checked before the fields, so that people without permission get no field errors.
            guard context.account.isOperator else {
                throw AppError(.forbidden, CarrepsaMessage.operatorsOnly.rawValue)
            }
            var fields = fields
            try fields.check { try service.check(note: note) }
            guard let outcome else { throw AppError.notFound }
            let package = try await service.decide(id, outcome: outcome, note: note, by: context.change(fields))
            return Responses.created(
                context, location: CarrepsaPath.package(id), version: package.version,
                json: { PackageJSON(package) }, seeOther: CarrepsaPath.disputes,
                toast: ShellToast(context.carrepsaStrings.operators.decided)
            )
        }
    }

    // MARK: Shared

    private func act(
        _ request: Request, _ context: SignedInContext, _ ending: ActionResponse,
        _ perform: (ID<Package>, _ code: String?, Change) async throws -> PackageView
    ) async throws -> Response {
        let id = try context.id("id", of: Package.self)
        var fields = try await Fields.read(request, context, emptyAllowed: true)
        let code = fields.string("code")
        let typed = fields.typed("code")
        return try await showingErrors(id, context, showing: { PackagePage.Sent(code: typed, error: $0) }) { [fields] in
            try fields.check()
            // This form requires a code, even if another button confirms without one.
            if fields.isForm, code.isNull { throw AppError.invalid("code", CarrepsaMessage.codeMissing.rawValue) }
            return answer(try await perform(id, code.value, context.change(fields)), context, ending)
        }
    }

    private func answer(_ view: PackageView, _ context: SignedInContext, _ ending: ActionResponse) -> Response {
        let list = ending.list ?? PackageBackLink(view.role).url
        if ending.isMade {
            return Responses.created(
                context, location: CarrepsaPath.package(view.package.id), version: view.package.version,
                json: { PackageViewJSON(view) }, seeOther: list, toast: toast(view, context, ending)
            )
        }
        return Responses.changed(
            context, version: view.package.version, json: { PackageViewJSON(view) }, seeOther: list,
            toast: toast(view, context, ending)
        )
    }

    private func toast(_ view: PackageView, _ context: SignedInContext, _ ending: ActionResponse) -> ShellToast {
        let words = PackageTextFormatter(view, t: context.carrepsaStrings, formatter: formatter(context))
        return ShellToast(
            words.fill(view.role == .carrier ? ending.carrierToast ?? ending.toast : ending.toast),
            linkURL: ending.link.map { _ in CarrepsaPath.package(view.package.id) }, linkLabel: ending.link)
    }

    /// Shows errors that the reader can correct: at the field of the package's page, or as a message on the page with
    /// the package's current state.
    private func showingErrors(
        _ id: ID<Package>, _ context: SignedInContext,
        showing sent: (AppError) -> PackagePage.Sent = { PackagePage.Sent(error: $0) },
        _ perform: () async throws -> Response
    ) async throws -> Response {
        do {
            return try await perform()
        } catch let error as AppError {
            guard context.face != .json else { throw error }
            switch error.code {
            case .invalid, .throttled: return try await again(id, context, sent(error), error)
            case .conflict, .insufficientFunds, .rewardNotFunded, .forbidden, .notFound:
                return try await elsewhere(id, context, error)
            default: throw error
            }
        }
    }

    private func again(
        _ id: ID<Package>, _ context: SignedInContext, _ sent: PackagePage.Sent, _ error: AppError
    ) async throws -> Response {
        let view = try await service.package(id, for: context.actor)
        var response = try Responses.page(
            context, template: "carrepsa-package", fragment: "carrepsa-status",
            status: error.code == .throttled ? .tooManyRequests : .unprocessableContent,
            try await page(view, context, sent: sent)
        )
        if let seconds = error.retryAfterSeconds { response.headers[.retryAfter] = "\(seconds)" }
        return response
    }

    private func elsewhere(
        _ id: ID<Package>, _ context: SignedInContext, _ error: AppError
    ) async throws -> Response {
        let isShown: Bool
        do {
            _ = try await service.package(id, for: context.actor)
            isShown = true
        } catch let gone as AppError where gone.code == .notFound {
            isShown = false
        }
        if error.code == .notFound, isShown { throw error }
        let words = context.carrepsaStrings.actions
        let message: String
        if error.code == .notFound {
            let end = try await service.end(of: id, for: context.actor)
            message = end.map { words.text(of: $0) } ?? words.tooLate
        } else {
            message = context.web.translated(error, to: context.language).message
        }
        return Responses.seeOther(
            context, to: isShown ? CarrepsaPath.package(id) : CarrepsaPath.packages,
            toast: ShellToast(message, isProblem: true)
        )
    }
}
