import Accounts
import Carrepsa
import HTTPTypes
import Hummingbird
import Kernel
import WebCore

/// Responds to actions on a package: with the package, a redirect with a message, or the page with the error.
struct PackageActionResponder: Sendable {
    let packages: PackageService
    let currency: Currency

    /// Redirects to the confirmation page unless the form is already confirmed. Scripts confirm on the page and omit
    /// the field `ask`, which names the action.
    /// - Parameter actions: those of the form's URL; the first one for a page of the version before.
    func confirmation(
        _ actions: PackageAction..., of id: ID<Package>, _ fields: Fields, _ context: SignedInContext
    ) -> Response? {
        let asked = fields.typed("ask")
        guard fields.isForm, !asked.isEmpty,
            let action = actions.first(where: { $0.rawValue == asked }) ?? actions.first
        else { return nil }
        return Responses.seeOther(
            context, to: CarrepsaPath.question(id, action, version: fields.typed("version")))
    }

    // MARK: Success

    /// Responds to an action that created something: JSON with status 201, or a redirect.
    /// - Parameters:
    ///   - list: the path of the redirect; `nil` for the list that matches the reader's role.
    ///   - toast: the message on that page, with `{placeholders}` for names and amounts.
    ///   - linkLabel: the label of the message's link to the package; `nil` for no link.
    func created(
        _ details: PackageDetails, _ context: SignedInContext, list: String? = nil, toast: String,
        linkLabel: String? = nil
    ) -> Response {
        Responses.created(
            context, location: CarrepsaPath.package(details.package.id), version: details.package.version,
            json: { PackageDetailsJSON(details) }, seeOther: list ?? PackageBackLink(details.role).url,
            toast: message(toast, details, context, linkLabel: linkLabel)
        )
    }

    /// Responds to an action that changed or removed something: JSON with status 200, or a redirect.
    func changed(
        _ details: PackageDetails, _ context: SignedInContext, list: String? = nil, toast: String
    ) -> Response {
        Responses.changed(
            context, version: details.package.version, json: { PackageDetailsJSON(details) },
            seeOther: list ?? PackageBackLink(details.role).url, toast: message(toast, details, context)
        )
    }

    private func message(
        _ text: String, _ details: PackageDetails, _ context: SignedInContext, linkLabel: String? = nil
    ) -> ShellToast {
        let formatter = PackageTextFormatter(
            details, t: context.t, formatter: context.carrepsaFormatter(currency))
        return ShellToast(
            formatter.fill(text), linkURL: linkLabel.map { _ in CarrepsaPath.package(details.package.id) },
            linkLabel: linkLabel)
    }

    // MARK: Errors

    /// Shows errors that the reader can correct: at the field of the package's page, or as a message on the page with
    /// the package's current state.
    /// - Parameter form: returns the submitted values, which the page shows again.
    func showingErrors(
        _ id: ID<Package>, _ context: SignedInContext,
        form: (AppError) -> PackagePage.Sent = { PackagePage.Sent(error: $0) },
        _ perform: () async throws -> Response
    ) async throws -> Response {
        do {
            return try await perform()
        } catch let error as AppError {
            guard context.face != .json else { throw error }
            switch error.code {
            case .invalid, .throttled: return try await formPage(id, context, form(error), error)
            case .conflict where error.isStaleVersion && form(error).read != nil:
                return try await changedOffer(id, context, form(error), error)
            case .conflict, .insufficientFunds, .rewardNotFunded, .forbidden, .notFound:
                return try await redirect(from: id, context, error)
            default: throw error
            }
        }
    }

    private func formPage(
        _ id: ID<Package>, _ context: SignedInContext, _ sent: PackagePage.Sent, _ error: AppError
    ) async throws -> Response {
        let details = try await packages.details(of: id, for: context.actor)
        var response = try Responses.page(
            context, template: "carrepsa-package", fragment: "carrepsa-status",
            status: status(of: error),
            PackagePage(
                context, details, sent: sent, t: context.t,
                formatter: context.carrepsaFormatter(currency))
        )
        if let seconds = error.retryAfterSeconds { response.headers[.retryAfter] = "\(seconds)" }
        return response
    }

    private func status(of error: AppError) -> HTTPResponse.Status {
        switch error.code {
        case .throttled: .tooManyRequests
        case .conflict: .conflict
        default: .unprocessableContent
        }
    }

    /// Shows the offer that its owner changed, with what changed. Another one is no longer there.
    private func changedOffer(
        _ id: ID<Package>, _ context: SignedInContext, _ sent: PackagePage.Sent, _ error: AppError
    ) async throws -> Response {
        var sent = sent
        sent.changedSince = sent.read
        do {
            return try await formPage(id, context, sent, error)
        } catch let gone as AppError where gone.code == .notFound {
            return try await redirect(from: id, context, error)
        }
    }

    private func redirect(
        from id: ID<Package>, _ context: SignedInContext, _ error: AppError
    ) async throws -> Response {
        let isVisible: Bool
        do {
            _ = try await packages.details(of: id, for: context.actor)
            isVisible = true
        } catch let gone as AppError where gone.code == .notFound {
            isVisible = false
        }
        if error.code == .notFound, isVisible { throw error }
        let message: String
        if error.code == .notFound {
            let reason = try await packages.endReason(of: id, for: context.actor)
            message =
                reason.map { $0.text(context.t) }
                ?? context.t("This is no longer possible: the package was changed elsewhere.")
        } else {
            message = error.translated(to: context.language).message
        }
        return Responses.seeOther(
            context, to: isVisible ? CarrepsaPath.package(id) : CarrepsaPath.packages,
            toast: ShellToast(message, isProblem: true)
        )
    }
}
