import Family
import Hummingbird
import Kernel
import WebCore

/// `/family/children/{id}/contracts`: the contracts of a child, also for children, and *Add contract* for parents.
struct ContractsController: Sendable {
    let contracts: ContractService
    let children: ChildService

    func addRoutes(to parents: RouterGroup<SignedInContext>, shared: RouterGroup<SignedInContext>) {
        shared.get("children/{id}/contracts", use: index)
        parents.get("children/{id}/contracts/new", use: new)
        parents.post("children/{id}/contracts", use: create)
    }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        let paging = try context.paging()
        if context.face == .json {
            let page = try await contracts.list(of: id, for: context.actor, after: paging.after, limit: paging.limit)
            return try Responses.json(context, ListJSON(items: page.items.map(ContractJSON.init), next: page.next))
        }
        let entries = try await contracts.listWithChild(
            id, for: context.actor, after: paging.after, limit: paging.limit)
        return try Responses.page(
            context, template: "family-contracts", fragment: "family-contract-rows",
            ContractListPage(
                context, entries, after: paging.after, t: context.t, formatter: context.familyFormatter)
        )
    }

    @Sendable func new(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let child = try await children.child(context.id("id", of: Person.self), for: context.actor)
        return try Responses.page(
            context, template: "family-contract-new",
            NewContractPage(context, child, typed: ContractFormState(), error: nil, t: context.t))
    }

    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        let t = context.t
        var typed = ContractFormState()
        return try await Responses.form(
            context, template: "family-contract-new",
            page: { error in
                let child = try await children.child(id, for: context.actor)
                return NewContractPage(
                    context, child, typed: typed, error: typed.atRows(context.translated(error)), t: t)
            },
            perform: {
                var fields = try await Fields.read(request, context)
                typed = ContractFormState(fields)
                if fields.isForm, fields.typed("step") == "add" {
                    return try await formWithAnotherLevel(typed, of: id, context)
                }
                let input = fields.isForm ? typed.input : fields.contractInput()
                try fields.check()
                let contract = try await contracts.create(for: id, input, by: context.change(fields))
                return try Responses.created(
                    context, location: FamilyPath.contracts(of: id), version: contract.version,
                    json: { ContractJSON(contract) }, seeOther: FamilyPath.child(id),
                    toast: ShellToast(t("The new contract has begun")))
            }
        )
    }

    /// Returns the form with another row, for browsers without script.
    private func formWithAnotherLevel(
        _ typed: ContractFormState, of id: PersonID, _ context: SignedInContext
    ) async throws -> Response {
        var typed = typed
        if typed.levels.count < Limits.contractLevels { typed.levels.append(ContractFormState.Level()) }
        let child = try await children.child(id, for: context.actor)
        return try Responses.page(
            context, template: "family-contract-new",
            NewContractPage(context, child, typed: typed, error: nil, t: context.t))
    }
}
