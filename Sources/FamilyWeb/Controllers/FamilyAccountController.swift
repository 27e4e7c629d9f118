import Accounts
import Family
import Hummingbird
import Kernel
import Pictures
import WebCore

/// `/family/account` for parents: their own profile, the household's chores and its parents.
struct FamilyAccountController: Sendable {
    let households: HouseholdService
    let profiles: ProfileService
    let pictures: PictureLibrary

    func addRoutes(to group: RouterGroup<SignedInContext>) {
        group.patch("account", use: update)
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        if context.face == .json {
            let me = try await households.me(for: context.actor)
            return try Responses.json(context, MemberJSON(me), version: me.version)
        }
        let account = try await households.parentAccount(for: context.actor)
        return try Responses.page(
            context, template: "family-account", fragment: "family-account-rows", version: account.me.version,
            ParentAccountPage(context, account, t: context.t, formatter: context.familyFormatter)
        )
    }

    @Sendable func edit(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let me = try await households.me(for: context.actor)
        return try Responses.page(
            context, template: "family-person", fragment: "family-person-fragment",
            PersonPage(own: context, typed: PersonFormState(me), error: nil, t: context.t))
    }

    @Sendable func update(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let t = context.t
        var typed = PersonFormState()
        let response = try await Responses.form(
            context, template: "family-person", fragment: "family-person-fragment",
            page: { error in
                let me = try await households.me(for: context.actor)
                let shown = typed.rebase(after: error, on: PersonValues(me), version: me.version, context)
                return PersonPage(own: context, typed: typed, error: shown, t: t)
            },
            perform: {
                var fields = try await Fields.read(request, context)
                let (changes, change) = try await typed.readChanges(&fields, in: pictures, context) {
                    try await households.createIfMissing(for: context.actor)
                }
                // Other apps allow an account without a date of birth; Family requires it.
                if case .clear = changes.dateOfBirth {
                    fields.addError("dateOfBirth", FamilyMessage.dateOfBirthMissing.text)
                }
                if case .clear = changes.avatarPictureID {
                    fields.addError("avatarPictureId", FamilyMessage.required.text)
                }
                if case .clear = changes.name { fields.addError("name", AccountMessage.nameMissing.text) }
                try fields.check {
                    try profiles.check(changes, isChild: false, hasEmail: context.account.email != nil)
                }
                // Check access before storing anything. A change that sets the date of birth is exempt, because it may
                // be the one that gives access.
                if case .unchanged = changes.dateOfBirth { try await households.createIfMissing(for: context.actor) }
                let account = try await profiles.update(
                    changes, ifVersion: change.ifVersion, by: change, language: context.language.rawValue)
                let me = try await households.me(for: context.actor)
                return try Responses.changed(
                    context, version: account.version, json: { MemberJSON(me) }, seeOther: FamilyPath.account,
                    toast: ShellToast(t("Your profile is updated")))
            }
        )
        return response.inPlace(context)
    }
}
