import Kernel
import Storage

/// The table `address`: the geocoder's answers and the requests that wait. It belongs to no account.
enum AddressStore {
    /// Returns the known addresses of cells.
    static func addresses(of cells: Set<AddressCell>, in tx: Transaction) throws -> [AddressCell: String?] {
        guard !cells.isEmpty else { return [:] }
        var found: [AddressCell: String?] = [:]
        for cell in cells {
            let row = try tx.row(
                """
                SELECT text FROM address WHERE latitude = \(cell.latitude) AND longitude = \(cell.longitude)
                """
            )
            guard let row else { continue }
            found[cell] = .some(try row.get("text"))
        }
        return found
    }

    /// Enqueues requests for cells, unless too many wait.
    static func request(_ cells: Set<AddressCell>, now: Instant, in tx: Transaction) throws {
        let waiting: Int =
            try tx.row("SELECT COUNT(*) AS total FROM address WHERE due_at IS NOT NULL")?.get("total") ?? 0
        for cell in cells.sorted(by: { ($0.latitude, $0.longitude) < ($1.latitude, $1.longitude) })
            .prefix(max(0, Limits.waitingAddresses - waiting))
        {
            try tx.execute(
                """
                INSERT INTO address (latitude, longitude, due_at, attempts, created_at)
                VALUES (\(cell.latitude), \(cell.longitude), \(now), 0, \(now)) ON CONFLICT DO NOTHING
                """
            )
        }
    }

    /// Returns the request that has been due for the longest time; `nil` for none.
    static func due(now: Instant, in tx: Transaction) throws -> (cell: AddressCell, attempts: Int)? {
        try tx.row(
            "SELECT latitude, longitude, attempts FROM address WHERE due_at <= \(now) ORDER BY due_at LIMIT 1"
        ).map {
            (
                AddressCell(latitude: try $0.get("latitude"), longitude: try $0.get("longitude")),
                try $0.get("attempts")
            )
        }
    }

    static func store(_ text: String?, for cell: AddressCell, in tx: Transaction) throws {
        try tx.execute(
            """
            UPDATE address SET text = \(text), due_at = NULL
            WHERE latitude = \(cell.latitude) AND longitude = \(cell.longitude)
            """
        )
    }

    /// Postpones a failed request, and with it the others that are due.
    static func postpone(_ cell: AddressCell, until due: Instant, in tx: Transaction) throws {
        try tx.execute(
            """
            UPDATE address SET attempts = attempts + 1
            WHERE latitude = \(cell.latitude) AND longitude = \(cell.longitude)
            """
        )
        try tx.execute("UPDATE address SET due_at = \(due) WHERE due_at < \(due)")
    }

    static func prune(before time: Instant, in tx: Transaction) throws {
        try tx.execute("DELETE FROM address WHERE created_at < \(time)")
    }
}

extension TrackingServices {
    /// `due_at` is the time of the next request; `NULL` once the geocoder answered. `text` is `NULL` for a place
    /// without an address.
    static let addresses = """
        CREATE TABLE address (
            latitude {integer} NOT NULL,
            longitude {integer} NOT NULL,
            text {text} CHECK (length(text) BETWEEN 1 AND 1000),
            due_at {integer},
            attempts {integer} NOT NULL,
            created_at {integer} NOT NULL,
            PRIMARY KEY (latitude, longitude)
        ) {strict-rowless};
        CREATE INDEX address_due ON address (due_at) WHERE due_at IS NOT NULL;
        CREATE INDEX address_by_age ON address (created_at)
        """
}
