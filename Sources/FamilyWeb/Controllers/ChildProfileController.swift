import Accounts
import Family
import Hummingbird
import Kernel
import Pictures
import WebCore

/// `/family/children/{id}` for children: the child's own page, or a sibling's without actions; editing their own
/// profile.
struct ChildProfileController: Sendable {
    let children: ChildService
    let pictures: PictureLibrary

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        if context.face == .json {
            let child = try await children.child(id, for: context.actor)
            return try Responses.json(context, ChildJSON(child), version: child.version)
        }
        let details = try await children.details(of: id, for: context.actor)
        return try Responses.page(
            context, template: "family-my-profile", fragment: "family-my-profile-rows",
            ChildProfilePage(context, details, formatter: context.familyFormatter)
        )
    }

    @Sendable func update(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        var fields = try await Fields.read(request, context)
        var typed = ChildProfileFormState(fields)
        return try await Responses.form(
            context, template: "family-my-edit",
            page: { error in
                let error = context.translated(error)
                if error.code == .conflict, error.fields.isEmpty {
                    // Use the present version only after the child has seen the conflict, so that saving again
                    // overwrites it knowingly.
                    typed.version = String(try await children.child(id, for: context.actor).version)
                }
                return ChildEditPage(context, typed: typed, error: error)
            },
            perform: {
                var appearance = AppearanceFormState(&fields)
                var changes = ProfileChanges(
                    name: fields.string("name").edit, dateOfBirth: fields.string("dateOfBirth").edit,
                    theme: appearance.theme)
                let change = try context.change(fields)
                try await appearance.storePhoto(in: pictures, by: change, &fields) {
                    try await children.requireEditing(id, by: context.actor)
                }
                typed.avatar = appearance.chosenAvatar
                changes.avatarPictureID = appearance.avatarPictureID
                try fields.check { [changes] in try children.validate(changes, isOwn: context.actor.person == id) }
                let child = try await children.update(id, changes, by: change)
                return try Responses.changed(
                    context, version: child.version, json: { ChildJSON(child) }, seeOther: FamilyPath.account,
                    toast: ShellToast(context.t("Your profile is updated"))
                )
            }
        )
    }
}
