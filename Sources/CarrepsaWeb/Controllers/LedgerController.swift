import Accounts
import Carrepsa
import Hummingbird
import Kernel
import Ledger
import Storage
import WebCore

/// `/carrepsa/ledger`: the state of the ledger, for administrators.
struct LedgerController: Sendable {
    let ledger: Ledger
    let database: Database
    let currency: Currency

    func addRoutes(to root: RouterGroup<SignedInContext>) { root.get("ledger", use: show) }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        guard context.account.isOperator else {
            throw AppError(.forbidden, CarrepsaMessage.operatorsOnly.text)
        }
        let (status, totals) = try await database.read { [ledger] tx in
            (try ledger.status(in: tx), try ledger.totals(in: tx))
        }
        return try Responses.of(
            context, template: "carrepsa-ledger", fragment: "carrepsa-ledger-rows",
            page: {
                LedgerPage(
                    context, status, totals, t: context.t, formatter: context.carrepsaFormatter(currency))
            },
            json: { LedgerJSON(status, totals) }
        )
    }
}
