import Carrepsa
import Hummingbird
import Kernel
import WebCore

/// `/carrepsa/packages/{id}/recipient`: who receives a package, for its owner and its carrier.
struct RecipientsController: Sendable {
    let recipients: RecipientService
    let currency: Currency

    func addRoutes(to packages: RouterGroup<SignedInContext>) {
        packages.get("{id}/recipient", use: show)
        packages.put("{id}/recipient", use: update)
        packages.delete("{id}/recipient", use: destroy)
        packages.post("{id}/recipient/link", use: createLink)
        packages.delete("{id}/recipient/link", use: destroyLink)
        packages.put("{id}/recipient/meeting", use: updateMeeting)
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Package.self)
        let found = try await recipients.recipient(of: id, for: context.actor)
        return try Responses.of(
            context, template: "carrepsa-recipient", fragment: "carrepsa-recipient-rows",
            version: found.recipient?.version,
            page: { RecipientPage(context, found, sendsMail: recipients.sendsMail, t: context.t) },
            json: { RecipientJSON(found, context.site.url) })
    }

    @Sendable func update(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Package.self)
        var typed = RecipientFormState()
        return try await form(id, context, state: { typed }) {
            var fields = try await Fields.read(request, context)
            typed.name = fields.typed("name")
            typed.contact = fields.typed("contact")
            typed.address = fields.typed("address")
            let input = RecipientInput(
                name: fields.string("name").value, contact: fields.string("contact").value,
                address: fields.string("address").value)
            try fields.check { try input.check() }
            return try await recipients.set(input, of: id, by: context.change(fields))
        } toast: {
            context.t("Saved")
        }
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Package.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        try await recipients.remove(of: id, by: context.change(fields))
        return Responses.removed(
            context, seeOther: CarrepsaPath.package(id), toast: ShellToast(context.t("Recipient removed")))
    }

    @Sendable func createLink(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Package.self)
        return try await form(id, context, state: { RecipientFormState() }) {
            let fields = try await Fields.read(request, context, emptyAllowed: true)
            return try await recipients.renewLink(of: id, by: context.change(fields))
        } toast: {
            context.t("New link created")
        }
    }

    @Sendable func destroyLink(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Package.self)
        return try await form(id, context, state: { RecipientFormState() }) {
            let fields = try await Fields.read(request, context, emptyAllowed: true)
            return try await recipients.revokeLink(of: id, by: context.change(fields))
        } toast: {
            context.t("Link revoked")
        }
    }

    @Sendable func updateMeeting(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Package.self)
        var typed = RecipientFormState()
        return try await form(id, context, state: { typed }) {
            var fields = try await Fields.read(request, context)
            typed.meeting = fields.typed("meeting")
            let meeting = fields.string("meeting").value
            try fields.check()
            return try await recipients.setMeeting(meeting, of: id, by: context.change(fields))
        } toast: {
            context.t("The recipient’s page shows it")
        }
    }

    private func form(
        _ id: ID<Package>, _ context: SignedInContext, state: () -> RecipientFormState,
        _ perform: () async throws -> RecipientDetails, toast: () -> String
    ) async throws -> Response {
        try await Responses.form(
            context, template: "carrepsa-recipient",
            page: { error in
                let found = try await recipients.recipient(of: id, for: context.actor)
                return RecipientPage(
                    context, found, sendsMail: recipients.sendsMail, typed: state(), error: error, t: context.t)
            },
            perform: {
                let found = try await perform()
                return try Responses.changed(
                    context, version: found.recipient?.version, json: { RecipientJSON(found, context.site.url) },
                    seeOther: CarrepsaPath.recipient(id), toast: ShellToast(toast()))
            })
    }
}
