import Kernel
import Storage

/// Pages of an item's history over the series of all its devices. Each series is read from its own position in the
/// primary key, so that the cost of a page doesn't depend on the length of the history.
enum HistoryStore {
    enum Order {
        case newestFirst
        case oldestFirst
    }

    private struct Track {
        let series: Int64
        let source: FixSource
    }

    /// - Parameters:
    ///   - after: The last fix of the previous page.
    ///   - until: Excludes fixes at this time or later; for the oldest first.
    static func page(
        of item: ID<Item>, _ order: Order, after: ID<Fix>?, until: Instant = Instant(millisecondsSince1970: .max),
        limit: Int, in tx: Transaction
    ) throws -> [Fix] {
        let tracks = try tx.rows("SELECT series, source FROM track WHERE item_id = \(item) ORDER BY series")
            .map { Track(series: try $0.get("series"), source: try $0.get("source")) }
        var fixes: [Fix] = []
        for track in tracks { fixes += try part(of: track, order, after: after, until: until, limit: limit, in: tx) }
        if tracks.count > 1 {
            fixes.sort { order == .newestFirst ? $0.id > $1.id : $0.id < $1.id }
            fixes.removeLast(max(0, fixes.count - limit))
        }
        return fixes
    }

    private static func part(
        of track: Track, _ order: Order, after: ID<Fix>?, until: Instant, limit: Int, in tx: Transaction
    ) throws -> [Fix] {
        let select: SQL = """
            SELECT at, latitude, longitude, accuracy, altitude, speed, heading, battery FROM fix
            WHERE series = \(track.series)
            """
        // Fixes of the same millisecond are ordered by their series, as their ids are.
        let rows: [Row]
        switch order {
        case .newestFirst:
            var below = Instant(millisecondsSince1970: .max)
            if let after { below = track.series < after.series ? after.instant.next : after.instant }
            rows = try tx.rows("\(sql: select) AND at < \(below) ORDER BY at DESC LIMIT \(limit)")
        case .oldestFirst:
            var above = Instant(millisecondsSince1970: .min)
            if let after { above = track.series > after.series ? after.instant.previous : after.instant }
            rows = try tx.rows("\(sql: select) AND at > \(above) AND at < \(until) ORDER BY at LIMIT \(limit)")
        }
        return try rows.map { try FixStore.fix($0, at: $0.get("at"), series: track.series, source: track.source) }
    }
}

extension Instant {
    // A millisecond later or earlier.
    var next: Instant { Instant(millisecondsSince1970: millisecondsSince1970 + 1) }
    var previous: Instant { Instant(millisecondsSince1970: millisecondsSince1970 - 1) }
}
