import Carrepsa
import Hummingbird
import Kernel
import WebCore

/// `/carrepsa/packages`: the search for offers, and with `role` the reader's own packages or deliveries.
struct PackageListController: Sendable {
    let packages: PackageService
    let currency: Currency

    /// The values of the query parameter `role`.
    private enum RoleFilter: String {
        case owner
        case carrier

        var listing: PackageListing { self == .owner ? .owned : .carried }
    }

    func addRoutes(to packages: RouterGroup<SignedInContext>) { packages.get(use: index) }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let paging = try context.paging()
        let isWhole = context.face != .json && context.query("limit") == nil
        let limit = isWhole ? Limits.pageSizeMaximum : paging.limit
        guard let role = context.query("role"), !role.isEmpty else {
            return try await search(context, after: paging.after, limit: limit)
        }
        guard let filter = RoleFilter(rawValue: role) else {
            throw AppError.invalid("role", "Choose owner or carrier.")
        }
        return try await own(filter.listing, context, after: paging.after, limit: limit)
    }

    private func search(_ context: SignedInContext, after: String?, limit: Int) async throws -> Response {
        var typed = PackageFilterFormState(from: context.query("from") ?? "", to: context.query("to") ?? "")
        let filter = PackageFilter(
            from: typed.from, to: typed.to, maxWeightGrams: try maxWeight(context, typed: &typed))
        let page = try await packages.list(
            .offers, for: context.actor, filter: filter, past: nil, after: after, limit: limit
        )
        let t = context.t
        return try Responses.of(
            context, template: "carrepsa-list", fragment: "carrepsa-rows",
            page: {
                PackageListPage(
                    offersFor: context, page, filter: typed, after: after, t: t,
                    formatter: context.carrepsaFormatter(currency))
            },
            json: { ListJSON(items: page.items.map(PackageJSON.init), next: page.next) }
        )
    }

    /// Reads the weight filter: `maxWeight` in grams from API clients, `kilograms` from the form. An invalid weight
    /// in the form gets an error at the field and doesn't filter.
    private func maxWeight(_ context: SignedInContext, typed: inout PackageFilterFormState) throws -> Int64? {
        if let text = context.query("kilograms"), !text.allSatisfy(\.isWhitespace) {
            typed.kilograms = text
            guard let grams = Kilograms.grams(from: text, in: context.language), grams > 0 else {
                let message = context.t("Enter a weight such as 2.5.")
                if context.face == .json { throw AppError.invalid("kilograms", message) }
                typed.weightMessage = message
                return nil
            }
            return grams
        }
        guard let text = context.query("maxWeight"), !text.isEmpty else { return nil }
        guard let grams = Int64(text), grams > 0 else {
            throw AppError.invalid("maxWeight", "Enter a weight of at least 1 gram.")
        }
        typed.kilograms = context.carrepsaFormatter(currency).kilograms(grams)
        return grams
    }

    private func own(
        _ listing: PackageListing, _ context: SignedInContext, after: String?, limit: Int
    ) async throws -> Response {
        // Pages show current packages by default; API clients get all.
        let past = try context.past() ?? (context.face == .json ? nil : false)
        var typed = PackageFilterFormState(from: context.query("from") ?? "", to: context.query("to") ?? "")
        let filter = PackageFilter(
            from: typed.from, to: typed.to, maxWeightGrams: try maxWeight(context, typed: &typed))
        let page = try await packages.list(
            listing, for: context.actor, filter: filter, past: past, after: after, limit: limit
        )
        let t = context.t
        return try Responses.of(
            context, template: "carrepsa-list", fragment: "carrepsa-rows",
            page: {
                PackageListPage(
                    listing, isPast: past ?? false, for: context, page, filter: typed, after: after, t: t,
                    formatter: context.carrepsaFormatter(currency)
                )
            },
            json: { ListJSON(items: page.items.map(PackageJSON.init), next: page.next) }
        )
    }

}

extension SignedInContext {
    /// Returns the query parameter `past`; `nil` if it is absent.
    func past() throws -> Bool? {
        switch query("past") ?? "" {
        case "": nil
        case "true": true
        case "false": false
        default: throw AppError.invalid("past", "Choose true or false.")
        }
    }
}
