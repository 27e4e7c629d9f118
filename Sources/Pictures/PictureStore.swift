import Kernel
import Storage

/// The SQL of the table `picture`.
enum PictureStore {
    private static let columns: SQL = "id, owner_id, width, height, created_at"

    /// - Parameter byteCount: the bytes of all sizes.
    static func insert(_ picture: Picture, digest: [UInt8], byteCount: Int, in tx: Transaction) throws {
        try tx.execute(
            """
            INSERT INTO picture (id, owner_id, width, height, media_type, digest, created_at, byte_count)
            VALUES (\(picture.id), \(picture.owner), \(picture.width), \(picture.height), \(PictureSize.mediaType),
                \(digest), \(picture.createdAt), \(byteCount))
            """
        )
    }

    /// Inserts the row of a built-in picture unless it exists. Its digest is all zeroes, because the file is in the
    /// executable.
    static func ensure(_ picture: Picture, in tx: Transaction) throws {
        guard try find(picture.id, in: tx) == nil else { return }
        try tx.execute(
            """
            INSERT INTO picture (id, owner_id, width, height, media_type, digest, created_at, byte_count)
            VALUES (\(picture.id), \(picture.owner), \(picture.width), \(picture.height), \(PictureSize.mediaType),
                \([UInt8](repeating: 0, count: 32)), \(picture.createdAt), 0)
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

    /// Returns the number of an owner's pictures and the bytes of those with a known size.
    static func usage(of owner: PersonID, in tx: Transaction) throws -> (count: Int, bytes: Int64) {
        let row = try tx.row(
            """
            SELECT COUNT(*) AS pictures, COALESCE(CAST(SUM(byte_count) AS BIGINT), 0) AS bytes
            FROM picture WHERE owner_id = \(owner)
            """
        )
        return (try row?.get("pictures") ?? 0, try row?.get("bytes") ?? 0)
    }

    /// Returns pictures whose size isn't known, because an earlier version stored them.
    static func withoutSize(limit: Int, in tx: Transaction) throws -> [ID<Picture>] {
        try tx.rows("SELECT id FROM picture WHERE byte_count IS NULL ORDER BY id LIMIT \(limit)").map {
            try $0.get("id")
        }
    }

    static func setByteCount(_ byteCount: Int, of id: ID<Picture>, in tx: Transaction) throws {
        try tx.execute("UPDATE picture SET byte_count = \(byteCount) WHERE id = \(id)")
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
