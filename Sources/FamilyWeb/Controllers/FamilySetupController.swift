import Accounts
import Family
import Hummingbird
import Kernel
import WebCore

/// `/family/setup`: a child with its chores, their schedules and a first contract, on one page.
struct FamilySetupController: Sendable {
    let setups: FamilySetupService

    func addRoutes(to parents: RouterGroup<SignedInContext>) {
        parents.get("setup/new", use: new)
        parents.post("setup", use: create)
    }

    @Sendable func new(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try Responses.page(
            context, template: "family-setup",
            FamilySetupPage(context, typed: FamilySetupFormState(context.t), error: nil))
    }

    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let t = context.t
        var typed = FamilySetupFormState(t)
        return try await Responses.form(
            context, template: "family-setup",
            page: { error in FamilySetupPage(context, typed: typed, error: context.translated(error)) },
            perform: {
                var fields = try await Fields.read(request, context)
                let setup: FamilySetup
                if fields.isForm {
                    typed = FamilySetupFormState(&fields)
                    if typed.hasUnknownChore { fields.addError("chores", t("Choose one of the choices given.")) }
                    setup = typed.setup(t)
                } else {
                    setup = fields.familySetup(t)
                }
                try fields.check { try setups.validate(setup) }
                let child = try await setups.create(setup, by: context.change(fields))
                return try Responses.created(
                    context, location: FamilyPath.child(child.id), version: child.version,
                    json: { ChildJSON(child) }, seeOther: FamilyPath.signInCodesAfterSetup(of: child.id),
                    toast: ShellToast(t("{name} is in the family now", ["name": child.name])))
            })
    }
}

extension Fields {
    /// Reads a set-up from a JSON body.
    fileprivate mutating func familySetup(_ t: Translator) -> FamilySetup {
        let ids = strings("chores", atMost: StarterChore.allCases.count).value ?? []
        let chosen = Set(ids.compactMap { StarterChore(rawValue: $0) })
        if chosen.count < Set(ids).count { addError("chores", t("Choose one of the choices given.")) }
        let level = LevelInput(reward: string("reward").value, points: integer("points").value)
        return FamilySetup(
            child: ChildProfile(name: string("name").value, dateOfBirth: string("dateOfBirth").value),
            chores: Dictionary(uniqueKeysWithValues: chosen.map { ($0, $0.name(t)) }),
            reward: level.reward == nil && level.points == nil ? nil : level, timeZone: string("timeZone").value)
    }
}
