import Kernel
import Storage

/// Finds the offers on the way of a trip. It compares only public areas, so that no number of searches tells an exact
/// point.
struct DetourSearch: Sendable {
    /// An offer with its detour.
    struct Candidate: Sendable, Equatable {
        let id: ID<Package>
        let extraMetres: Double
        let rewardPerKilometre: Double

        init(id: ID<Package>, extraMetres: Double, reward: Int64) {
            self.id = id
            self.extraMetres = max(0, extraMetres)
            rewardPerKilometre =
                Double(reward) / max(1, self.extraMetres / Double(Trip.metresPerKilometre))
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
        let pairs = try DetourPairs(DetourArea(trip))
        let numbers = pairs.numbers
        var found: [Candidate] = []
        for start in stride(from: 0, to: numbers.count, by: Limits.tripPairsPerQuery) {
            let part = Array(numbers[start..<min(numbers.count, start + Limits.tripPairsPerQuery)])
            found += try candidates(pairs.column, part, in: tx)
            // The best of each part, so that the memory doesn't grow with the offers.
            if found.count > 2 * limit { found = Array(found.sorted { $0.isBetter(than: $1) }.prefix(limit)) }
        }
        return Array(found.sorted { $0.isBetter(than: $1) }.prefix(limit))
    }

    private func candidates(_ column: StaticString, _ pairs: [Int64], in tx: Transaction) throws -> [Candidate] {
        let sizes: SQL =
            trip.size == nil ? SQL() : " AND (size IS NULL OR size IN \(list: trip.fittingSizes))"
        let rows = try tx.rows(
            """
            SELECT origin_area_latitude, origin_area_longitude, destination_area_latitude, destination_area_longitude,
                reward, id
            FROM carrepsa_package
            WHERE state = 'available' AND \(raw: column) IN \(list: pairs) AND owner_id <> \(trip.person)
                AND (deadline_at IS NULL OR deadline_at > \(trip.days.nextStart(now)))\(sql: sizes)
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
}
