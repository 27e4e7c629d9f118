import Accounts
import Family
import Hummingbird
import Kernel
import Pictures
import WebCore

/// `/family/children/{id}/requests` for children: requesting points and withdrawing a request.
struct ChildRequestsController: Sendable {
    let requests: ChoreRequestService
    let chores: ChoreService
    let pictures: PictureLibrary
    let responder: ChildActionResponder

    func addRoutes(to shared: RouterGroup<SignedInContext>) {
        shared.post("children/{id}/requests", use: create)
    }

    /// Children see their requests on their own page.
    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        let requestID = try context.id("requestId", of: ChoreRequest.self)
        guard context.face == .json else { return Responses.seeOther(context, to: FamilyPath.child(id)) }
        return try Responses.json(
            context, ChoreRequestJSON(try await requests.request(requestID, of: id, for: context.actor)))
    }

    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        let fields = try await Fields.read(request, context)
        return try await create(fields, of: id, context, returningTo: responder.returnPath(of: id, fields))
    }

    /// Creates a request of a child.
    /// - Parameters:
    ///   - context: of the child that acts.
    ///   - path: the path of the next page.
    ///   - hasPicturePIN: whether the child taps its pictures first, on a shared tablet.
    func create(
        _ fields: Fields, of id: PersonID, _ context: SignedInContext, returningTo path: String,
        hasPicturePIN: Bool = false
    ) async throws -> Response {
        var fields = fields
        let chore = fields.id("choreId", of: Chore.self).value
        let occurrence = fields.string("occurrence").value
        let steps = fields.strings("steps", atMost: Limits.choreSteps).value ?? []
        var photo = fields.id("pictureId", of: Picture.self).value
        let upload = fields.file("picture")
        do {
            let change = try context.change(fields)
            // Check access before decoding the picture.
            if upload != nil, let chore { _ = try await chores.chore(chore, for: context.actor) }
            if let picture = try await fields.store(upload, in: pictures, by: change) { photo = picture }
            try fields.check()
            let created = try await requests.create(
                chore, occurrence: occurrence, proof: ChoreProof(steps: steps, photoID: photo), for: id, by: change)
            let text = context.t("“{chore}”: a parent will look at it", ["chore": created.name])
            return try Responses.created(
                context, location: "\(FamilyPath.requests(of: id))/\(created.id)", json: { ChoreRequestJSON(created) },
                seeOther: path,
                toast: !context.isOnSharedDevice
                    ? ShellToast(
                        text, undoURL: FamilyPath.request(created.id, of: id) + "?_method=delete",
                        undoLabel: context.t("Undo"))
                    : ShellToast(text)
            )
        } catch let error as AppError {
            // The chore's tile has no space for a message, and it disappears on a reload.
            guard context.face != .json, error.code == .conflict || error.code == .invalid else { throw error }
            if let chore, error.fields.keys.contains(where: ["steps", "pictureId", "picture"].contains) {
                return try await page(
                    of: chore, fields, context, photo: photo, hasPicturePIN: hasPicturePIN, error: error)
            }
            let sentence = context.translated(error).message
            return Responses.seeOther(context, to: path, toast: ShellToast(sentence, isProblem: true))
        }
    }

    /// Returns the form of a chore with the typed values and what is wrong.
    /// - Parameter photo: the photo that is stored; `nil` for none.
    func page(
        of chore: ID<Chore>, _ fields: Fields, _ context: SignedInContext, photo: ID<Picture>? = nil,
        hasPicturePIN: Bool, error: AppError
    ) async throws -> Response {
        var fields = fields
        let typed = ChoreDoneFormState(
            occurrence: fields.typed("occurrence"), from: fields.typed("from"), hasPicturePIN: hasPicturePIN,
            steps: Set(fields.strings("steps", atMost: Limits.choreSteps).value ?? []),
            photo: photo?.description ?? fields.typed("pictureId"))
        return try Responses.page(
            context, template: "family-chore-done", status: .unprocessableContent,
            ChoreDonePage(
                context, try await chores.chore(chore, for: context.actor), typed: typed,
                error: context.translated(error)))
    }

    /// Withdraws the request.
    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        let requestID = try context.id("requestId", of: ChoreRequest.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        let path = responder.returnPath(of: id, fields)
        return try await responder.redirectingErrors(id, context, to: path) {
            try fields.check()
            let change = try context.change(fields)
            let name = await responder.choreName(of: requestID, of: id, requests, context)
            try await requests.withdraw(requestID, of: id, by: change)
            let text = context.t("“{chore}” was taken back", ["chore": name])
            return Responses.removed(context, seeOther: path, toast: ShellToast(text))
        }
    }
}
