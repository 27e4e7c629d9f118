package import Kernel

/// A client of OSRM's table service (project-osrm.org/docs/v26.4.0/http, *Table service*), and of services with the
/// same interface. An OSRM server accepts 100 points in one request unless it is configured otherwise
/// (`--max-table-size`).
package struct OSRMClient: RoadRouter {
    /// The URL without `/table`.
    private let url: String
    private let site: String

    /// Creates a client.
    /// - Parameters:
    ///   - url: the URL without `/table`.
    ///   - site: the server's own URL.
    package init(url: String, site: String) {
        self.url = url
        self.site = site
    }

    /// Returns the road distances from each point to each point, in metres.
    package func distances(between points: [Coordinate]) async throws -> [[Double?]] {
        let path = points.map { "\($0.longitude),\($0.latitude)" }.joined(separator: ";")
        let json = try await MapServiceRequest(
            url: "\(url)/table/v1/driving/\(path)?annotations=distance", site: site, seconds: Limits.routerSeconds,
            maximumBytes: Limits.routerBytes
        ).response()
        return try Self.distances(json, count: points.count)
    }

    /// Returns the distances of a response for that number of points.
    /// - Throws: ``MapServiceRequest/Failure/unreadable``.
    static func distances(_ json: [UInt8], count: Int) throws -> [[Double?]] {
        let answer = try MapServiceRequest.decoded(Table.self, json)
        guard answer.code == "Ok", let rows = answer.distances, rows.count == count,
            rows.allSatisfy({ row in
                row.count == count && row.allSatisfy { $0.map { (0...Limits.roadMetres).contains($0) } ?? true }
            })
        else { throw MapServiceRequest.Failure.unreadable }
        return rows
    }

    private struct Table: Decodable {
        let code: String
        let distances: [[Double?]]?
    }
}
