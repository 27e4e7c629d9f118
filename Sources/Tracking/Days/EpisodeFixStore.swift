import Kernel
import Storage

/// The positions of an item's days, read through the primary key of `fix`.
enum EpisodeFixStore {
    static func tracks(of item: ID<Item>, in tx: Transaction) throws -> [Int64] {
        try tx.rows("SELECT series FROM track WHERE item_id = \(item) ORDER BY series").map { try $0.get("series") }
    }

    /// Returns the time of the first position at or after a time; `nil` for none.
    static func first(of tracks: [Int64], from start: Instant, in tx: Transaction) throws -> Instant? {
        try tracks.compactMap { series in
            try tx.row("SELECT at FROM fix WHERE series = \(series) AND at >= \(start) ORDER BY at LIMIT 1")?
                .get("at", as: Instant.self)
        }.min()
    }

    /// Returns the time of the first position at or after a time that isn't archived yet; `nil` for none.
    static func firstUnarchived(
        of tracks: [Int64], from start: Instant, until end: Instant, in tx: Transaction
    ) throws -> Instant? {
        try tracks.compactMap { series in
            try tx.row(
                """
                SELECT at FROM fix WHERE series = \(series) AND segment IS NULL AND at >= \(start) AND at <= \(end)
                ORDER BY at LIMIT 1
                """
            )?.get("at", as: Instant.self)
        }.min()
    }

    /// Returns the number of positions of a UTC day.
    static func count(of tracks: [Int64], day: Int64, in tx: Transaction) throws -> Int {
        let (start, end) = (ArchiveDay.start(of: day), ArchiveDay.start(of: day + 1))
        return try tracks.reduce(0) { total, series in
            let row = try tx.row(
                "SELECT COUNT(*) AS total FROM fix WHERE series = \(series) AND at >= \(start) AND at < \(end)")
            return total + (try row?.get("total", as: Int.self) ?? 0)
        }
    }
}
