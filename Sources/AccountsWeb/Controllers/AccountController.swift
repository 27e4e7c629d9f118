import Accounts
import Hummingbird
import Kernel
import Pictures
import WebCore

/// `/account`: the profile, and the settings of one choice each.
struct AccountController: Sendable {
    let accounts: AccountReader
    let profiles: ProfileService
    let pictures: PictureLibrary
    let fieldSheets: FieldSheetResponder
    let hasProviders: Bool
    let sendsMail: Bool

    /// - Parameters:
    ///   - shared: the routes that children may use too.
    ///   - account: the routes of adults.
    ///   - profile: the routes that read the profile.
    func addRoutes(
        to shared: RouterGroup<SignedInContext>, account: RouterGroup<SignedInContext>,
        profile: RouterGroup<SignedInContext>
    ) {
        profile.get(use: show)
        shared.patch(use: update)
        account
            .get("edit", use: edit)
            .get("choices/{choice}", use: showChoice)
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        if context.isChild, context.face != .json { return Responses.seeOther(context, to: "/family/account") }
        let account = try await accounts.account(context.actor)
        return try Responses.of(
            context, template: "accounts-settings", version: account.version,
            page: {
                SettingsPage(
                    context, account: account, sendsMail: sendsMail, hasWays: hasProviders)
            },
            json: { AccountJSON(account) }
        )
    }

    @Sendable func edit(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let (account, proof) = try await profiles.accountWithEmailProof(of: context.actor)
        let picture = account.avatarPictureID?.description ?? ""
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
            return try await fieldSheets.update(kind, fields, changes, password: password, context)
        }
        let upload = fields.file("picture")
        let typed = ProfileFormState(fields)
        let pictureID = fields.typed("pictureId")
        return try await Responses.form(
            context, template: "accounts-edit",
            page: { error in
                let (_, proof) = try await profiles.accountWithEmailProof(of: context.actor)
                return EditPage(context, typed: typed, pictureID: pictureID, proof: proof, error: error)
            },
            perform: { [fields, changes] in
                try await context.translating {
                    var fields = fields
                    var changes = changes
                    let change = try context.change(fields)
                    if let picture = try await fields.store(upload, in: pictures, by: change) {
                        changes.avatarPictureID = .set(picture)
                    }
                    try fields.check { [changes] in
                        let account = context.account
                        try profiles.check(
                            changes, isChild: account.role == .child, hasEmail: account.email != nil)
                    }
                    let account = try await profiles.update(
                        changes, ifVersion: context.ifMatch(), password: password, by: change,
                        language: context.language.rawValue
                    )
                    // The next page is in the language that was chosen.
                    let language = account.language.flatMap(Language.init(rawValue:)) ?? context.language
                    return try Responses.changed(
                        context, version: account.version, json: { AccountJSON(account) }, seeOther: "/account",
                        toast: ShellToast.saved(account, changes, context, in: language)
                    )
                }
            }
        )
    }

    @Sendable func showChoice(_ request: Request, _ context: SignedInContext) async throws -> Response {
        guard let choice = SettingsChoice(rawValue: try context.text("choice")) else { throw AppError.notFound }
        let account = try await accounts.account(context.actor)
        let page = ChoicePage(context, choice: choice, account: account)
        return try Responses.page(context, template: "accounts-choice", page)
    }
}
