import Accounts
import Family
import Hummingbird
import Kernel
import WebCore

/// `/family/children/{id}/goal`: the reward that a child saves for. Only the child chooses it.
struct SavingGoalsController: Sendable {
    let goals: SavingGoalService
    let responder: ChildActionResponder

    func addRoutes(to shared: RouterGroup<SignedInContext>) {
        shared.put("children/{id}/goal", use: update)
        shared.delete("children/{id}/goal", use: destroy)
    }

    @Sendable func update(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        var fields = try await Fields.read(request, context)
        let reward = fields.id("rewardId", of: ShopReward.self).value
        return try await responder.redirectingErrors(id, context, to: FamilyPath.shop) { [fields] in
            try fields.check()
            let child = try await goals.choose(reward, for: id, by: context.change(fields))
            return try Responses.changed(
                context, json: { ChildJSON(child) }, seeOther: FamilyPath.shop,
                toast: ShellToast(
                    context.t("You’re saving for “{reward}”", ["reward": child.savingGoal?.name ?? ""])))
        }
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        return try await responder.redirectingErrors(id, context, to: FamilyPath.shop) {
            try fields.check()
            try await goals.end(of: id, by: context.change(fields))
            return Responses.removed(
                context, seeOther: FamilyPath.shop, toast: ShellToast(context.t("You have no saving goal now")))
        }
    }
}
