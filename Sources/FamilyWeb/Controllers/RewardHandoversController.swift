import Accounts
import Family
import Hummingbird
import Kernel
import WebCore

/// `/family/children/{id}/contracts/{contractId}/levels/{level}/handover`: marking a reward as handed over.
struct RewardHandoversController: Sendable {
    let contracts: ContractService
    let responder: ChildActionResponder

    func addRoutes(to parents: RouterGroup<SignedInContext>) {
        let path: RouterPath = "children/{id}/contracts/{contractId}/levels/{level}/handover"
        parents.put(path, use: update)
        parents.delete(path, use: destroy)
    }

    @Sendable func update(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        let contract = try context.id("contractId", of: Contract.self)
        guard let level = Int(try context.text("level")) else { throw AppError.notFound }
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        return try await responder.redirectingErrors(id, context) {
            let contract = try await contracts.markHandedOver(
                level: level, of: contract, of: id, by: context.change(fields))
            return try response(contract, of: id, level: level, context.t("“{reward}” is handed over"), context)
        }
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        let contract = try context.id("contractId", of: Contract.self)
        guard let level = Int(try context.text("level")) else { throw AppError.notFound }
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        return try await responder.redirectingErrors(id, context) {
            let contract = try await contracts.clearHandedOver(
                level: level, of: contract, of: id, by: context.change(fields))
            return try response(contract, of: id, level: level, context.t("“{reward}” still waits"), context)
        }
    }

    private func response(
        _ contract: Contract, of id: PersonID, level number: Int, _ text: String, _ context: SignedInContext
    ) throws -> Response {
        let reward = contract.levels.first { $0.number == number }?.reward ?? ""
        return try Responses.changed(
            context, version: contract.version, json: { ContractJSON(contract) }, seeOther: FamilyPath.child(id),
            toast: ShellToast(Translator.filled(text, ["reward": reward])))
    }
}
