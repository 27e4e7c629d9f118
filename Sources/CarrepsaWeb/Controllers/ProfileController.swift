import Accounts
import Carrepsa
import Hummingbird
import Kernel
import WebCore

/// `/carrepsa/profile`: the reader's balance, contact details and reviews.
struct ProfileController: Sendable {
    let profiles: ProfileService
    let wallets: WalletService
    let reviews: ReviewService
    let currency: Currency

    func addRoutes(to root: RouterGroup<SignedInContext>) { root.get("profile", use: show) }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let (account, proof) = try await profiles.accountWithEmailProof(of: context.actor)
        let wallet = try await wallets.wallet(of: context.actor)
        let reputation = try await reviews.reputation(of: context.actor)
        return try Responses.page(
            context, template: "carrepsa-profile", fragment: "carrepsa-profile-rows",
            ProfilePage(
                context, account: account, proof: proof, wallet: wallet, reputation: reputation,
                t: context.t, formatter: context.carrepsaFormatter(currency))
        )
    }
}
