import Accounts
import Hummingbird
import Kernel
import WebCore

/// `/account/proofs/{act}` and `/account/confirmation`: proofs that the account's owner is present, for one act within
/// ten minutes.
struct ProofsController: Sendable {
    let proofs: ProofService
    let passkeyProofs: PasskeyProofService
    let methods: SignInMethodReader
    let confirmations: ConfirmationPartBuilder
    let attempts: ProviderAttemptResponder

    func addRoutes(to account: RouterGroup<SignedInContext>) {
        account
            .get("proofs/{act}", use: show)
            .post("proofs/{act}", use: create)
            .post("proofs/{act}/challenge", use: createChallenge)
            .post("confirmation", use: createByProvider)
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let act = try self.act(context)
        let destination = self.destination(context.query("return"), act)
        return try Responses.page(
            context, template: "accounts-proof", try await page(context, act, destination, error: nil))
    }

    @Sendable func createChallenge(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let act = try self.act(context)
        _ = try await Fields.read(request, context, emptyAllowed: true)
        return try await context.translating {
            let options = try await passkeyProofs.begin(
                for: act, by: context.actor, clientAddress: context.clientAddress)
            return try Responses.json(context, options, status: .created)
        }
    }

    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let act = try self.act(context)
        var fields = try await Fields.read(request, context)
        let destination = self.destination(fields.typed("return"), act)
        let assertion: PasskeyAssertion?
        if fields.string("rawId").value != nil { assertion = fields.passkeyAssertion() } else { assertion = nil }
        let password = fields.string("password").value
        return try await Responses.form(
            context, template: "accounts-proof",
            page: { error in try await page(context, act, destination, error: error) },
            perform: { [fields] in
                try await context.translating {
                    try fields.check()
                    let expiry =
                        if let assertion {
                            try await passkeyProofs.prove(
                                act, by: assertion, of: context.actor, clientAddress: context.clientAddress)
                        } else {
                            try await proofs.prove(act, password: password, by: context.actor)
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

    /// Begins a proof by a fresh sign-in at a provider.
    @Sendable func createByProvider(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var fields = try await Fields.read(request, context)
        let name = fields.requireChoice("provider", of: ProviderName.self)
        let destination = Destination(fields.typed("return"), otherwise: "/account")
        var act = fields.choice("act", of: SensitiveAct.self).value
        if act == nil {
            act = SensitiveAct(page: destination.path)
            if act == nil { fields.addError("act", AccountMessage.required.text) }
        }
        try fields.check()
        guard let name, let act else { throw AppError.notFound }
        return try await attempts.begin(.confirm(context.actor, for: act), at: name, back: destination.path, context)
    }

    private func page(
        _ context: SignedInContext, _ act: SensitiveAct, _ destination: String, error: AppError?
    ) async throws -> ProofPage {
        let methods = try await methods.methods(of: context.actor, for: act)
        let part = confirmations.partBesidePassword(
            context, for: act, methods: methods, destination: act.proofURL(returningTo: destination))
        return ProofPage(
            context, act: act, methods: methods, confirmation: part, destination: destination, error: error)
    }

    private func act(_ context: SignedInContext) throws -> SensitiveAct {
        guard let act = SensitiveAct(rawValue: try context.text("act")) else { throw AppError.notFound }
        return act
    }

    private func destination(_ asked: String?, _ act: SensitiveAct) -> String {
        Destination(asked, otherwise: act.page).path
    }
}
