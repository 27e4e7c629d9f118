import Accounts
import Family
import Hummingbird
import Kernel
import WebCore

/// `/family/parents/{id}`: a parent's page, leaving and removal.
extension FamilyPages {
    @Sendable func showParent(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        if context.face == .json {
            let parent = try await family.parents.parent(id, for: context.actor)
            return try Responses.json(context, ParentJSON(parent), version: parent.member.version)
        }
        return try Responses.page(
            context, template: "family-parent", fragment: "family-parent-status", try await parentPage(id, context))
    }

    private func parentPage(
        _ id: PersonID, _ context: SignedInContext, error: AppError? = nil
    ) async throws -> ParentPage {
        let parents = try await family.parents.all(for: context.actor)
        guard let parent = parents.first(where: { $0.member.id == id }) else { throw AppError.notFound }
        let act = ParentPage.act(isMe: id == context.actor.person)
        let proof = try await accounts.proofState(of: context.actor, for: act)
        return ParentPage(context, parents, parent, proof: proof, error: error, formatter: formatter(context))
    }

    /// Performs an action that requires a proof. If there is none, returns the parent's page, which asks for it.
    private func performWithProof(
        _ id: PersonID, _ context: SignedInContext, _ perform: () async throws -> Response
    ) async throws -> Response {
        try await Responses.form(
            context, template: "family-parent", fragment: "family-parent-status",
            page: { error in try await parentPage(id, context, error: context.translated(error)) },
            perform: { try await performOrShowAccount(context, FamilyPath.account, perform) })
    }

    @Sendable func removeParent(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        var fields = try await Fields.read(request, context, emptyAllowed: true)
        let password = fields.string("password").value
        return try await performWithProof(id, context) { [fields] in
            try fields.check()
            let name = context.face == .json ? "" : try await family.parents.parent(id, for: context.actor).member.name
            try await family.parents.remove(id, password: password, by: context.change(fields))
            let isMe = id == context.actor.person
            let words = context.familyStrings.parents
            let text = isMe ? words.left : FamilyStrings.fill(words.removed, ["name": name])
            return Responses.removed(context, seeOther: isMe ? "/" : FamilyPath.account, toast: ShellToast(text))
        }
    }

    @Sendable func announceRemoval(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        var fields = try await Fields.read(request, context, emptyAllowed: true)
        let password = fields.string("password").value
        return try await performWithProof(id, context) { [fields] in
            try fields.check()
            let parent = try await family.removals.announce(of: id, password: password, by: context.change(fields))
            let text = FamilyStrings.fill(
                context.familyStrings.parents.announcedToast, ["name": parent.member.name])
            return try Responses.changed(
                context, version: parent.member.version, json: { ParentJSON(parent) },
                seeOther: FamilyPath.parent(id), toast: ShellToast(text))
        }
    }

    @Sendable func endRemoval(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        let name = context.face == .json ? "" : try await family.parents.parent(id, for: context.actor).member.name
        return try await performOrShowAccount(context) {
            try await family.removals.end(of: id, by: context.change(fields))
            let words = context.familyStrings.parents
            let isMe = id == context.actor.person
            let text = isMe ? words.refusedToast : FamilyStrings.fill(words.withdrawn, ["name": name])
            return Responses.removed(context, seeOther: FamilyPath.parent(id), toast: ShellToast(text))
        }
    }

    @Sendable func revokeInvitation(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("code", of: Invitation.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        return try await performOrShowAccount(context, FamilyPath.invitations) {
            try await family.invitations.revoke(id, by: context.change(fields))
            return Responses.removed(
                context, seeOther: FamilyPath.invitations,
                toast: ShellToast(context.familyStrings.parents.revoked))
        }
    }

    /// Performs an action. If it is too late or not permitted, redirects to the account page with the reason.
    private func performOrShowAccount(
        _ context: SignedInContext, _ path: String = FamilyPath.account, _ perform: () async throws -> Response
    ) async throws -> Response {
        do {
            return try await perform()
        } catch let error as AppError {
            guard context.face != .json, [.conflict, .notFound, .forbidden].contains(error.code) else { throw error }
            let text = error == .notFound ? context.familyStrings.profile.tooLate : context.translated(error).message
            return Responses.seeOther(context, to: path, toast: ShellToast(text, isProblem: true))
        }
    }
}

/// A parent with their role in the JSON API.
struct ParentJSON: Encodable {
    private enum Key: String, CodingKey {
        case isMaker, removal
    }

    private let parent: Parent

    init(_ parent: Parent) { self.parent = parent }

    func encode(to encoder: any Encoder) throws {
        try MemberJSON(parent.member).encode(to: encoder)
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(parent.isMaker, forKey: .isMaker)
        try object.encode(parent.removal.map(RemovalJSON.init), forKey: .removal)
    }
}

/// The announced removal of a parent in the JSON API.
struct RemovalJSON: Encodable {
    let by: String
    let announcedAt: Instant
    let effectiveAt: Instant
    @Nullable var refusedAt: Instant?

    init(_ removal: Removal) {
        by = removal.by
        announcedAt = removal.announcedAt
        effectiveAt = removal.effectiveAt
        refusedAt = removal.refusedAt
    }
}
