import Kernel
import Recurrence
import Storage

/// The tables `carrepsa_trip` and `carrepsa_trip_cell`.
enum TripStore {
    private static let columns: SQL = """
        t.id, t.account_id, t.origin, t.destination, t.start_latitude, t.start_longitude, t.end_latitude,
        t.end_longitude, t.days, t.detour_metres, t.size, t.created_at, t.version, t.time_zone
        """

    static func one(_ id: ID<Trip>, of person: PersonID, in tx: Transaction) throws -> Trip? {
        try tx.row("SELECT \(sql: columns) FROM carrepsa_trip t WHERE t.id = \(id) AND t.account_id = \(person)")
            .flatMap(read)
    }

    /// Returns the person's trips, the newest first.
    static func all(of person: PersonID, in tx: Transaction) throws -> [Trip] {
        try tx.rows(
            """
            SELECT \(sql: columns) FROM carrepsa_trip t WHERE t.account_id = \(person)
            ORDER BY t.id DESC LIMIT \(Limits.tripsPerAccount)
            """
        ).compactMap(read)
    }

    static func count(of person: PersonID, in tx: Transaction) throws -> Int {
        try tx.row("SELECT COUNT(*) AS n FROM carrepsa_trip WHERE account_id = \(person)")?.get("n") ?? 0
    }

    /// - Parameter cells: ``cells(of:)``, computed before the transaction.
    static func insert(_ trip: Trip, cells: [Int64], in tx: Transaction) throws {
        try tx.execute(
            """
            INSERT INTO carrepsa_trip (
                id, account_id, origin, destination, start_latitude, start_longitude, end_latitude, end_longitude,
                days, detour_metres, size, created_at, version, time_zone
            ) VALUES (
                \(trip.id), \(trip.person), \(trip.from), \(trip.to), \(trip.start.latitude), \(trip.start.longitude),
                \(trip.end.latitude), \(trip.end.longitude), \(trip.days.rawValue), \(trip.detourMetres), \(trip.size),
                \(trip.createdAt), \(trip.version), \(trip.timeZone?.identifier)
            )
            """
        )
        try insert(cells, of: trip.id, in: tx)
    }

    /// - Parameter cells: ``cells(of:)``, computed before the transaction.
    static func update(_ trip: Trip, cells: [Int64], in tx: Transaction) throws {
        try tx.execute(
            """
            UPDATE carrepsa_trip SET
                origin = \(trip.from), destination = \(trip.to), start_latitude = \(trip.start.latitude),
                start_longitude = \(trip.start.longitude), end_latitude = \(trip.end.latitude),
                end_longitude = \(trip.end.longitude), days = \(trip.days.rawValue),
                detour_metres = \(trip.detourMetres), size = \(trip.size), version = \(trip.version),
                time_zone = \(trip.timeZone?.identifier)
            WHERE id = \(trip.id)
            """
        )
        try tx.execute("DELETE FROM carrepsa_trip_cell WHERE trip_id = \(trip.id)")
        try insert(cells, of: trip.id, in: tx)
    }

    private static func insert(_ cells: [Int64], of trip: ID<Trip>, in tx: Transaction) throws {
        for cell in cells {
            try tx.execute("INSERT INTO carrepsa_trip_cell (cell, trip_id) VALUES (\(cell), \(trip))")
        }
    }

    static func delete(_ id: ID<Trip>, in tx: Transaction) throws {
        try tx.execute("DELETE FROM carrepsa_trip WHERE id = \(id)")
    }

    /// Returns a page of the trips of other people that may pass both areas, at most ``Limits/tripsPerPage``, in the
    /// order of their ids.
    static func near(
        _ origin: Coordinate, _ destination: Coordinate, except owner: PersonID, after last: ID<Trip>?,
        in tx: Transaction
    ) throws -> [Trip] {
        func numbers(_ point: Coordinate) -> [Int64] { Grid.all.map { number($0.number(at: point), in: $0) } }
        return try tx.rows(
            """
            SELECT \(sql: columns) FROM carrepsa_trip t WHERE t.account_id <> \(owner) AND t.id IN (
                SELECT a.trip_id FROM carrepsa_trip_cell a JOIN carrepsa_trip_cell b ON b.trip_id = a.trip_id
                WHERE a.cell IN \(list: numbers(origin)) AND b.cell IN \(list: numbers(destination))
            ) \(sql: .after(last, "t.id")) ORDER BY t.id LIMIT \(Limits.tripsPerPage)
            """
        ).compactMap(read)
    }

    /// Returns the numbers of the cells of the finest grid that covers the trip with at most ``Limits/tripCells``.
    static func cells(of trip: Trip) -> [Int64] {
        let area = DetourArea(trip)
        for grid in Grid.all {
            // The last grid has few cells on the whole Earth.
            let limit = grid == Grid.all.last ? Int.max : Limits.tripCells
            guard let cells = grid.cells(of: area, limit: limit) else { continue }
            return Set(cells.map { number($0.number, in: grid) }).sorted()
        }
        return []
    }

    /// Returns a number that no cell of another grid has.
    private static func number(_ cell: Int64, in grid: Grid) -> Int64 { Int64(grid.level) * Grid.numberLimit + cell }

    private static func read(_ row: Row) throws -> Trip? {
        guard let start = Coordinate(latitude: try row.get(at: 4), longitude: try row.get(at: 5)),
            let end = Coordinate(latitude: try row.get(at: 6), longitude: try row.get(at: 7))
        else { return nil }
        return Trip(
            id: try row.get(at: 0), person: try row.get(at: 1), from: try row.get(at: 2), to: try row.get(at: 3),
            start: start, end: end, days: TripDays(rawValue: try row.get(at: 8)),
            timeZone: try row.get(at: 13, as: String?.self).flatMap { try? LocalTimeZone($0) },
            detourMetres: try row.get(at: 9), size: try row.get(at: 10), createdAt: try row.get(at: 11),
            version: try row.get(at: 12))
    }
}

/// The table `carrepsa_new_offer`: offers that haven't been compared with the saved trips.
enum NewOfferStore {
    private static let add = FixedSQL(
        "INSERT INTO carrepsa_new_offer (package_id) VALUES (?) ON CONFLICT DO NOTHING")

    static func insert(_ package: ID<Package>, in tx: Transaction) throws { try tx.execute(add, [package.sqlValue]) }

    static func first(_ limit: Int, in tx: Transaction) throws -> [ID<Package>] {
        try tx.rows("SELECT package_id FROM carrepsa_new_offer ORDER BY package_id LIMIT \(limit)")
            .map { try $0.get(at: 0) }
    }

    static func delete(_ package: ID<Package>, in tx: Transaction) throws {
        try tx.execute("DELETE FROM carrepsa_new_offer WHERE package_id = \(package)")
    }
}
