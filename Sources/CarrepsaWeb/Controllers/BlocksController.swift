import Accounts
import Carrepsa
import Hummingbird
import Kernel
import WebCore

/// `/carrepsa/blocks` and `/carrepsa/people/{id}/block`: the people whom the reader blocked.
struct BlocksController: Sendable {
    let blocks: BlockService

    func addRoutes(to root: RouterGroup<SignedInContext>) {
        root.get("blocks", use: index)
        root.put("people/{id}/block", use: create)
        root.delete("people/{id}/block", use: destroy)
    }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let people = try await blocks.list(for: context.actor)
        return try Responses.of(
            context, template: "carrepsa-blocks", page: { BlocksPage(context, people) },
            json: { ListJSON(items: people.map(BlockJSON.init), next: nil) })
    }

    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        try await blocks.block(id, by: context.change(fields))
        return Responses.removed(
            context, seeOther: CarrepsaPath.blocks, toast: ShellToast(context.t("Blocked")))
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        try await blocks.unblock(id, by: context.change(fields))
        return Responses.removed(
            context, seeOther: CarrepsaPath.blocks, toast: ShellToast(context.t("No longer blocked")))
    }
}
