import Kernel
import Storage

/// The table `safe_place`.
enum SafePlaceStore {
    private static let select: SQL =
        "SELECT id, name, latitude, longitude, radius_metres, outline, version, created_at FROM safe_place"

    static func page(of owner: PersonID, after: ID<SafePlace>?, limit: Int, in tx: Transaction) throws -> [SafePlace] {
        try tx.rows(
            "\(sql: select) WHERE account_id = \(owner) \(sql: .after(after)) ORDER BY id LIMIT \(limit)"
        ).map(read)
    }

    static func one(_ id: ID<SafePlace>, of owner: PersonID, in tx: Transaction) throws -> SafePlace? {
        try tx.row("\(sql: select) WHERE id = \(id) AND account_id = \(owner)").map(read)
    }

    /// Returns the place and locks its row until the transaction ends.
    /// - Throws: `AppError.notFound` when it is absent or belongs to another account.
    static func lock(_ id: ID<SafePlace>, of owner: PersonID, in tx: Transaction) throws -> SafePlace {
        let row = try tx.row("\(sql: select) WHERE id = \(id) AND account_id = \(owner) \(sql: tx.forUpdate)")
        guard let row else { throw AppError.notFound }
        return try read(row)
    }

    static func count(of owner: PersonID, in tx: Transaction) throws -> Int {
        try tx.row("SELECT COUNT(*) AS total FROM safe_place WHERE account_id = \(owner)")?.get("total") ?? 0
    }

    static func insert(_ place: SafePlace, owner: PersonID, in tx: Transaction) throws {
        try tx.execute(
            """
            INSERT INTO safe_place (
                id, account_id, name, latitude, longitude, radius_metres, outline, version, created_at
            ) VALUES (
                \(place.id), \(owner), \(place.name), \(place.centre.latitude), \(place.centre.longitude),
                \(place.radiusMetres), \(text(place.outline)), \(place.version), \(place.createdAt)
            )
            """
        )
    }

    static func update(_ place: SafePlace, in tx: Transaction) throws {
        try tx.execute(
            """
            UPDATE safe_place SET name = \(place.name), latitude = \(place.centre.latitude),
                longitude = \(place.centre.longitude), radius_metres = \(place.radiusMetres),
                outline = \(text(place.outline)), version = \(place.version)
            WHERE id = \(place.id)
            """
        )
    }

    static func delete(_ id: ID<SafePlace>, in tx: Transaction) throws {
        try tx.execute("DELETE FROM safe_place WHERE id = \(id)")
    }

    static func deleteAll(of owner: PersonID, in tx: Transaction) throws {
        try tx.execute("DELETE FROM safe_place WHERE account_id = \(owner)")
    }

    /// The owner's safe places as the alert rule uses them.
    static func areas(of owner: PersonID, in tx: Transaction) throws -> [SafeArea] {
        try page(of: owner, after: nil, limit: Limits.safePlacesPerAccount, in: tx).map(\.area)
    }

    /// The area in the columns `latitude`, `longitude`, `radius_metres` and `outline`.
    static func area(_ row: Row) throws -> SafeArea {
        SafeArea(
            centre: try row.coordinate(), radiusMetres: try row.get("radius_metres"), outline: try outline(row))
    }

    /// The corners as text, separated by semicolons; `nil` for a circle.
    private static func text(_ outline: [Coordinate]) -> String? {
        outline.isEmpty ? nil : outline.map(PlaceOutline.text).joined(separator: ";")
    }

    private static func outline(_ row: Row) throws -> [Coordinate] {
        let text: String? = try row.get("outline")
        return try text.map { try PlaceOutline.read([$0]) } ?? []
    }

    private static func read(_ row: Row) throws -> SafePlace {
        SafePlace(
            id: try row.get("id"), name: try row.get("name"), centre: try row.coordinate(),
            radiusMetres: try row.get("radius_metres"), outline: try outline(row), version: try row.get("version"),
            createdAt: try row.get("created_at")
        )
    }
}
