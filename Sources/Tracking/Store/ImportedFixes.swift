import Kernel
import Storage

/// Imported positions. They belong to devices of their own, one for each kind of source, and each time is unique among
/// all devices of the item.
enum ImportedFixes {
    private static func device(_ source: FixSource) -> String { "import-\(source.rawValue)" }

    /// Returns the times at which the item has a position already.
    static func known(_ times: Set<Instant>, of item: ID<Item>, in tx: Transaction) throws -> Set<Instant> {
        let wanted = Array(times)
        guard !wanted.isEmpty else { return [] }
        let tracks = try tx.rows("SELECT series FROM track WHERE item_id = \(item)")
        var known: Set<Instant> = []
        for track in tracks {
            let series: Int64 = try track.get("series")
            let rows = try tx.rows("SELECT at FROM fix WHERE series = \(series) AND at IN \(list: wanted)")
            for row in rows { known.insert(try row.get("at")) }
        }
        return known
    }

    /// Stores the positions whose times the item doesn't have, and moves its last position.
    /// - Parameter reserve: takes capacity for their number.
    /// - Returns: the number of new positions.
    static func insert(
        _ points: [GPXReader.Point], to item: ID<Item>, in tx: Transaction, reserve: (Int) throws -> Void
    ) throws -> Int {
        var known = try known(Set(points.map(\.at)), of: item, in: tx)
        let new = points.filter { known.insert($0.at).inserted }
        guard let last = new.max(by: { $0.at < $1.at }) else { return 0 }
        try reserve(new.count)
        var series: [FixSource: Int64] = [:]
        for source in Set(new.map(\.source)).sorted(by: { $0.rawValue < $1.rawValue }) {
            series[source] = try FixStore.series(item: item, device: device(source), source: source, in: tx)
        }
        for point in new {
            guard let series = series[point.source] else { continue }
            try FixStore.insertNew(point.report, at: point.at, series: series, in: tx)
        }
        try FixStore.count(new.count, of: item, in: tx)
        if let series = series[last.source] { try move(item, to: last, series: series, in: tx) }
        return new.count
    }

    /// Makes a position the item's last one, unless a later one is stored. It is no contact with a device.
    private static func move(
        _ item: ID<Item>, to point: GPXReader.Point, series: Int64, in tx: Transaction
    ) throws {
        let (report, place) = (point.report, point.report.coordinate)
        try tx.execute(
            """
            UPDATE whereabouts SET version = version + 1, series = \(series), at = \(point.at),
                latitude = \(place.latitude), longitude = \(place.longitude), accuracy = \(report.accuracyMetres),
                altitude = \(report.altitudeMetres), speed = \(report.speedMetresPerSecond),
                heading = \(report.headingDegrees), battery = \(report.batteryPercent), source = \(point.source)
            WHERE item_id = \(item) AND (at IS NULL OR at < \(point.at))
            """
        )
    }
}
