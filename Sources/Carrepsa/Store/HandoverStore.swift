import Kernel
import Storage

/// The table `carrepsa_handover_code`: keyed hashes, at most one per package, handover and party.
enum HandoverStore {
    static func upsert(
        _ mark: [UInt8], package: ID<Package>, step: HandoverStep, side: PackageRole, expiresAt: Instant,
        in tx: Transaction
    ) throws {
        try tx.execute(
            """
            INSERT INTO carrepsa_handover_code (package_id, step, side, mark, expires_at)
            VALUES (\(package), \(step), \(side), \(mark), \(expiresAt))
            ON CONFLICT (package_id, step, side) DO UPDATE SET mark = excluded.mark, expires_at = excluded.expires_at
            """
        )
    }

    static func mark(
        package: ID<Package>, step: HandoverStep, side: PackageRole, now: Instant, in tx: Transaction
    ) throws -> [UInt8]? {
        try tx.row(
            """
            SELECT mark FROM carrepsa_handover_code
            WHERE package_id = \(package) AND step = \(step) AND side = \(side) AND expires_at > \(now)
            """
        )?.get("mark")
    }

    static func deleteAll(of package: ID<Package>, in tx: Transaction) throws {
        try tx.execute("DELETE FROM carrepsa_handover_code WHERE package_id = \(package)")
    }

    /// Deletes the codes that a person shows to others. The table has only codes that aren't expired.
    static func deleteAll(by person: PersonID, in tx: Transaction) throws {
        try tx.execute(
            """
            DELETE FROM carrepsa_handover_code WHERE EXISTS (
                SELECT 1 FROM carrepsa_package p WHERE p.id = package_id AND (
                    (side = 'owner' AND p.owner_id = \(person)) OR (side = 'carrier' AND p.carrier_id = \(person))
                )
            )
            """
        )
    }

    static func prune(now: Instant, in tx: Transaction) throws {
        try tx.executeAndWait("DELETE FROM carrepsa_handover_code WHERE expires_at <= \(now)")
    }
}
