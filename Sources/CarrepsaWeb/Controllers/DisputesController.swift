import Accounts
import Carrepsa
import Hummingbird
import Kernel
import Pictures
import WebCore

/// `/carrepsa/disputes`, and `/carrepsa/packages/{id}/dispute`, `/statements`, `/decision` and `/appeal`: owner and
/// carrier discuss a dispute, and an administrator decides it.
struct DisputesController: Sendable {
    let disputes: DisputeService
    let pictures: PictureLibrary
    let responder: PackageActionResponder
    let currency: Currency

    func addRoutes(to packages: RouterGroup<SignedInContext>, administrators: RouterGroup<SignedInContext>) {
        administrators.get("disputes", use: index)
        packages.post("{id}/dispute", use: create)
        packages.post("{id}/statements", use: createStatement)
        administrators.post("packages/{id}/decision", use: createDecision)
        packages.post("{id}/decision/acceptance", use: createAcceptance)
        packages.post("{id}/appeal", use: createAppeal)
    }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let paging = try context.paging()
        let isDecided = try context.past() ?? false
        let page = try await disputes.list(
            isDecided: isDecided, for: context.actor, after: paging.after, limit: paging.limit)
        return try Responses.of(
            context, template: "carrepsa-disputes", fragment: "carrepsa-dispute-rows",
            page: {
                DisputeListPage(
                    context, page, isDecided: isDecided, after: paging.after, t: context.t,
                    formatter: context.carrepsaFormatter(currency))
            },
            json: { ListJSON(items: page.items.map(DisputeJSON.init), next: page.next) }
        )
    }

    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Package.self)
        var fields = try await Fields.read(request, context)
        let chosen = fields.choice("kind", of: DisputeKind.self)
        // Pages of the version before have no such field.
        if fields.isForm, case .null = chosen { fields.addError("kind", "Choose one.") }
        let kind = chosen.value
        let reason = fields.string("reason").value
        let (typedKind, typed) = (fields.typed("kind"), fields.typed("reason"))
        return try await responder.showingErrors(
            id, context, form: { PackagePage.Sent(kind: typedKind, reason: typed, error: $0) }
        ) { [fields] in
            var fields = fields
            try fields.check { try disputes.validate(reason: reason) }
            let package = try await disputes.open(id, kind: kind, reason: reason, by: context.change(fields))
            return responder.created(package, context, toast: context.t("An administrator was asked"))
        }
    }

    @Sendable func createStatement(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Package.self)
        var fields = try await Fields.read(request, context)
        let statement = fields.string("statement").value
        var picture = fields.id("pictureId", of: Picture.self).value
        let typed = fields.typed("statement")
        let upload = fields.file("picture")
        let change = try context.change(fields)
        return try await responder.showingErrors(
            id, context,
            form: {
                PackagePage.Sent(
                    statement: typed, statementPicture: picture?.description ?? "", isStatement: true, error: $0)
            }
        ) {
            // Decoding a picture is expensive.
            if upload?.bytes.isEmpty == false { try await disputes.requireStatement(id, for: context.actor) }
            if let stored = try await fields.store(upload, in: pictures, by: change) { picture = stored }
            try fields.check()
            let package = try await disputes.addStatement(
                id, text: statement, picture: picture,
                reading: { [pictures] in try await pictures.file(of: $0, size: .large) }, by: change)
            return responder.created(
                package, context, list: CarrepsaPath.package(id),
                toast: context.t("Statement added. {name} is notified."))
        }
    }

    @Sendable func createDecision(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Package.self)
        var fields = try await Fields.read(request, context)
        let outcome = fields.requireChoice("outcome", of: DisputeOutcome.self)
        let note = fields.string("note").value
        let split = outcome == .split ? fields.split(currency) : nil
        let sent = PackagePage.Sent(
            rewardToCarrier: fields.typed("rewardToCarrier"), depositToOwner: fields.typed("depositToOwner"),
            note: fields.typed("note"))
        return try await responder.showingErrors(id, context, form: sent.with) { [fields] in
            // Checked before the fields, so that people without permission get no field errors.
            guard context.account.isOperator else {
                throw AppError(.forbidden, CarrepsaMessage.operatorsOnly.text)
            }
            var fields = fields
            try fields.check { try disputes.validate(note: note) }
            guard let outcome else { throw AppError.notFound }
            let package = try await disputes.decide(
                id, outcome: outcome, split: split, note: note, by: context.change(fields))
            return Responses.created(
                context, location: CarrepsaPath.package(id), version: package.version,
                json: { PackageJSON(package) }, seeOther: CarrepsaPath.disputes,
                toast: ShellToast(context.t("Decided. Owner and carrier are notified."))
            )
        }
    }

    @Sendable func createAcceptance(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Package.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        if let redirect = responder.confirmation(.acceptDecision, of: id, fields, context) { return redirect }
        return try await responder.showingErrors(id, context) {
            let package = try await disputes.acceptDecision(id, by: context.change(fields))
            return responder.created(
                package, context, list: CarrepsaPath.package(id), toast: context.t("Accepted. {name} is notified."))
        }
    }

    @Sendable func createAppeal(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Package.self)
        var fields = try await Fields.read(request, context)
        let reason = fields.string("reason").value
        let sent = PackagePage.Sent(reason: fields.typed("reason"))
        return try await responder.showingErrors(id, context, form: sent.with) { [fields] in
            try fields.check()
            let package = try await disputes.appeal(id, reason: reason, by: context.change(fields))
            return responder.created(
                package, context, list: CarrepsaPath.package(id),
                toast: context.t("You appealed. {name} and the administrators are notified."))
        }
    }
}
