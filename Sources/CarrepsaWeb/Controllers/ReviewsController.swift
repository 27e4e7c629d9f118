import Accounts
import Carrepsa
import Hummingbird
import Kernel
import WebCore

/// `/carrepsa/packages/{id}/reviews`: owner and carrier of a finished delivery review each other.
struct ReviewsController: Sendable {
    let reviews: ReviewService
    let responder: PackageActionResponder

    func addRoutes(to packages: RouterGroup<SignedInContext>) {
        packages.get("{id}/reviews", use: show)
        packages.post("{id}/reviews", use: create)
        packages.post("{id}/reviews/reply", use: createReply)
    }

    /// Its page is the package's page.
    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Package.self)
        guard let found = try await reviews.reviews(of: id, for: context.actor) else { throw AppError.notFound }
        guard context.face == .json else { return Responses.seeOther(context, to: CarrepsaPath.package(id)) }
        return try Responses.json(context, PackageReviewsJSON(found))
    }

    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Package.self)
        var fields = try await Fields.read(request, context)
        var words: Set<ReviewWord> = []
        for word in ReviewWord.allCases where fields.boolean(word.rawValue).value == true { words.insert(word) }
        let input = PackageReviewInput(words: words, text: fields.string("text").value)
        let typed = fields.typed("text")
        let form: (AppError) -> PackagePage.Sent = { [words] error in
            var sent = PackagePage.Sent(error: error)
            sent.review = ReviewFormState(text: typed, words: words)
            return sent
        }
        return try await responder.showingErrors(id, context, form: form) { [fields] in
            var fields = fields
            try fields.check { try input.check() }
            let review = try await reviews.write(input, about: id, by: context.change(fields))
            return try Responses.created(
                context, location: CarrepsaPath.package(id) + "/reviews", json: { PackageReviewJSON(review) },
                seeOther: CarrepsaPath.package(id), toast: ShellToast(context.t("Review saved")))
        }
    }

    @Sendable func createReply(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Package.self)
        var fields = try await Fields.read(request, context)
        let reply = fields.string("reply").value
        let typed = fields.typed("reply")
        let form: (AppError) -> PackagePage.Sent = { error in
            var sent = PackagePage.Sent(error: error)
            sent.review = ReviewFormState(reply: typed)
            return sent
        }
        return try await responder.showingErrors(id, context, form: form) { [fields] in
            try fields.check()
            let review = try await reviews.reply(reply, about: id, by: context.change(fields))
            return try Responses.created(
                context, location: CarrepsaPath.package(id) + "/reviews", json: { PackageReviewJSON(review) },
                seeOther: CarrepsaPath.package(id), toast: ShellToast(context.t("Reply saved")))
        }
    }
}
