import Accounts
import Family
import Hummingbird
import Kernel
import WebCore

/// The routes of inviting parents and accepting invitations.
extension FamilyPages {
    @Sendable func newInvitation(_ request: Request, _ context: SignedInContext) async throws -> Response {
        if context.face == .json {
            let open = try await family.invitations.list(for: context.actor)
            return try Responses.json(context, ListJSON(items: open.map(OpenInvitationJSON.init), next: nil))
        }
        return try Responses.page(context, template: "family-invite", try await invitePage(context))
    }

    @Sendable func invite(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var fields = try await Fields.read(request, context, emptyAllowed: true)
        let password = fields.string("password").value
        return try await Responses.form(
            context, template: "family-invite",
            page: { error in try await invitePage(context, error: context.translated(error)) },
            perform: { [fields] in
                try fields.check()
                let invitation = try await family.invitations.create(password: password, by: context.change(fields))
                if context.face == .json {
                    var response = try Responses.json(context, InvitationJSON(invitation), status: .created)
                    response.headers[.location] = FamilyPath.invitation(invitation.code)
                    return response
                }
                return try Responses.page(
                    context, template: "family-invite", status: .created,
                    try await invitePage(context, invitation: invitation))
            }
        )
    }

    private func invitePage(
        _ context: SignedInContext, invitation: Invitation? = nil, error: AppError? = nil
    ) async throws -> InvitePage {
        let open = try await family.invitations.list(for: context.actor)
        let proof = try await accounts.proofState(of: context.actor, for: .inviteParent)
        return try InvitePage(context, invitation: invitation, open: open, proof: proof, error: error)
    }

    @Sendable func showInvitation(_ request: Request, _ context: AppContext) async throws -> Response {
        let code = try context.text("code")
        let inviter = try await family.invitationAcceptances.inviter(ofCode: code, clientAddress: context.clientAddress)
        return try Responses.of(
            context, template: "family-join", page: { JoinPage(context, inviter: inviter, code: code, error: nil) },
            json: { InviterJSON(inviter) }
        )
    }

    @Sendable func join(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var fields = try await Fields.read(request, context)
        let code = fields.string("code").value
        return try await Responses.form(
            context, template: "family-join",
            page: { error in
                // A rejected code was counted already. Look the inviter up only after other errors.
                let isRefused = error.code == .throttled || error.code == .invalid
                let inviter =
                    isRefused
                    ? nil
                    : try? await family.invitationAcceptances.inviter(
                        ofCode: code, clientAddress: context.clientAddress)
                return JoinPage(
                    context.app, inviter: inviter, code: code ?? "",
                    error: context.translated(error))
            },
            perform: { [fields] in
                try fields.check()
                let parents = try await family.invitationAcceptances.accept(
                    code, clientAddress: context.clientAddress, by: context.change(fields))
                return try Responses.created(
                    context, location: FamilyPath.parents,
                    json: { ListJSON(items: parents.items.map { MemberJSON($0) }, next: parents.next) },
                    seeOther: FamilyPath.root, toast: ShellToast(context.familyStrings.child.invitation.joined)
                )
            }
        )
    }
}

/// A new invitation in the JSON API. It is returned once.
struct InvitationJSON: Encodable {
    let id: ID<Invitation>
    let code: String
    let url: String
    let expiresAt: Instant

    init(_ invitation: Invitation) {
        id = invitation.id
        code = invitation.code
        url = invitation.url
        expiresAt = invitation.expiresAt
    }
}

/// An open invitation in the JSON API, without its code: only the code's hash is stored.
struct OpenInvitationJSON: Encodable {
    let id: ID<Invitation>
    let by: NamedJSON
    let expiresAt: Instant

    init(_ invitation: OpenInvitation) {
        id = invitation.id
        by = NamedJSON(id: invitation.by, name: invitation.byName)
        expiresAt = invitation.expiresAt
    }
}

/// An open invitation in the list of the page.
struct InvitationRow: Sendable {
    let byText: String
    let expiry: FamilyMoment
    let revokeURL: String
    let revokeLabel: String

