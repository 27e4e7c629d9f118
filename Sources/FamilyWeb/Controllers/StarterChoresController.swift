import Family
import Hummingbird
import Kernel
import WebCore

/// `/family/starter-chores`: the catalogue of chores with built-in pictures, from which parents add several at once.
struct StarterChoresController: Sendable {
    let chores: StarterChoreService

    func addRoutes(to parents: RouterGroup<SignedInContext>) {
        parents.group("starter-chores")
            .get(use: index)
            .post(use: create)
    }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let offered = try await chores.list(for: context.actor)
        return try Responses.of(
            context, template: "family-starter-chores",
            page: { StarterChoresPage(context, offered, chosen: [], error: nil) },
            json: { ListJSON(items: offered.map { StarterChoreJSON($0, context.t) }, next: nil) }
        )
    }

    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let t = context.t
        var chosen: Set<StarterChore> = []
        return try await Responses.form(
            context, template: "family-starter-chores",
            page: { error in
                StarterChoresPage(
                    context, try await chores.list(for: context.actor), chosen: chosen,
                    error: context.translated(error))
            },
            perform: {
                var fields = try await Fields.read(request, context)
                let ids = fields.strings("chores", atMost: StarterChore.allCases.count).value ?? []
                chosen = Set(ids.compactMap { StarterChore(rawValue: $0) })
                if chosen.count < Set(ids).count {
                    fields.addError("chores", t("Choose one of the choices given."))
                }
                try fields.check()
                let names = Dictionary(uniqueKeysWithValues: chosen.map { ($0, $0.name(t)) })
                let added = try await chores.add(names, by: context.change(fields))
                return try Responses.created(
                    context, location: FamilyPath.chores,
                    json: { ListJSON(items: added.map(ChoreJSON.init), next: nil) }, seeOther: FamilyPath.root,
                    toast: ShellToast(
                        added.isEmpty
                            ? t("These chores were already added")
                            : t("{n} chore added", plural: "{n} chores added", count: added.count),
                        linkURL: added.isEmpty ? nil : FamilyPath.chores, linkLabel: t("Plan them")))
            }
        )
    }
}

/// A chore of the catalogue in the JSON API.
struct StarterChoreJSON: Encodable {
    let id: String
    let name: String
    let fromAge: Int
    let pictureId: String
    let added: Bool

    init(_ offered: OfferedChore, _ t: Translator) {
        id = offered.chore.rawValue
        name = offered.chore.name(t)
        fromAge = offered.chore.fromAge.rawValue
        pictureId = offered.chore.pictureID?.description ?? ""
        added = offered.isAdded
    }
}
