import Accounts
import Family
import Hummingbird
import Kernel
import WebCore

/// `/family/swaps` and `/family/children/{id}/swaps`: swaps of turns, for which a child asks, and to which the other
/// child and a parent agree.
struct SwapsController: Sendable {
    let swaps: SwapService

    func addRoutes(to shared: RouterGroup<SignedInContext>) {
        shared.get("swaps", use: index)
        shared.delete("swaps/{id}", use: destroy)
        shared.put("swaps/{id}/acceptance", use: accept)
        shared.put("swaps/{id}/approval", use: approve)
        shared.get("children/{id}/swaps/new", use: new)
        shared.post("children/{id}/swaps", use: create)
    }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let open = try await swaps.list(for: context.actor)
        return try Responses.of(
            context, template: "family-swaps", fragment: "family-swaps-rows",
            page: { SwapsPage(context, open.swaps, today: open.today) },
            json: { ListJSON(items: open.swaps.map(TurnSwapJSON.init), next: nil) })
    }

    @Sendable func new(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        let choices = try await swaps.choices(for: id, by: context.actor)
        let typed = SwapFormState(
            own: request.uri.queryParameters["turn"].map(String.init) ?? "", other: "")
        return try Responses.page(
            context, template: "family-swap-new", NewSwapPage(context, choices, of: id, typed: typed, error: nil))
    }

    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        var typed: SwapFormState?
        return try await Responses.form(
            context, template: "family-swap-new",
            page: { error in
                let choices = try await swaps.choices(for: id, by: context.actor)
                return NewSwapPage(
                    context, choices, of: id, typed: typed ?? SwapFormState(own: "", other: ""),
                    error: context.translated(error))
            },
            perform: {
                var fields = try await Fields.read(request, context)
                let input: TurnSwapInput
                if fields.isForm {
                    let state = SwapFormState(own: fields.typed("turn"), other: fields.typed("otherTurn"))
                    typed = state
                    input = state.input
                } else {
                    input = TurnSwapInput(
                        choreID: fields.id("choreId", of: Chore.self).value,
                        occurrence: fields.string("occurrence").value,
                        otherChoreID: fields.id("otherChoreId", of: Chore.self).value,
                        otherOccurrence: fields.string("otherOccurrence").value)
                }
                try fields.check()
                let swap = try await swaps.create(input, for: id, by: context.change(fields))
                return try Responses.created(
                    context, location: FamilyPath.swap(swap.id), json: { TurnSwapJSON(swap) },
                    seeOther: FamilyPath.swaps,
                    toast: ShellToast(context.t("{name} was asked", ["name": swap.wanted.child.name])))
            })
    }

    @Sendable func accept(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await act(request, context) { id, change in
            let swap = try await swaps.accept(id, by: change)
            return try Responses.changed(
                context, json: { TurnSwapJSON(swap) }, seeOther: FamilyPath.swaps,
                toast: ShellToast(context.t("Waiting for a parent")))
        }
    }

    @Sendable func approve(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await act(request, context) { id, change in
            try await swaps.approve(id, by: change)
            return Responses.removed(
                context, seeOther: FamilyPath.today, toast: ShellToast(context.t("The turns are swapped")))
        }
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await act(request, context) { id, change in
            try await swaps.remove(id, by: change)
            return Responses.removed(
                context, seeOther: FamilyPath.swaps, toast: ShellToast(context.t("The turns stay as they are")))
        }
    }

    private func act(
        _ request: Request, _ context: SignedInContext,
        _ perform: (ID<TurnSwap>, Change) async throws -> Response
    ) async throws -> Response {
        let id = try context.id("id", of: TurnSwap.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        return try await ParentActionResponder.redirectingErrors(context, to: FamilyPath.swaps) {
            try await perform(id, context.change(fields))
        }
    }
}
