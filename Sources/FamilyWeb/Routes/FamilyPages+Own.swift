import Accounts
import Family
import Hummingbird
import Kernel
import WebCore

extension FamilyPages {
    @Sendable func listParents(_ request: Request, _ context: SignedInContext) async throws -> Response {
        guard context.face == .json else { return Responses.seeOther(context, to: FamilyPath.account) }
        let paging = try context.paging()
        let page = try await family.parents.list(for: context.actor, after: paging.after, limit: paging.limit)
        return try Responses.json(
            context, ListJSON(items: page.items.map { MemberJSON($0, isForChild: context.isChild) }, next: page.next))
    }

    @Sendable func showOwn(_ request: Request, _ context: SignedInContext) async throws -> Response {
        if context.face == .json {
            let me = try await family.households.me(for: context.actor)
            return try Responses.json(context, MemberJSON(me), version: me.version)
        }
        if context.account.role == .child { return try await childAccount(context) }
        let me = try await family.households.me(for: context.actor)
        let parents = try await family.parents.all(for: context.actor)
        return try Responses.page(
            context, template: "family-account", fragment: "family-account-rows", version: me.version,
            ParentAccountPage(
                context, me: me, chores: try await allChores(context), parents: parents,
                hasDeletedChildren: try await !family.childDeletions.list(for: context.actor).isEmpty,
                t: context.familyStrings, formatter: formatter(context))
        )
    }

    @Sendable func editOwn(_ request: Request, _ context: SignedInContext) async throws -> Response {
        if context.account.role == .child { return try await childAccountEdit(context) }
        let me = try await family.households.me(for: context.actor)
        return try Responses.page(
            context, template: "family-person", fragment: "family-person-fragment",
            PersonPage(own: context, typed: PersonFormState(me), error: nil, t: context.familyStrings))
    }

    @Sendable func updateOwn(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let t = context.familyStrings
        var typed = PersonFormState()
        let response = try await Responses.form(
            context, template: "family-person", fragment: "family-person-fragment",
            page: { error in
                let me = try await family.households.me(for: context.actor)
                let said = settle(error, context, &typed, PersonValues(me), version: me.version)
                return PersonPage(own: context, typed: typed, error: said, t: t)
            },
            perform: {
                var fields = try await Fields.read(request, context)
                typed = PersonFormState(fields)
                var changes = ProfileChanges(
                    name: fields.string("name").edit, dateOfBirth: fields.string("dateOfBirth").edit)
                var looks = AppearanceFormState(&fields)
                typed.take(looks)
                let change = try context.change(fields)
                try await looks.storePhoto(in: pictures, by: change, &fields) {
                    try await family.households.createIfMissing(for: context.actor)
                }
                typed.take(looks)
                changes.theme = looks.theme
                changes.avatarPictureID = looks.avatarPictureID
                // Other apps allow an account without a date of birth; Family requires it.
                if case .clear = changes.dateOfBirth {
                    fields.note("dateOfBirth", FamilyMessage.dateOfBirthMissing.rawValue)
                }
                if case .clear = changes.avatarPictureID {
                    fields.note("avatarPictureId", FamilyMessage.required.rawValue)
                }
                if case .clear = changes.name { fields.note("name", AccountMessage.nameMissing.rawValue) }
                try fields.check { [changes] in
                    let account = context.account
                    try accounts.check(changes, isChild: account.role == .child, hasEmail: account.email != nil)
                }
                // Check access before storing anything. A change that sets the date of birth is exempt, because it may
                // be the one that gives access.
                if case .keep = changes.dateOfBirth { try await family.households.createIfMissing(for: context.actor) }
                let account = try await accounts.update(
                    changes, ifVersion: change.ifVersion, by: change, language: context.language.rawValue)
                let me = try await family.households.me(for: context.actor)
                return try Responses.changed(
                    context, version: account.version, json: { MemberJSON(me) }, seeOther: FamilyPath.account,
                    toast: ShellToast(t.person.ownUpdated))
            }
        )
        return response.inPlace(context)
    }
}
