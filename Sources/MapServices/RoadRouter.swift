package import Kernel

/// Finds distances by road.
package protocol RoadRouter: Sendable {
    /// Returns the distances in metres from each point to each point; `nil` where no road leads.
    /// - Throws: ``MapServiceRefusal``; errors of the network or the service.
    func distances(between points: [Coordinate]) async throws -> [[Double?]]
}
