import Accounts
import HTTPTypes
import Hummingbird
import Kernel
import WebCore

/// The routes of `/account/proofs/{act}`, which prove that the account's owner is present, for one act within ten
/// minutes; and those of a change of the email.
extension AccountsPages {
    @Sendable func showProof(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let act = try act(context)
        let destination = proofDestination(context.query("return"), act)
        return try Responses.page(
            context, template: "accounts-proof", try await proofPage(context, act, destination, error: nil))
    }

    @Sendable func createProofChallenge(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let act = try act(context)
        _ = try await Fields.read(request, context, emptyAllowed: true)
        return try await context.translating {
            let options = try await passkeys.beginProof(
                for: act, by: context.actor, clientAddress: context.clientAddress)
            return try Responses.json(context, options, status: .created)
        }
    }

    @Sendable func prove(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let act = try act(context)
        var fields = try await Fields.read(request, context)
        let destination = proofDestination(fields.typed("return"), act)
        let assertion: PasskeyAssertion?
        if fields.string("rawId").value != nil { assertion = fields.passkeyAssertion() } else { assertion = nil }
        let password = fields.string("password").value
        return try await Responses.form(
            context, template: "accounts-proof",
            page: { error in try await proofPage(context, act, destination, error: error) },
            perform: { [fields] in
                try await context.translating {
                    try fields.check()
                    let expiry =
                        if let assertion {
                            try await passkeys.prove(
                                act, by: assertion, of: context.actor, clientAddress: context.clientAddress)
                        } else {
                            try await accounts.prove(act, password: password, by: context.actor)
                        }
                    return try Responses.created(
                        context, location: "/account/proofs/\(act.rawValue)",
                        json: { ProofJSON(act: act.rawValue, expiresAt: expiry) },
                        // The page of this proof has the download.
                        seeOther: act == .export ? act.page : destination)
                }
            }
        )
    }

    private func proofPage(
        _ context: SignedInContext, _ act: SensitiveAct, _ destination: String, error: AppError?
    ) async throws -> ProofPage {
        let ways = try await providers.ways(of: context.actor, for: act)
        let back = "/account/proofs/\(act.rawValue)?return=\(PathSegment.encoded(destination))"
        let part = ConfirmationPart(
            context, act: act, ways: ways, providers: providers, sendsMail: accounts.sendsMail, destination: back)
        return ProofPage(context, act: act, ways: ways, confirmation: part, destination: destination, error: error)
    }

    private func act(_ context: SignedInContext) throws -> SensitiveAct {
        guard let act = SensitiveAct(rawValue: try context.text("act")) else { throw AppError.notFound }
        return act
    }

    private func proofDestination(_ asked: String?, _ act: SensitiveAct) -> String {
        Destination(asked, otherwise: act.page).path
    }

    // MARK: Changes of the email

    @Sendable func sendVerification(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        let isSent = try await context.translating {
            try await accounts.requestVerification(context.actor, language: context.language.rawValue)
        }
        let destination = Destination(fields.typed("return"), otherwise: "/account")
        let toast = isSent ? ShellToast(context.strings.confirmationSent) : nil
        return Responses.removed(context, seeOther: destination.path, toast: toast)
    }

    @Sendable func cancelEmailChange(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        try await context.translating { try await accounts.cancelEmailChange(by: context.change(fields)) }
        let destination = Destination(fields.typed("return"), otherwise: "/account")
        let toast = ShellToast(ProofStrings.of(context.language).changeCancelled)
        return Responses.removed(context, seeOther: destination.path, toast: toast)
    }

    @Sendable func showUndo(_ request: Request, _ context: AppContext) async throws -> Response {
        let code = try context.text("code")
        guard try await accounts.isUndoCodeValid(code) else { return try linkGone(context) }
        return try Responses.page(context, template: "accounts-undo", UndoPage(context, code: code))
    }

    @Sendable func undoEmailChange(_ request: Request, _ context: AppContext) async throws -> Response {
        let code = try context.text("code")
        _ = try await Fields.read(request, context, emptyAllowed: true)
        let reset: String
        do {
            reset = try await context.translating { try await accounts.undoEmailChange(code: code) }
        } catch let error as AppError where error.code == .notFound && context.face != .json {
            return try linkGone(context)
        }
        let place = "/password-resets/\(PathSegment.encoded(reset))"
        return try Responses.created(
            context, location: place, json: { RedirectJSON(url: context.site.url + place) }, seeOther: place,
            toast: ShellToast(ProofStrings.of(context.language).undone))
    }
}

extension SensitiveAct {
    /// The page on which the act is requested.
    var page: String {
        switch self {
        case .changeEmail: "/account/edit"
        case .addPasskey: "/account/passkeys"
        case .linkIdentity: "/account/identities"
        case .setPassword: "/account/password"
        case .export: "/account/proofs/export"
        case .deleteAccount: "/account/delete"
        case .inviteParent: "/family/invitations"
        case .leaveFamily, .removeParent: "/family/account"
        case .eraseChild: "/family/deleted-children"
        }
    }

    /// Finds the act of a page. Forms of the previous version don't name the act.
    init?(page: String) {
        guard let act = Self.allCases.first(where: { page == $0.page || page.hasPrefix($0.page + "/") }) else {
            return nil
        }
        self = act
    }
}

/// A stored proof in the API.
struct ProofJSON: Encodable {
    let act: String
    let expiresAt: Instant
}