    init(_ invitation: OpenInvitation, isMine: Bool, _ words: FamilyParentStrings, _ formatter: FamilyFormatter) {
        byText = isMine ? words.invitedByYou : FamilyStrings.fill(words.invitedBy, ["name": invitation.byName])
        expiry = FamilyMoment(invitation.expiresAt, formatter)
        revokeURL = "\(FamilyPath.invitations)/\(invitation.id)?_method=delete"
        revokeLabel = FamilyStrings.fill(words.revokeLabel, ["by": byText])
    }
}

/// The parent who invites, in the JSON API.
struct InviterJSON: Encodable {
    struct Parent: Encodable {
        let name: String
    }

    let by: Parent

    init(_ inviter: Inviter) { by = Parent(name: inviter.name) }
}

/// The page that creates and shows an invitation.
struct InvitePage: Sendable {
    let shell: Shell
    let t: FamilyInvitationStrings
    let formURL: String
    let doneURL: String
    let isMade: Bool
    let link: String
    let qr: String
    let expiry: FamilyMoment?
    let words: FamilyParentStrings
    let invitations: [InvitationRow]
    let hasInvitations: Bool
    /// The proof that the next invitation requires; `nil` if one is stored.
    let proof: ProofField?

    init(
        _ context: SignedInContext, invitation: Invitation?, open: [OpenInvitation], proof: ProofState,
        error: AppError?
    ) throws {
        let words = context.familyStrings
        let errors = FormErrors(error)
        self.proof = .beside(
            proof, for: .inviteParent, message: errors["password"] ?? errors.message ?? "",
            destination: FamilyPath.invitations, ProofStrings.of(context.language))
        t = words.child.invitation
        shell = Shell(
            context, title: words.child.invitation.title, menu: .family(words, for: context.account),
            isLargeTitle: false, isNarrow: true, hasTabs: false,
            back: ShellBack(url: FamilyPath.account, label: words.common.account)
        )
        formURL = FamilyPath.invitations
        doneURL = FamilyPath.account
        isMade = invitation != nil
        link = invitation?.url ?? ""
        qr = try invitation.map { try QRCode.svg($0.url) } ?? ""
        let formatter = FamilyFormatter(language: context.language, now: context.web.clock.now)
        expiry = invitation.map { FamilyMoment($0.expiresAt, formatter) }
        self.words = words.parents
        invitations = open.map {
            InvitationRow($0, isMine: $0.by == context.actor.person, words.parents, formatter)
        }
        hasInvitations = !open.isEmpty
    }
}

/// The page of an invitation for the invited person.
struct JoinPage: Sendable {
    let shell: Shell
    let t: FamilyInvitationStrings
    let code: String
    let hasInviter: Bool
    let lead: String
    let note: String
    let problem: String?
    let canJoin: Bool
    let isStranger: Bool
    let isForbidden: Bool
    let joinURL: String
    let homeURL: String
    let signInURL: String
    /// `nil` if sign-up is closed.
    let registerURL: String?

    init(_ context: AppContext, inviter: Inviter?, code: String, error: AppError?) {
        let words = context.familyStrings
        let t = words.child.invitation
        self.t = t
        shell = Shell(
            context, title: t.joinTitle, menu: .familySignedOut(words), isNarrow: true, hasTabs: false)
        self.code = code
        hasInviter = inviter != nil
        lead = FamilyStrings.fill(t.joinLead, ["name": inviter?.name ?? ""])
        note = FamilyStrings.fill(t.joinNote, ["name": inviter?.name ?? ""])
        problem = error.map { $0.fields.values.first ?? $0.message }
        isStranger = context.identity == nil
        isForbidden = context.isChild
        canJoin = !isStranger && !isForbidden && hasInviter
        joinURL = FamilyPath.parents
        homeURL = isStranger ? "/" : FamilyPath.root
        let here = PathSegment.encoded(FamilyPath.invitation(code))
        signInURL = "\(FamilyPath.door)?return=\(here)"
        let isOffered = context.site.offersRegistration(destination: FamilyPath.invitation(code))
        registerURL = isOffered ? "/register?app=family&return=\(here)" : nil
    }
}
