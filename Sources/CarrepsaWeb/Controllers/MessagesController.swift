import Accounts
import Carrepsa
import Hummingbird
import Kernel
import Pictures
import WebCore

/// `/carrepsa/packages/{id}/messages`: owner and carrier write to each other.
struct MessagesController: Sendable {
    let messages: MessageService
    let reports: MessageReportService
    let pictures: PictureLibrary

    func addRoutes(to packages: RouterGroup<SignedInContext>) {
        packages.get("{id}/messages", use: index)
        packages.post("{id}/messages", use: create)
        packages.put("{id}/messages/reading", use: markRead)
        packages.get("{id}/messages/{messageId}/report", use: newReport)
        packages.post("{id}/messages/{messageId}/report", use: createReport)
    }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Package.self)
        let after = context.query("after")
        let conversation = try await messages.conversation(about: id, for: context.actor, after: after)
        return try Responses.of(
            context, template: "carrepsa-messages", fragment: "carrepsa-message-rows",
            page: { MessagesPage(context, conversation, after: after) },
            json: { ConversationJSON(conversation) })
    }

    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Package.self)
        var typed = MessageFormState()
        return try await Responses.form(
            context, template: "carrepsa-messages",
            page: { error in
                MessagesPage(
                    context, try await messages.conversation(about: id, for: context.actor), typed: typed,
                    error: error.translated(to: context.language))
            },
            perform: {
                var fields = try await Fields.read(request, context)
                typed = MessageFormState(fields)
                let upload = fields.file("picture")
                var input = PackageMessageInput(
                    text: fields.string("text").value, pictureID: fields.id("pictureId", of: Picture.self).value,
                    place: fields.place())
                try fields.check { [input] in try input.check(hasUpload: upload?.bytes.isEmpty == false) }
                let change = try context.change(fields)
                // Decoding a picture is expensive.
                if upload != nil { try await messages.requireOpen(id, for: context.actor) }
                if let picture = try await fields.store(upload, in: pictures, by: change) {
                    input.pictureID = picture
                    typed.pictureID = picture.description
                }
                try fields.check()
                let sent = try await messages.send(input, about: id, by: change)
                return try Responses.created(
                    context, location: CarrepsaPath.messages(id), json: { MessageJSON(sent) },
                    seeOther: CarrepsaPath.messages(id))
            })
    }

    @Sendable func markRead(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Package.self)
        var fields = try await Fields.read(request, context)
        let number = fields.requireInteger("number", in: 1...Limits.conversationMessages)
        try fields.check()
        try await messages.markRead(id, upTo: number ?? 0, by: context.actor)
        return Responses.noContent(context)
    }

    @Sendable func newReport(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try Responses.page(context, template: "carrepsa-message-report", try await reportPage(context))
    }

    @Sendable func createReport(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Package.self)
        let message = try context.id("messageId", of: PackageMessage.self)
        var fields = try await Fields.read(request, context)
        let reason = fields.string("reason").value
        let blocks = fields.boolean("blocks").value ?? false
        let typed = fields.typed("reason")
        return try await Responses.form(
            context, template: "carrepsa-message-report",
            page: { error in
                try await reportPage(context, typed: typed, blocks: blocks, error: error)
            },
            perform: { [fields] in
                try fields.check()
                try await reports.report(
                    message, about: id, reason: reason, blocks: blocks, by: context.change(fields))
                return Responses.removed(
                    context, seeOther: CarrepsaPath.messages(id),
                    toast: ShellToast(context.t("Reported to the administrators")))
            })
    }

    private func reportPage(
        _ context: SignedInContext, typed: String = "", blocks: Bool = false, error: AppError? = nil
    ) async throws -> MessageReportPage {
        let id = try context.id("id", of: Package.self)
        let message = try context.id("messageId", of: PackageMessage.self)
        let (shown, author) = try await reports.message(message, about: id, for: context.actor)
        return MessageReportPage(
            context, shown, of: author, about: id, typed: typed, blocks: blocks,
            error: error?.translated(to: context.language))
    }
}

extension Fields {
    /// Reads a place that the form's script or an API client adds.
    fileprivate mutating func place() -> Coordinate? {
        // A form without a place has empty fields.
        guard !isForm || !typed("latitude").isEmpty else { return nil }
        let latitude = double("latitude", in: -90...90).value
        let longitude = double("longitude", in: -180...180).value
        guard let latitude, let longitude else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }
}
