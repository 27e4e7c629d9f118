import Kernel
import Logging
import MapServices
import Synchronization

/// Replaces the straight-line detours of a trip's best offers by those on roads.
///
/// The router learns the centres of the offers' public circles and the ends of the trip to about a kilometre, without
/// people and packages. When it doesn't answer, the detours stay straight lines, and it isn't asked for a minute. They
/// also stay straight lines while ``Limits/routerRequestsAtOnce`` other requests wait for it.
final class RoadDetours: Sendable {
    /// A trip with an offer, as the router learns it.
    struct DetourKey: Hashable, Sendable {
        let start: Coordinate
        let end: Coordinate
        let origin: Coordinate
        let destination: Coordinate
    }

    /// One detour; `nil` where no road leads.
    private let recent = RecentResults<DetourKey, Double?>(capacity: Limits.roadDetoursKept)
    private let pausedUntil = Mutex<Instant?>(nil)
    private let requestsRunning = Mutex(0)
    private let router: (any RoadRouter)?
    private let clock: any WallClock
    private let logger: Logger

    /// - Parameter router: `nil` where none is set up.
    init(router: (any RoadRouter)?, clock: any WallClock, logger: Logger) {
        self.router = router
        self.clock = clock
        self.logger = logger
    }

    /// Returns the matches with the detours of the first ``Limits/roadMatches`` by road, in their new order. The others
    /// follow as they are.
    /// - Throws: `CancellationError`.
    func measured(_ matches: [TripMatch], of trip: Trip) async throws -> [TripMatch] {
        guard let router, !matches.isEmpty else { return matches }
        let first = matches.prefix(Limits.roadMatches)
        guard let start = trip.start.rounded, let end = trip.end.rounded else { return matches }
        let ways = first.map { match -> DetourKey? in
            guard let origin = match.package.route.origin.area, let destination = match.package.route.destination.area
            else { return nil }
            return DetourKey(start: start, end: end, origin: origin, destination: destination)
        }
        guard try await requestDetours(router, for: ways.compactMap(\.self).filter { recent[$0] == nil }) else {
            return matches
        }
        let measured = zip(first, ways).map { match, way in
            way.flatMap { recent[$0] ?? nil }.map(match.byRoad) ?? match
        }
        // A straight line across water would be the best of all.
        let sorted = measured.sorted { $0.isByRoad == $1.isByRoad ? $0.isBetter(than: $1) : $0.isByRoad }
        return sorted + matches.dropFirst(first.count)
    }

    /// Requests and keeps the detours of ways with the same trip.
    /// - Returns: `false` if they aren't known.
    private func requestDetours(_ router: any RoadRouter, for ways: [DetourKey]) async throws -> Bool {
        guard let first = ways.first else { return true }
        let now = clock.now
        if let paused = pausedUntil.withLock(\.self), now < paused { return false }
        let isFree = requestsRunning.withLock { running in
            guard running < Limits.routerRequestsAtOnce else { return false }
            running += 1
            return true
        }
        guard isFree else { return false }
        defer { requestsRunning.withLock { $0 -= 1 } }
        do {
            let points = [first.start, first.end] + ways.flatMap { [$0.origin, $0.destination] }
            let table = try await router.distances(between: points)
            for (index, way) in ways.enumerated() {
                recent.insert(Self.extraMetres(table, origin: 2 * index + 2), for: way)
            }
            return true
        } catch is CancellationError {
            throw CancellationError()
        } catch is MapServiceRefusal {
            logger.notice("The router refused a request")
            return false
        } catch {
            logger.warning("The router didn't answer", metadata: ["error": "\(type(of: error))"])
            pausedUntil.withLock { $0 = now.adding(seconds: Limits.routerPauseSeconds) }
            return false
        }
    }

    /// - Parameter origin: the index of the offer's origin, before that of its destination.
    private static func extraMetres(_ table: [[Double?]], origin: Int) -> Double? {
        guard let toOrigin = table[0][origin], let between = table[origin][origin + 1],
            let toEnd = table[origin + 1][1], let direct = table[0][1]
        else { return nil }
        return max(0, toOrigin + between + toEnd - direct)
    }
}

extension Coordinate {
    /// The point to a hundredth of a degree, about a kilometre.
    fileprivate var rounded: Coordinate? {
        func hundredth(_ degrees: Double) -> Double { (degrees * 100).rounded() / 100 }
        return Coordinate(latitude: hundredth(latitude), longitude: hundredth(longitude))
    }
}
