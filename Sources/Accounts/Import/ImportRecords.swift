package import Kernel
package import Storage

/// The table `import_record`: the copies of imported records. Ids are unique among all servers, so a record of another
/// archive with the same id is the same record.
package enum ImportRecords {
    /// Returns the id of a record's copy, which may have been deleted since.
    package static func copy<Entity>(
        of source: ID<Entity>, kind: String, by person: PersonID, in tx: Transaction
    ) throws -> ID<Entity>? {
        try tx.row(
            """
            SELECT local_id FROM import_record
            WHERE account_id = \(person) AND kind = \(kind) AND source_id = \(source)
            """
        )?.get("local_id")
    }

    /// Returns the ids of a record's copies by all accounts. The caller must check to whom they belong.
    package static func copies<Entity>(
        of source: ID<Entity>, kind: String, in tx: Transaction
    ) throws -> [ID<Entity>] {
        try tx.rows(
            "SELECT local_id FROM import_record WHERE kind = \(kind) AND source_id = \(source) ORDER BY local_id"
        )
        .map { try $0.get("local_id") }
    }

    /// Stores the copy of a record, in the transaction that creates it.
    package static func insert<Entity>(
        _ copy: ID<Entity>, of source: ID<Entity>, kind: String, by person: PersonID, in tx: Transaction
    ) throws {
        try tx.execute(
            """
            INSERT INTO import_record (account_id, kind, source_id, local_id)
            VALUES (\(person), \(kind), \(source), \(copy))
            ON CONFLICT (account_id, kind, source_id) DO UPDATE SET local_id = excluded.local_id
            """
        )
    }
}
