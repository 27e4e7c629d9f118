import Accounts
import HTTPTypes
import Hummingbird
import Kernel
import Pictures
import WebCore

/// The routes of a person's own account.
extension AccountsPages {
    /// Adds the routes that children may use too.
    func addProfileRoutes(to account: RouterGroup<SignedInContext>) {
        account
            .get(use: showAccount)
            .patch(use: update)
            .get("export", use: export)
            .get("sessions", use: showDevices)
            .delete("sessions/{id}", use: revoke)
    }

    func addAccountRoutes(to account: RouterGroup<SignedInContext>) {
        account
            .delete(use: deleteAccount)
            .get("edit", use: showEdit)
            .get("delete", use: showDelete)
            .get("choices/{choice}", use: showChoice)
            .get("password", use: showPassword)
            .put("password", use: changePassword)
            .post("verification", use: sendVerification)
            .delete("pending-email", use: cancelEmailChange)
            .get("proofs/{act}", use: showProof)
            .post("proofs/{act}", use: prove)
            .post("proofs/{act}/challenge", use: createProofChallenge)
    }

    @Sendable func showAccount(_ request: Request, _ context: SignedInContext) async throws -> Response {
        if context.isChild, context.face != .json { return Responses.seeOther(context, to: "/family/account") }
        let account = try await accounts.account(context.actor)
        return try Responses.of(
            context, template: "accounts-settings", version: account.version,
            page: {
                SettingsPage(
                    context, account: account, sendsMail: accounts.sendsMail, hasWays: !providers.faces.isEmpty)
            },
            json: { AccountJSON(account) }
        )
    }

    @Sendable func showEdit(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let account = try await accounts.account(context.actor)
        let picture = account.avatarPictureID?.description ?? ""
        let proof = try await accounts.proofState(of: context.actor, for: .changeEmail)
        let page = EditPage(context, typed: ProfileFormState(account), pictureID: picture, proof: proof, error: nil)
        return try Responses.page(context, template: "accounts-edit", page)
    }

    @Sendable func update(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var fields = try await Fields.read(request, context)
        var changes = ProfileChanges(
            email: fields.string("email").edit, name: fields.string("name").edit, phone: fields.string("phone").edit,
            dateOfBirth: fields.string("dateOfBirth").edit, theme: fields.string("theme").edit,
            mapsApp: fields.choice("mapsApp", of: MapsApp.self).edit, language: fields.string("language").edit,
            appearance: fields.choice("appearance", of: Appearance.self).edit
        )
        // The proof for another email.
        let password = fields.string("password").value
        // The photo field of forms has a name of its own.
        let pictureField = fields.isForm ? "pictureId" : "avatarPictureId"
        changes.avatarPictureID = fields.id(pictureField, of: Picture.self).edit
        if fields.isForm, let kind = FieldSheet.Kind(rawValue: fields.typed("view")) {
            return try await updateInPopup(kind, fields, changes, password: password, context)
        }
        let upload = fields.file("picture")
        let typed = ProfileFormState(fields)
        let pictureID = fields.typed("pictureId")
        return try await Responses.form(
            context, template: "accounts-edit",
            page: { error in
                let proof = try await accounts.proofState(of: context.actor, for: .changeEmail)
                return EditPage(context, typed: typed, pictureID: pictureID, proof: proof, error: error)
            },
            perform: { [fields, changes] in
                try await context.translating {
                    var fields = fields
                    var changes = changes
                    let change = try context.change(fields)
                    if let picture = try await fields.capturingErrors({ try await pictures.keep(upload, by: change) }) {
                        changes.avatarPictureID = .set(picture)
                    }
                    try fields.check { [changes] in
                        let account = context.account
                        try accounts.check(changes, isChild: account.role == .child, hasEmail: account.email != nil)
                    }
                    let account = try await accounts.update(
                        changes, ifVersion: context.ifMatch(), password: password, by: change,
                        language: context.language.rawValue
                    )
                    // The next page is in the language that was chosen.
                    let language = account.language.flatMap(Language.init(rawValue:)) ?? context.language
                    return try Responses.changed(
                        context, version: account.version, json: { AccountJSON(account) }, seeOther: "/account",
                        toast: savedToast(account, changes, context, in: language)
                    )
                }
            }
        )
    }

    /// Returns a toast. It mentions a pending email if the change requested one.
    func savedToast(
        _ account: Account, _ changes: ProfileChanges, _ context: SignedInContext, in language: Language? = nil
    ) -> ShellToast {
        let language = language ?? context.language
        if case .set(let typed) = changes.email, let pending = account.pendingEmail, typed != account.email {
            return ShellToast(ProofStrings.of(language).linkSent.replacing("EMAIL", with: pending))
        }
        return ShellToast(AccountsStrings.of(language).saved)
    }

    @Sendable func showChoice(_ request: Request, _ context: SignedInContext) async throws -> Response {
        guard let choice = SettingsChoice(rawValue: try context.text("choice")) else { throw AppError.notFound }
        let account = try await accounts.account(context.actor)
        let page = ChoicePage(context, choice: choice, account: account)
        return try Responses.page(context, template: "accounts-choice", page)
    }

