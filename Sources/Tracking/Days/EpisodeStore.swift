import Foundation
import Kernel
import Storage

/// The table `episode`. Every query reads a range of an index, so that its cost doesn't depend on the history.
enum EpisodeStore {
    private static let columns: SQL = """
        started_at, ended_at, kind, is_open, latitude, longitude, end_latitude, end_longitude, distance_metres, fixes
        """
    private static let insertion = FixedSQL(
        """
        INSERT INTO episode (
            item_id, started_at, ended_at, day, kind, is_open, latitude, longitude, end_latitude, end_longitude,
            distance_metres, fixes, path
        ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (item_id, started_at) DO UPDATE SET
            ended_at = excluded.ended_at, day = excluded.day, kind = excluded.kind, is_open = excluded.is_open,
            latitude = excluded.latitude, longitude = excluded.longitude, end_latitude = excluded.end_latitude,
            end_longitude = excluded.end_longitude, distance_metres = excluded.distance_metres,
            fixes = excluded.fixes, path = excluded.path
        """
    )

    static func insert(_ episodes: [Episode], of item: ID<Item>, day: Int64, in tx: Transaction) throws {
        for episode in episodes {
            try tx.execute(
                insertion,
                [
                    item.sqlValue, episode.startedAt.sqlValue, episode.endedAt.sqlValue, .integer(day),
                    .text(episode.kind.rawValue), .integer(episode.isOpen ? 1 : 0), .real(episode.place.latitude),
                    .real(episode.place.longitude), .real(episode.destination.latitude),
                    .real(episode.destination.longitude), .real(episode.distanceMetres),
                    .integer(Int64(episode.fixCount)),
                    episode.kind == .trip ? .text(try PathText.text(episode.path)) : .null,
                ])
        }
    }

    static func deleteOpen(of item: ID<Item>, in tx: Transaction) throws {
        try tx.execute("DELETE FROM episode WHERE item_id = \(item) AND is_open = 1")
    }

    static func delete(of item: ID<Item>, day: Int64, in tx: Transaction) throws {
        try tx.execute("DELETE FROM episode WHERE item_id = \(item) AND day = \(day)")
    }

    // MARK: Reading

    /// Returns the episodes that overlap a time span, in order.
    static func episodes(
        of item: ID<Item>, from start: Instant, to end: Instant, withPaths: Bool, in tx: Transaction
    ) throws -> [Episode] {
        let path: SQL = withPaths ? "path" : "NULL AS path"
        var first = start
        if let before = try last(of: item, startingBefore: start, in: tx), before.endedAt > start {
            first = before.startedAt
        }
        let read = try tx.rows(
            """
            SELECT \(sql: columns), \(sql: path) FROM episode
            WHERE item_id = \(item) AND started_at >= \(first) AND started_at < \(end) ORDER BY started_at
            """
        ).map(episode)
        // While late positions are taken into account, two episodes can overlap for a moment.
        var ordered: [Episode] = []
        for episode in read where ordered.last.map({ $0.endedAt <= episode.startedAt }) ?? true {
            ordered.append(episode)
        }
        return ordered
    }

    /// Returns what the days of a time span have, in order, from an index alone.
    static func summaries(
        of item: ID<Item>, from start: Instant, to end: Instant, in tx: Transaction
    ) throws -> [EpisodeSummary] {
        var summaries: [EpisodeSummary] = []
        for row in try tx.rows(summariesQuery(of: item, from: start, to: end)) {
            let name: String = try row.get("kind")
            let summary = EpisodeSummary(
                kind: Episode.Kind(rawValue: name) ?? .sighting, startedAt: try row.get("started_at"),
                endedAt: try row.get("ended_at"), distanceMetres: try row.get("distance_metres"))
            // While late positions are taken into account, two episodes can overlap for a moment.
            guard summary.endedAt > start || summary.startedAt >= start,
                summaries.last.map({ $0.endedAt <= summary.startedAt }) ?? true
            else { continue }
            summaries.append(summary)
        }
        return summaries
    }

    /// The episodes that begin in a time span, and the one before it.
    static func summariesQuery(of item: ID<Item>, from start: Instant, to end: Instant) -> SQL {
        """
        SELECT started_at, ended_at, kind, distance_metres FROM episode
        WHERE item_id = \(item) AND started_at < \(end) AND started_at >= COALESCE((
            SELECT MAX(started_at) FROM episode WHERE item_id = \(item) AND started_at < \(start)
        ), \(start))
        ORDER BY started_at LIMIT \(Limits.summarizedEpisodes)
        """
    }

    static func episode(of item: ID<Item>, startedAt: Instant, in tx: Transaction) throws -> Episode? {
        try tx.row(
            """
            SELECT \(sql: columns), NULL AS path FROM episode WHERE item_id = \(item) AND started_at = \(startedAt)
            """
        ).map(episode)
    }

    static func last(of item: ID<Item>, startingBefore end: Instant, in tx: Transaction) throws -> Episode? {
        try tx.row(
            """
            SELECT \(sql: columns), NULL AS path FROM episode WHERE item_id = \(item) AND started_at < \(end)
            ORDER BY started_at DESC LIMIT 1
            """
        ).map(episode)
    }

    static func first(of item: ID<Item>, startingAt start: Instant, in tx: Transaction) throws -> Episode? {
        try tx.row(
            """
            SELECT \(sql: columns), NULL AS path FROM episode WHERE item_id = \(item) AND started_at >= \(start)
            ORDER BY started_at LIMIT 1
            """
        ).map(episode)
    }

