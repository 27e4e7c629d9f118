import Kernel
import Storage

/// Finds the offers on the way of a trip. It compares only public areas, so that no number of searches tells an exact
/// point.
struct DetourSearch: Sendable {
    /// An offer with its detour.
    struct Candidate: Sendable, Hashable {
        let id: ID<Package>
        let extraMetres: Double
        let rewardPerKilometre: Double

        /// Rounds the detour, so that the order, the detour that people read and the reward for each kilometre agree.
        init(id: ID<Package>, extraMetres: Double, reward: Int64) {
            self.id = id
            self.extraMetres = (max(0, extraMetres) / Limits.detourStepMetres).rounded() * Limits.detourStepMetres
            rewardPerKilometre =
                Double(reward) / max(1, self.extraMetres / Double(Trip.metresPerKilometre))
        }

        /// Returns a reward in minor units below which an offer is worse, if it has at least that detour.
        func leastReward(atExtraMetres metres: Double) -> Int64 {
            // A detour is rounded by half a step at most.
            let kilometres = max(1, (metres - Limits.detourStepMetres) / Double(Trip.metresPerKilometre))
            return Int64((rewardPerKilometre * kilometres).rounded(.down))
        }

        /// Whether it is listed before another one: more reward for each extra kilometre, then fewer kilometres.
        func isBetter(than other: Candidate) -> Bool {
            (other.rewardPerKilometre, extraMetres, id) < (rewardPerKilometre, other.extraMetres, other.id)
        }
    }

    let trip: Trip
    let now: Instant

    /// Returns the best offers of other people, the best first.
    /// - Throws: `AppError.invalid` at `detour` for a trip that is too long for its detour.
    func best(_ limit: Int, in tx: Transaction) throws -> [Candidate] {
        let area = DetourArea(trip)
        let pairs = try DetourPairs(area)
        var best: [Candidate] = []
        var rest = pairs.all[...]
        // The pairs with the smallest detours come first, in small parts: they give a lower bound for the rewards in
        // the other pairs.
        var size = Limits.tripPairsInFirstQuery
        while let first = rest.first {
            let least = best.count < limit ? 0 : best[limit - 1].leastReward(atExtraMetres: first.extraMetres)
            // Lists of the same lengths give the same statements, which the database has prepared.
            let part = rest.prefix(size).map(\.number)
            let numbers = part + Array(repeating: first.number, count: size - part.count)
            let found = try candidates(pairs.column, numbers, leastReward: least, within: area, in: tx)
            best = Array((best + found).sorted { $0.isBetter(than: $1) }.prefix(limit))
            rest = rest.dropFirst(size)
            size = min(2 * size, Limits.tripPairsPerQuery)
        }
        return best
    }

    private func candidates(
        _ column: StaticString, _ pairs: [Int64], leastReward: Int64, within area: DetourArea, in tx: Transaction
    ) throws -> [Candidate] {
        let sizes: SQL =
            trip.size == nil ? SQL() : " AND (size IS NULL OR size IN \(list: trip.fittingSizes))"
        let rows = try tx.rows(
            """
            SELECT origin_area_latitude, origin_area_longitude, destination_area_latitude, destination_area_longitude,
                reward, id
            FROM carrepsa_package
            WHERE state = 'available' AND \(raw: column) IN \(list: pairs) AND reward >= \(leastReward)
                AND owner_id <> \(trip.person)
                AND (deadline_at IS NULL OR deadline_at > \(trip.nextStart(now)))\(sql: sizes)
                AND \(sql: Self.isNear(area))
            """
        )
        let limit = Double(trip.detourMetres)
        return try rows.compactMap { row in
            guard let origin = Coordinate(latitude: try row.get(at: 0), longitude: try row.get(at: 1)),
                let destination = Coordinate(latitude: try row.get(at: 2), longitude: try row.get(at: 3))
            else { return nil }
            let extra = trip.extraMetres(from: origin, to: destination)
            guard extra <= limit else { return nil }
            return Candidate(id: try row.get(at: 5), extraMetres: extra, reward: try row.get(at: 4))
        }
    }

    /// Returns a condition that all offers within the detour meet and few others, because reading a row takes longer
    /// than comparing it in the database. See ``DetourArea/eastFactor`` for the plane.
    private static func isNear(_ area: DetourArea) -> SQL {
        let factor = area.eastFactor * area.eastFactor
        func length(_ north: SQL, _ east: SQL) -> SQL {
            "sqrt((\(sql: north)) * (\(sql: north)) + \(factor) * (\(sql: east)) * (\(sql: east)))"
        }
        let toOrigin = length(
            "origin_area_latitude - \(area.start.latitude)", "origin_area_longitude - \(area.start.longitude)")
        let between = length(
            "destination_area_latitude - origin_area_latitude", "destination_area_longitude - origin_area_longitude")
        let toEnd = length(
            "destination_area_latitude - \(area.end.latitude)", "destination_area_longitude - \(area.end.longitude)")
        return """
            \(sql: toOrigin) + \(sql: between) + \(sql: toEnd) <= \(area.limitMetres / DetourArea.metresPerDegree)
            """
    }
}