    private func deletePage(_ context: SignedInContext, error: AppError? = nil) async throws -> DeletePage {
        let part = try await confirmation(context, for: .deleteAccount, destination: "/account/delete")
        var obstacle: AppError?
        do {
            try await context.translating { try await accounts.permitDeletion(context.actor) }
        } catch let found as AppError where found.code == .conflict {
            obstacle = found
        }
        let notes = try await accounts.erasureNotes(context.actor).map {
            context.web.translated(AppError(.conflict, $0), to: context.language).message
        }
        return DeletePage(
            context, confirmation: part, obstacle: obstacle, notes: notes, error: error)
    }

    private func passwordPage(
        _ context: SignedInContext, removing: OtherSignInMethods = [], error: AppError? = nil
    ) async throws -> PasswordPage {
        let ways = try await providers.ways(of: context.actor, for: .setPassword)
        // The current password is always required where there is one.
        let part =
            ways.hasPassword
            ? nil : try await confirmation(context, for: .setPassword, destination: "/account/password")
        let hasChildDevices = try await accounts.hasChildDevices(context.actor)
        return PasswordPage(
            context, ways: ways, hasChildDevices: hasChildDevices, confirmation: part, removing: removing,
            error: error)
    }

    /// Returns the part that replaces the password field; `nil` where that field is shown.
    func confirmation(
        _ context: SignedInContext, for act: SensitiveAct, destination: String
    ) async throws -> ConfirmationPart? {
        let ways = try await providers.ways(of: context.actor, for: act)
        guard !ways.hasPassword || ways.isConfirmed else { return nil }
        return ConfirmationPart(
            context, act: act, ways: ways, providers: providers, sendsMail: accounts.sendsMail,
            destination: destination)
    }

    @Sendable func showDelete(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try Responses.page(context, template: "accounts-delete", try await deletePage(context))
    }

    @Sendable func deleteAccount(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var fields = try await Fields.read(request, context)
        let password = fields.string("password").value
        return try await Responses.form(
            context, template: "accounts-delete",
            page: { error in try await deletePage(context, error: error) },
            perform: { [fields] in
                try await context.translating {
                    try fields.check()
                    try await accounts.delete(context.actor, password: password, ifVersion: context.ifMatch())
                    let toast = ShellToast(context.strings.accountDeleted)
                    var response = Responses.removed(context, seeOther: "/", toast: toast)
                    if context.session.kind == .cookie { response.endSession(context) }
                    return response
                }
            }
        )
    }

    @Sendable func export(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let export: AccountExport
        do {
            export = try await accounts.export(context.actor)
        } catch let error as AppError where error.code == .invalid && context.face == .page {
            return Responses.seeOther(context, to: "/account/proofs/\(SensitiveAct.export.rawValue)")
        }
        return Responses.stream(context, mediaType: "application/zip", filename: export.fileName, chunks: export)
    }

    @Sendable func showPassword(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try Responses.page(context, template: "accounts-password", try await passwordPage(context))
    }

    @Sendable func changePassword(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var fields = try await Fields.read(request, context)
        let current = fields.string("current").value
        let new = fields.string("password").value
        var removing: OtherSignInMethods = []
        if fields.boolean("removePasskeys").value ?? false { removing.insert(.passkeys) }
        if fields.boolean("removeIdentities").value ?? false { removing.insert(.identities) }
        if fields.boolean("signOutChildren").value ?? false { removing.insert(.childDevices) }
        return try await Responses.form(
            context, template: "accounts-password",
            page: { [removing] error in try await passwordPage(context, removing: removing, error: error) },
            perform: { [fields, removing] in
                try await context.translating {
                    try fields.check()
                    try await accounts.changePassword(
                        current: current, new: new, removing: removing, by: context.actor)
                    let toast = ShellToast(context.strings.passwordChanged)
                    return Responses.removed(context, seeOther: "/account", toast: toast)
                }
            }
        )
    }

    @Sendable func showDevices(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let paging = try context.paging()
        let (sessions, next) = try await accounts.sessions(context.actor, after: paging.after, limit: paging.limit)
        return try Responses.of(
            context, template: "accounts-devices", fragment: "accounts-devices-list",
            page: { DevicesPage(context, sessions: sessions, next: next) },
            json: { ListJSON(items: sessions.map { SessionJSON($0, current: context.session.id) }, next: next) }
        )
    }

    @Sendable func revoke(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Session.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        try await accounts.revoke(id, by: context.change(fields))
        guard id == context.session.id, context.session.kind == .cookie else {
            let toast = ShellToast(context.strings.revoked)
            return Responses.removed(context, seeOther: "/account/sessions", toast: toast)
        }
        var response = Responses.removed(context, seeOther: "/", toast: ShellToast(context.strings.signedOut))
        response.endSession(context)
        return response
    }
}
