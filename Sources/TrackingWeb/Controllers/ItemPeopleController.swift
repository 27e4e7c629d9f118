import Accounts
import Hummingbird
import Kernel
import Tracking
import WebCore

/// `/tracking/items/{id}/people` and `…/membership`: the people who can see an item, and the reader's own settings of
/// it.
struct ItemPeopleController: Sendable {
    let members: ItemMemberService
    let replays: SeparationReplayService
    let proofs: ProofService

    /// - Parameter people: Serves no access token, because the access that it gives would outlive the token.
    func addRoutes(to items: RouterGroup<SignedInContext>, people: RouterGroup<SignedInContext>) {
        items.get("{id}/people", use: index)
        people.post("{id}/people", use: create)
        people.patch("{id}/people/{person}", use: update)
        people.delete("{id}/people/{person}", use: destroy)
        items.patch("{id}/membership", use: updateMembership)
        items.post("{id}/membership/replay", use: replayMembership)
        people.delete("{id}/membership", use: destroyMembership)
    }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let people = try await members.people(of: context.id("id", of: Item.self), for: context.actor)
        return try Responses.of(
            context, template: "tracking-people", fragment: "tracking-people-rows",
            page: { try ItemPeoplePage(context, people) }, json: { ItemPeopleJSON(people) })
    }

    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Item.self)
        var fields = try await Fields.read(request, context)
        let person = fields.requireID("personId", of: Person.self)
        let access = fields.requireChoice("access", of: GrantableAccess.self)
        let password = fields.string("password").value
        try fields.check()
        guard let person, let access else { throw AppError.notFound }
        return try await ItemPeopleErrors.redirecting(context, to: id) { [fields] in
            let proof = try await proofs.evidence(password: password, of: context.actor)
            try await members.share(id, with: person, access.access, proof: proof, by: context.change(fields))
            return try Responses.created(
                context, location: TrackingPath.people(of: id), json: { GrantedAccessJSON(person, access.access) },
                seeOther: TrackingPath.people(of: id), toast: ShellToast(context.t("Shared")))
        }
    }

    @Sendable func update(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Item.self)
        let person = try context.id("person", of: Person.self)
        var fields = try await Fields.read(request, context)
        let access = fields.requireChoice("access", of: GrantableAccess.self)
        let password = fields.string("password").value
        try fields.check()
        guard let access else { throw AppError.notFound }
        return try await ItemPeopleErrors.redirecting(context, to: id) { [fields] in
            let proof = try await proofs.evidence(password: password, of: context.actor)
            try await members.setAccess(access.access, of: person, to: id, proof: proof, by: context.change(fields))
            return try Responses.changed(
                context, version: nil, json: { GrantedAccessJSON(person, access.access) },
                seeOther: TrackingPath.people(of: id), toast: ShellToast(context.t("Saved")))
        }
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Item.self)
        let person = try context.id("person", of: Person.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        return try await ItemPeopleErrors.redirecting(context, to: id) {
            try await members.remove(person, from: id, by: context.change(fields))
            return Responses.removed(
                context, seeOther: TrackingPath.people(of: id), toast: ShellToast(context.t("No longer shared")))
        }
    }

    // MARK: Own settings

    @Sendable func updateMembership(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Item.self)
        var typed: MembershipFormState?
        return try await Responses.form(
            context, template: "tracking-people",
            page: { error in
                let people = try await members.people(of: id, for: context.actor)
                return try ItemPeoplePage(context, people, typed: typed, error: error)
            },
            perform: {
                var fields = try await Fields.read(request, context)
                typed = MembershipFormState(fields)
                // An empty field of the form restores the item's own value.
                let isCleared = { (name: String) in fields.isForm && fields.typed(name).isEmpty }
                let (clearsName, clearsMetres) = (isCleared("name"), isCleared("alertMetres"))
                let name: FieldChange<String> = clearsName ? .clear : fields.string("name").change
                if case .set(let text) = name { fields.noteName(text, context.t) }
                let metres: FieldChange<Int> =
                    clearsMetres
                    ? .clear
                    : fields.integer(
                        "alertMetres",
                        in: Int64(SettingsRule.lostMetres.lowerBound)...Int64(SettingsRule.lostMetres.upperBound)
                    ).map { Int($0) }.change
                let muted: FieldChange<Bool> =
                    fields.isForm ? .set(fields.contains("isMuted")) : fields.boolean("isMuted").change
                try fields.check()
                let membership = try await members.updateMembership(
                    of: id, ItemMembershipPatch(name: name, alertMetres: metres, isMuted: muted),
                    by: context.change(fields))
                return try Responses.changed(
                    context, version: membership.version, json: { ItemMembershipJSON(membership) },
                    seeOther: TrackingPath.people(of: id), toast: ShellToast(context.t("Saved")))
            })
    }

    /// Shows the page again with the alerts that would have come with the typed distance. Stores nothing.
    @Sendable func replayMembership(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Item.self)
        var typed: MembershipFormState?
        func page(_ replay: Replay?, _ error: AppError?) async throws -> ItemPeoplePage {
            let people = try await members.people(of: id, for: context.actor)
            return try ItemPeoplePage(context, people, typed: typed, replay: replay, error: error)
        }
        return try await Responses.form(
            context, template: "tracking-people", page: { error in try await page(nil, error) },
            perform: {
                var fields = try await Fields.read(request, context)
                typed = MembershipFormState(fields)
                let metres = fields.integer("alertMetres").value.map { Int($0) }
                try fields.check()
                let replay = try await replays.replay(alertMetres: metres, of: id, for: context.actor)
                if context.face == .json { return try Responses.json(context, ReplayJSON(replay)) }
                return try Responses.page(context, template: "tracking-people", await page(replay, nil))
            })
    }

    @Sendable func destroyMembership(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Item.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        try await members.remove(context.actor.person, from: id, by: context.change(fields))
        return Responses.removed(
            context, seeOther: TrackingPath.items, toast: ShellToast(context.t("You left the item")))
    }
}

/// Shows errors on the page of an item's people.
enum ItemPeopleErrors {
    /// Runs `body`; a browser gets a conflict or a lack of access as a toast on the page. Without a proof, it gets the
    /// page that asks for one and returns.
    static func redirecting(
        _ context: SignedInContext, to id: ID<Item>, _ body: () async throws -> Response
    ) async throws -> Response {
        do {
            return try await body()
        } catch let error as AppError
            where [.conflict, .forbidden, .invalid].contains(error.code) && context.face != .json
        {
            let message = error.translated(to: context.language)
            let people = TrackingPath.people(of: id)
            return Responses.seeOther(
                context,
                to: error.fields["password"] == nil
                    ? people : SensitiveAct.letManageItem.proofURL(returningTo: people),
                toast: ShellToast(message.fields.values.first ?? message.message, isProblem: true))
        }
    }
}

/// The access that people can give.
enum GrantableAccess: String, Sendable, CaseIterable {
    case see
    case locate
    case manage

    var access: ItemAccess {
        switch self {
        case .see: .see
        case .locate: .locate
        case .manage: .manage
        }
    }
}

/// The submitted own settings of an item.
struct MembershipFormState: Sendable {
    let name: String
    let alertMetres: String
    let isMuted: Bool

    init(_ fields: Fields) {
        name = fields.typed("name")
        alertMetres = fields.typed("alertMetres")
        isMuted = fields.contains("isMuted")
    }

    init(_ membership: ItemMembership) {
        name = membership.name ?? ""
        alertMetres = membership.alertMetres.map { String($0) } ?? ""
        isMuted = membership.isMuted
    }
}