    /// Returns the starts and places of an item's stays in an area, newest first, of the newest `searched` stays. Only
    /// an index is read.
    /// - Parameter before: The start of the last stay of the previous page.
    static func stayPlaces(
        of item: ID<Item>, in area: CoordinateBox, before: Instant?, searched: Int, in tx: Transaction
    ) throws -> [(startedAt: Instant, place: Coordinate)] {
        try tx.rows(stayPlacesQuery(of: item, in: area, before: before, searched: searched)).map {
            (try $0.get("started_at"), try $0.coordinate())
        }
    }

    static func stayPlacesQuery(of item: ID<Item>, in area: CoordinateBox, before: Instant?, searched: Int) -> SQL {
        let isInside: SQL =
            area.crossesDateLine
            ? "(longitude >= \(area.west) OR longitude <= \(area.east))"
            : "longitude BETWEEN \(area.west) AND \(area.east)"
        return """
            SELECT started_at, latitude, longitude FROM (
                SELECT started_at, latitude, longitude FROM episode
                WHERE item_id = \(item) AND kind = 'stay' \(sql: earlier(before))
                ORDER BY started_at DESC LIMIT \(searched)
            ) AS searched
            WHERE latitude BETWEEN \(area.south) AND \(area.north) AND \(sql: isInside)
            ORDER BY started_at DESC
            """
    }

    /// Returns episodes by their starts, newest first.
    static func episodes(of item: ID<Item>, startedAt starts: [Instant], in tx: Transaction) throws -> [Episode] {
        guard !starts.isEmpty else { return [] }
        return try tx.rows(
            """
            SELECT \(sql: columns), NULL AS path FROM episode
            WHERE item_id = \(item) AND started_at IN \(list: starts) ORDER BY started_at DESC
            """
        ).map(episode)
    }

    /// Returns the start of the last one of the newest `searched` stays; `nil` when there are fewer.
    static func lastSearchedStay(
        of item: ID<Item>, before: Instant?, searched: Int, in tx: Transaction
    ) throws -> Instant? {
        try tx.row(
            """
            SELECT started_at FROM episode WHERE item_id = \(item) AND kind = 'stay' \(sql: earlier(before))
            ORDER BY started_at DESC LIMIT 1 OFFSET \(searched - 1)
            """
        )?.get("started_at")
    }

    private static func earlier(_ before: Instant?) -> SQL {
        before.map { "AND started_at < \($0)" } ?? SQL()
    }

    /// Returns a page of all episodes, oldest first.
    static func page(of item: ID<Item>, after: Instant?, limit: Int, in tx: Transaction) throws -> [Episode] {
        let later: SQL = after.map { "AND started_at > \($0)" } ?? SQL()
        return try tx.rows(
            """
            SELECT \(sql: columns), NULL AS path FROM episode WHERE item_id = \(item) \(sql: later)
            ORDER BY started_at LIMIT \(limit)
            """
        ).map(episode)
    }

    private static func episode(_ row: Row) throws -> Episode {
        let (latitude, longitude): (Double, Double) = (try row.get("end_latitude"), try row.get("end_longitude"))
        let path: String? = try row.get("path")
        let name: String = try row.get("kind")
        let place = try row.coordinate()
        return Episode(
            kind: Episode.Kind(rawValue: name) ?? .sighting, startedAt: try row.get("started_at"),
            endedAt: try row.get("ended_at"), place: place,
            destination: Coordinate(latitude: latitude, longitude: longitude) ?? place,
            distanceMetres: try row.get("distance_metres"), path: try path.map(PathText.path) ?? [],
            fixCount: try row.get("fixes"), isOpen: try row.get("is_open"))
    }
}

/// The path of a trip as JSON: pairs of latitude and longitude with five decimals, which is about a metre.
enum PathText {
    private static let steps = 100_000.0

    static func text(_ path: [Coordinate]) throws -> String {
        let pairs = path.map { [rounded($0.latitude), rounded($0.longitude)] }
        return String(decoding: try JSONEncoder().encode(pairs), as: UTF8.self)
    }

    static func path(_ text: String) throws -> [Coordinate] {
        try JSONDecoder().decode([[Double]].self, from: Data(text.utf8)).compactMap { pair in
            pair.count == 2 ? Coordinate(latitude: pair[0], longitude: pair[1]) : nil
        }
    }

    private static func rounded(_ degrees: Double) -> Double { (degrees * steps).rounded() / steps }
}

/// An area between two parallels and two meridians.
struct CoordinateBox: Sendable, Equatable {
    let south: Double
    let north: Double
    let west: Double
    let east: Double

    /// The smallest box around a circle.
    init(around centre: Coordinate, metres: Double) {
        let degrees = metres / (Coordinate.earthRadiusMetres * Double.pi / 180)
        south = max(-90, centre.latitude - degrees)
        north = min(90, centre.latitude + degrees)
        let narrowest = cos(max(abs(south), abs(north)) * Double.pi / 180)
        let width = narrowest > 0 ? min(180, degrees / narrowest) : 180
        guard width < 180 else {
            (west, east) = (-180, 180)
            return
        }
        west = centre.longitude - width < -180 ? centre.longitude - width + 360 : centre.longitude - width
        east = centre.longitude + width > 180 ? centre.longitude + width - 360 : centre.longitude + width
    }

    var crossesDateLine: Bool { west > east }
}
