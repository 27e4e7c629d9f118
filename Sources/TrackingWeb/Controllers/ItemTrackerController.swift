import Hummingbird
import Kernel
import Tracking
import WebCore

/// `/tracking/items/{id}/tracker`: pairs an item with a tracker, and removes the tracker.
struct ItemTrackerController: Sendable {
    let items: ItemService
    let claimCodePairings: ClaimCodePairingService
    let bluetoothPairings: BluetoothPairingService
    let unpairings: UnpairingService

    func addRoutes(to items: RouterGroup<SignedInContext>) {
        items.get("{id}/tracker", use: show)
        items.put("{id}/tracker", use: update)
        items.delete("{id}/tracker", use: destroy)
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let overview = try await items.item(
            context.id("id", of: Item.self), for: context.actor, requires: .own)
        if context.face == .json {
            guard let tracker = overview.tracker else { throw AppError.notFound }
            return try Responses.json(context, TrackerJSON(tracker))
        }
        return try Responses.page(
            context, template: "tracking-tracker", TrackerPage(overview, context)
        )
    }

    @Sendable func update(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Item.self)
        var typedCode = ""
        return try await Responses.form(
            context, template: "tracking-tracker",
            page: { error in
                let overview = try await items.item(id, for: context.actor, requires: .own)
                return TrackerPage(overview, typedCode: typedCode, error: error, context)
            },
            perform: {
                var fields = try await Fields.read(request, context)
                typedCode = fields.typed("code")
                let code = fields.string("code")
                let pairing = fields.string("pairing").value
                if pairing == nil, (code.value ?? "").allSatisfy(\.isWhitespace) {
                    fields.addError("code", context.t("Enter the code."))
                }
                try fields.check()
                let change = try context.change(fields)
                let paired: PairedItem
                if let pairing {
                    paired = try await bluetoothPairings.pair(id, pairing: pairing, by: change)
                } else {
                    paired = try await claimCodePairings.pair(
                        id, code: code.value ?? "", clientAddress: context.clientAddress, by: change
                    )
                }
                return try Responses.changed(
                    context, json: { TrackerJSON(paired.tracker) }, seeOther: TrackingPath.item(id),
                    toast: ShellToast(context.t("{name} is paired", ["name": paired.item.name]))
                )
            }
        )
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Item.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        try await unpairings.unpair(id, by: context.change(fields))
        return Responses.removed(
            context, seeOther: TrackingPath.item(id), toast: ShellToast(context.t("Unpaired"))
        )
    }
}

extension TrackerPage {
    init(
        _ overview: ItemOverview, typedCode: String = "", error: AppError? = nil, _ context: SignedInContext
    ) {
        let t = context.t
        self.init(
            context, overview, typedCode: typedCode, error: error, t: t, formatter: context.formatter(t))
    }
}
