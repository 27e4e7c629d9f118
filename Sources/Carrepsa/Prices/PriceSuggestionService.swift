package import Accounts
import Kernel
import Storage

/// `/carrepsa/price-suggestions`: what others paid for a package like this.
package struct PriceSuggestionService: Sendable {
    let database: Database
    let memberships: MembershipService
    let currency: Currency
    let clock: any WallClock

    /// Checks the fields of which a suggestion is made.
    /// - Parameter requiresWeight: whether a missing weight is an error. A form can't tell it from an invalid one.
    /// - Throws: `AppError.invalid` at `weight`, `…Latitude`, `…Longitude` and `…OpeningTimes`.
    package func check(_ input: PackageInput, requiresWeight: Bool) throws {
        var problems = FieldErrors<CarrepsaMessage>()
        let isWeightRight = input.weightGrams.map { 1...Limits.packageWeightGrams ~= $0 } ?? !requiresWeight
        if !isWeightRight { problems.refuse("weight", .weightOutOfRange) }
        _ = input.origin.validated("from", &problems)
        _ = input.destination.validated("to", &problems)
        try problems.finish()
    }

    /// Returns a suggestion from the known fields of a package. ``check(_:requiresWeight:)`` must accept them.
    package func suggestion(for input: PackageInput, of actor: Actor) async throws -> PriceSuggestion {
        try await memberships.ensureWallet(of: actor)
        let from = input.origin.point
        let to = input.destination.point
        let distance = from.flatMap { from in to.map { from.distanceMetres(to: $0) } }
        let since = clock.now.adding(seconds: -Limits.priceHistorySeconds)
        var paid: [(reward: Int64, deposit: Int64)] = []
        if let from, let to {
            paid = try await database.read { tx in try PriceHistoryStore.paid(from, to, since: since, in: tx) }
        }
        if paid.count >= Limits.priceDeliveries, let reward = PriceRule.middle(of: paid.map(\.reward)),
            let deposit = PriceRule.middle(of: paid.map(\.deposit))
        {
            return PriceSuggestion(
                reward: reward, deposit: deposit, basis: .deliveries(paid.count), distanceMetres: distance)
        }
        let reward = PriceRule.reward(
            distanceMetres: distance, weightGrams: input.weightGrams ?? 0, size: input.size, currency: currency)
        return PriceSuggestion(
            reward: reward, deposit: PriceRule.deposit(reward: reward, currency: currency), basis: .formula,
            distanceMetres: distance)
    }
}

extension PackageEndInput {
    /// `nil` unless both degrees are known and on the Earth.
    fileprivate var point: Coordinate? {
        guard let latitude, let longitude else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }
}

/// The finished deliveries from which prices are suggested.
enum PriceHistoryStore {
    /// Returns rewards and deposits of the latest deliveries from and to the cells around two points, at most
    /// ``Limits/priceDeliveriesRead``.
    static func paid(
        _ from: Coordinate, _ to: Coordinate, since: Instant, in tx: Transaction
    ) throws -> [(reward: Int64, deposit: Int64)] {
        let pairs = Grid.fine.neighbours(of: from).flatMap { origin in
            Grid.fine.neighbours(of: to).map { origin * Grid.numberLimit + $0 }
        }
        // A query for each pair reads the latest deliveries from the index, however many there are.
        let latest = pairs.map { pair -> SQL in
            """
            SELECT finished_at, reward, money_lock FROM (
                SELECT finished_at, reward, money_lock FROM carrepsa_package
                WHERE state = 'delivered' AND cell_pair = \(pair) AND finished_at > \(since)
                ORDER BY finished_at DESC LIMIT \(Limits.priceDeliveriesRead)
            ) AS part
            """
        }
        return try tx.rows(
            """
            \(sql: latest.joined(separator: " UNION ALL "))
            ORDER BY 1 DESC LIMIT \(Limits.priceDeliveriesRead)
            """
        ).map { (reward: try $0.get(at: 1), deposit: try $0.get(at: 2)) }
    }
}
