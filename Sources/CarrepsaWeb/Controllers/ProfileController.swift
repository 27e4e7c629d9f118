import Accounts
import Carrepsa
import Hummingbird
import Kernel
import WebCore

/// `/carrepsa/profile`: the reader's balance and contact details.
struct ProfileController: Sendable {
    let profiles: ProfileService
    let wallets: WalletService
    let currency: Currency

    func addRoutes(to root: RouterGroup<SignedInContext>) { root.get("profile", use: show) }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let (account, proof) = try await profiles.accountWithEmailProof(of: context.actor)
        let wallet = try await wallets.wallet(of: context.actor)
        return try Responses.page(
            context, template: "carrepsa-profile", fragment: "carrepsa-profile-rows",
            ProfilePage(
                context, account: account, proof: proof, wallet: wallet, t: context.t,
                formatter: context.carrepsaFormatter(currency))
        )
    }
}
