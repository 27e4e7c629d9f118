import Accounts
import Carrepsa
import Hummingbird
import Kernel
import Ledger
import Storage
import WebCore

extension CarrepsaPages {
    @Sendable func showProfile(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let account = try await accounts.account(context.actor)
        let wallet = try await service.wallet(for: context.actor)
        let proof = try await accounts.proofState(of: context.actor, for: .changeEmail)
        return try Responses.page(
            context, template: "carrepsa-profile", fragment: "carrepsa-profile-rows",
            ProfilePage(
                context, account: account, proof: proof, wallet: wallet, t: context.carrepsaStrings,
                formatter: formatter(context))
        )
    }

    @Sendable func showPerson(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let person = try await service.person(context.id("id", of: Person.self), for: context.actor)
        let package = context.query("package").flatMap { ID<Package>($0) }
        return try Responses.of(
            context, template: "carrepsa-person", fragment: "carrepsa-person-rows",
            page: { PersonPage(context, person, package: package, t: context.carrepsaStrings) },
            json: { OtherPartyJSON(person) }
        )
    }

    // MARK: Wallet

    @Sendable func showWallet(_ request: Request, _ context: SignedInContext) async throws -> Response {
        guard context.face == .json else { return Responses.seeOther(context, to: CarrepsaPath.entries) }
        return try Responses.json(context, WalletJSON(try await service.wallet(for: context.actor)))
    }

    @Sendable func showEntries(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let paging = try context.paging()
        let entries = try await service.entries(for: context.actor, after: paging.after, limit: paging.limit)
        if context.face == .json {
            return try Responses.json(
                context, ListJSON(items: entries.items.map(WalletEntryJSON.init), next: entries.next))
        }
        let wallet = try await service.wallet(for: context.actor)
        let t = context.carrepsaStrings
        let formatter = formatter(context)
        let holdings = wallet.held == 0 || paging.after != nil ? [] : try await held(context, t, formatter)
        return try Responses.page(
            context, template: "carrepsa-wallet", fragment: "carrepsa-wallet-rows",
            WalletPage(
                context, wallet, holdings: holdings, entries: entries, after: paging.after, t: t, formatter: formatter)
        )
    }

    private func held(
        _ context: SignedInContext, _ t: CarrepsaStrings, _ formatter: CarrepsaFormatter
    ) async throws -> [EscrowRow] {
        let limit = Limits.pageSizeMaximum
        let owned = try await service.packages(
            for: context.actor, .owned, filter: PackageFilter(), past: false, after: nil, limit: limit)
        let carried = try await service.packages(
            for: context.actor, .carried, filter: PackageFilter(), past: false, after: nil, limit: limit)
        return EscrowRow.all(owned: owned.items, carried: carried.items, t, formatter)
    }

    // MARK: Administrators

    @Sendable func listDisputes(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let paging = try context.paging()
        let page = try await service.disputes(for: context.actor, after: paging.after, limit: paging.limit)
        return try Responses.of(
            context, template: "carrepsa-disputes", fragment: "carrepsa-dispute-rows",
            page: {
                DisputeListPage(
                    context, page, after: paging.after, t: context.carrepsaStrings, formatter: formatter(context))
            },
            json: { ListJSON(items: page.items.map(DisputeJSON.init), next: page.next) }
        )
    }

    @Sendable func showLedger(_ request: Request, _ context: SignedInContext) async throws -> Response {
        guard context.account.isOperator else {
            throw AppError(.forbidden, CarrepsaMessage.operatorsOnly.rawValue)
        }
        let status = try await database.read { [ledger] tx in try ledger.status(in: tx) }
        return try Responses.of(
            context, template: "carrepsa-ledger", fragment: "carrepsa-ledger-rows",
            page: { LedgerPage(context, status, t: context.carrepsaStrings, formatter: formatter(context)) },
            json: { LedgerJSON(status) }
        )
    }
}
