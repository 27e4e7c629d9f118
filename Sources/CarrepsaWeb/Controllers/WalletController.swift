import Carrepsa
import Hummingbird
import Kernel
import WebCore

/// `/carrepsa/wallet` and `/carrepsa/wallet/entries`: the reader's balance, amounts in escrow and statement.
struct WalletController: Sendable {
    let wallets: WalletService
    let currency: Currency

    func addRoutes(to root: RouterGroup<SignedInContext>) {
        root.get("wallet", use: show)
        root.get("wallet/entries", use: indexEntries)
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        guard context.face == .json else { return Responses.seeOther(context, to: CarrepsaPath.entries) }
        return try Responses.json(context, WalletJSON(try await wallets.wallet(of: context.actor)))
    }

    @Sendable func indexEntries(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let paging = try context.paging()
        if context.face == .json {
            let entries = try await wallets.entries(of: context.actor, after: paging.after, limit: paging.limit)
            return try Responses.json(
                context, ListJSON(items: entries.items.map(WalletEntryJSON.init), next: entries.next))
        }
        let statement = try await wallets.statement(of: context.actor, after: paging.after, limit: paging.limit)
        return try Responses.page(
            context, template: "carrepsa-wallet", fragment: "carrepsa-wallet-rows",
            WalletPage(
                context, statement, after: paging.after, t: context.t,
                formatter: context.carrepsaFormatter(currency))
        )
    }
}
