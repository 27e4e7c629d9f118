import Kernel
import Storage

/// The SQL of the table `picture`.
enum PictureStore {
    private static let columns: SQL = "id, owner_id, width, height, created_at"

    static func insert(_ picture: Picture, digest: [UInt8], in tx: Transaction) throws {
        try tx.execute(
            """
            INSERT INTO picture (id, owner_id, width, height, media_type, digest, created_at)
            VALUES (\(picture.id), \(picture.owner), \(picture.width), \(picture.height), \(PictureSize.mediaType),
                \(digest), \(picture.createdAt))
            """
        )
    }

    /// Inserts the row of a built-in picture unless it exists. Its digest is all zeroes, because the file is in the
    /// executable.
    static func ensure(_ picture: Picture, in tx: Transaction) throws {
        guard try find(picture.id, in: tx) == nil else { return }
        try tx.execute(
            """
            INSERT INTO picture (id, owner_id, width, height, media_type, digest, created_at)
            VALUES (\(picture.id), \(picture.owner), \(picture.width), \(picture.height), \(PictureSize.mediaType),
                \([UInt8](repeating: 0, count: 32)), \(picture.createdAt))
            ON CONFLICT (id) DO NOTHING
            """
        )
    }

    static func setOwner(_ owner: PersonID, of id: ID<Picture>, in tx: Transaction) throws {
        try tx.execute("UPDATE picture SET owner_id = \(owner) WHERE id = \(id)")
    }

    static func find(_ id: ID<Picture>, in tx: Transaction) throws -> Picture? {
        try tx.row("SELECT \(sql: columns) FROM picture WHERE id = \(id)").map(picture)
    }

    static func count(of owner: PersonID, in tx: Transaction) throws -> Int {
        try tx.row("SELECT COUNT(*) AS pictures FROM picture WHERE owner_id = \(owner)")?.get("pictures") ?? 0
    }

    static func page(of owner: PersonID, after: ID<Picture>?, limit: Int, in tx: Transaction) throws -> [Picture] {
        let position: SQL = after.map { "AND id < \($0)" } ?? SQL()
        return try tx.rows(
            """
            SELECT \(sql: columns) FROM picture WHERE owner_id = \(owner) \(sql: position)
            ORDER BY id DESC LIMIT \(limit)
            """
        ).map(picture)
    }

    /// - Returns: `false` if the picture doesn't exist.
    static func delete(_ id: ID<Picture>, in tx: Transaction) throws -> Bool {
        try tx.executeCounting("DELETE FROM picture WHERE id = \(id)") > 0
    }

    private static func picture(_ row: Row) throws -> Picture {
        Picture(
            id: try row.get("id"),
            owner: try row.get("owner_id"),
            width: try row.get("width"),
            height: try row.get("height"),
            createdAt: try row.get("created_at")
        )
    }
}
