import Accounts
import Family
import Hummingbird
import Kernel
import WebCore

extension FamilyPages {
    // MARK: Contracts

    @Sendable func listContracts(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        let paging = try context.paging()
        let page = try await family.contracts.list(
            of: id, for: context.actor, after: paging.after, limit: paging.limit)
        if context.face == .json {
            return try Responses.json(context, ListJSON(items: page.items.map(ContractJSON.init), next: page.next))
        }
        let child = try await family.children.child(id, for: context.actor)
        return try Responses.page(
            context, template: "family-contracts", fragment: "family-contract-rows",
            ContractListPage(
                context, child, page, after: paging.after, t: context.familyStrings, formatter: formatter(context))
        )
    }

    @Sendable func newContract(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let child = try await family.children.child(context.id("id", of: Person.self), for: context.actor)
        return try Responses.page(
            context, template: "family-contract-new",
            NewContractPage(context, child, typed: ContractFormState(), error: nil, t: context.familyStrings))
    }

    @Sendable func addContract(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        let t = context.familyStrings
        var typed = ContractFormState()
        return try await Responses.form(
            context, template: "family-contract-new",
            page: { error in
                let child = try await family.children.child(id, for: context.actor)
                return NewContractPage(
                    context, child, typed: typed, error: typed.atRows(context.translated(error)), t: t)
            },
            perform: {
                var fields = try await Fields.read(request, context)
                typed = ContractFormState(fields)
                if fields.isForm, fields.typed("step") == "add" {
                    return try await withOneMoreLevel(typed, of: id, context)
                }
                let input = fields.isForm ? typed.input : fields.contractInput()
                try fields.check()
                let contract = try await family.contracts.create(for: id, input, by: context.change(fields))
                return try Responses.created(
                    context, location: FamilyPath.contracts(of: id), version: contract.version,
                    json: { ContractJSON(contract) }, seeOther: FamilyPath.child(id),
                    toast: ShellToast(t.contract.added))
            }
        )
    }

    /// Returns the form with another row, for browsers without script.
    private func withOneMoreLevel(
        _ typed: ContractFormState, of id: PersonID, _ context: SignedInContext
    ) async throws -> Response {
        var typed = typed
        if typed.levels.count < Limits.contractLevels { typed.levels.append(ContractFormState.Level()) }
        let child = try await family.children.child(id, for: context.actor)
        return try Responses.page(
            context, template: "family-contract-new",
            NewContractPage(context, child, typed: typed, error: nil, t: context.familyStrings))
    }

    // MARK: Rewards

    @Sendable func handOver(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await markHandedOver(true, request, context)
    }

    @Sendable func takeHandoverBack(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await markHandedOver(false, request, context)
    }

    private func markHandedOver(
        _ isHandedOver: Bool, _ request: Request, _ context: SignedInContext
    ) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        let contract = try context.id("contractId", of: Contract.self)
        guard let level = Int(try context.text("level")) else { throw AppError.notFound }
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        return try await performOrRedirect(id, context) {
            let change = try context.change(fields)
            let saved =
                isHandedOver
                ? try await family.contracts.markHandedOver(level: level, of: contract, of: id, by: change)
                : try await family.contracts.clearHandedOver(level: level, of: contract, of: id, by: change)
            let words =
                isHandedOver ? context.familyStrings.profile.markedOver : context.familyStrings.profile.markedBack
            let reward = saved.levels.first { $0.number == level }?.reward ?? ""
            return try Responses.changed(
                context, version: saved.version, json: { ContractJSON(saved) }, seeOther: FamilyPath.child(id),
                toast: ShellToast(FamilyStrings.fill(words, ["reward": reward])))
        }
    }

    // MARK: Assignments

    @Sendable func listAssignments(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        let paging = try context.paging()
        let page = try await family.assignments.list(
            of: id, for: context.actor, after: paging.after, limit: paging.limit)
        if context.face == .json {
            return try Responses.json(context, ListJSON(items: page.items.map(AssignmentJSON.init), next: page.next))
        }
        let child = try await family.children.child(id, for: context.actor)
        return try Responses.page(
            context, template: "family-assignments", fragment: "family-assignment-rows",
            AssignmentListPage(
                context, child, page, after: paging.after, t: context.familyStrings, formatter: formatter(context))
        )
    }

    @Sendable func newAssignments(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let child = try await family.children.child(context.id("id", of: Person.self), for: context.actor)
        return try Responses.page(
            context, template: "family-assign", fragment: "family-assign-fragment",
            try await assignPage(child, .nothing, nil, context))
    }

    private func assignPage(
        _ child: Child, _ typed: PointsFormState, _ error: AppError?, _ context: SignedInContext
    ) async throws -> AssignPage {
        AssignPage(
            context, child: child, chores: try await allChores(context), typed: typed, error: error,
            t: context.familyStrings, formatter: formatter(context))
    }

    @Sendable func assign(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        var typed = PointsFormState.nothing
        let response = try await Responses.form(
            context, template: "family-assign", fragment: "family-assign-fragment",
            page: { error in
                let child = try await family.children.child(id, for: context.actor)
                return try await assignPage(child, typed, context.translated(error), context)
            },
            perform: {
                var fields = try await Fields.read(request, context)
                typed = PointsFormState(fields)
                let entries = fields.isForm ? typed.entries : fields.assignmentInputs()
                try fields.check()
                let booked = try await family.assignments.assign(entries, to: id, by: context.change(fields))
                let toast = context.face == .json ? nil : try await bookedToast(booked, id, context)
                return try Responses.created(
                    context, location: FamilyPath.assignments(of: id),
                    json: { ListJSON(items: booked.map(AssignmentJSON.init), next: nil) },
                    seeOther: FamilyPath.child(id), toast: toast)
            }
        )
        return response.inPlace(context)
    }

    private func bookedToast(
        _ booked: [Assignment], _ id: PersonID, _ context: SignedInContext
    ) async throws -> ShellToast {
        let child = try await family.children.child(id, for: context.actor)
        let points = formatter(context).points(Int64(booked.reduce(0) { $0 + $1.points }))
        return ShellToast(
            FamilyStrings.fill(context.familyStrings.assign.booked, ["points": points, "name": child.name]))
    }

    @Sendable func undoAssignment(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        let assignment = try context.id("assignmentId", of: Assignment.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        return try await performOrRedirect(id, context) {
            try await family.assignments.undo(assignment, of: id, by: context.change(fields))
            return Responses.removed(
                context, seeOther: FamilyPath.child(id), toast: ShellToast(context.familyStrings.profile.undone))
        }
    }

    /// Performs an action. If it is too late, redirects to a page with the present state and the reason.
    /// - Parameter path: the path of that page; `nil` for the child's.
    func performOrRedirect(
        _ id: PersonID, _ context: SignedInContext, at path: String? = nil, keeping keepsInvalid: Bool = false,
        _ perform: () async throws -> Response
    ) async throws -> Response {
        do {
            return try await perform()
        } catch let error as AppError {
            guard context.face != .json, [.conflict, .notFound, .invalid].contains(error.code) else { throw error }
            if keepsInvalid, error.code == .invalid { throw error }
            _ = try await family.children.child(id, for: context.actor)
            // The person has just seen the resource, so "not found" needs an explanation. Other errors have their own
            // reason.
            let text =
                error == .notFound ? context.familyStrings.profile.tooLate : context.translated(error).message
            return Responses.seeOther(
                context, to: path ?? FamilyPath.child(id), toast: ShellToast(text, isProblem: true))
        }
    }
}
