import Kernel
import Pictures
import Storage

/// The table `carrepsa_proof`: the photos of handovers, and of statements in disputes, which have the step of the
/// delivery. The entry of the history with the same number says which.
enum ProofStore {
    /// A photo with its place in the history.
    struct Stored: Sendable {
        let package: ID<Package>
        let number: Int64
        let picture: ID<Picture>?
        /// `nil` if the entry of the history is missing or has no digest.
        let digest: String?
        /// Whether the account of the person who took it exists.
        let isOwned: Bool
    }

    /// A statement in a dispute.
    struct Statement: Sendable {
        let package: ID<Package>
        let number: Int64
        let note: String?
        /// Of the photo, or of the text if there is none.
        let digest: String
    }

    static func insert(
        _ picture: ID<Picture>, step: HandoverStep, of package: ID<Package>, number: Int64, in tx: Transaction
    ) throws {
        try tx.execute(
            """
            INSERT INTO carrepsa_proof (package_id, number, step, picture_id)
            VALUES (\(package), \(number), \(step), \(picture))
            """
        )
    }

    /// Returns the photos of a package's handovers, oldest first.
    /// - Parameter start: the earliest time; `nil` for all.
    static func proofs(of package: ID<Package>, from start: Instant?, in tx: Transaction) throws -> [PackageProof] {
        let since: SQL = start.map { " AND s.at >= \($0)" } ?? SQL()
        return try tx.rows(
            """
            SELECT f.number, f.step, s.at, s.role, a.name, f.picture_id, s.note, s.digest
            FROM carrepsa_proof f JOIN carrepsa_story s ON s.package_id = f.package_id AND s.number = f.number
            LEFT JOIN account a ON a.id = s.person_id
            WHERE f.package_id = \(package) AND s.event = \(PackageAction.addProof.rawValue)
                AND s.digest IS NOT NULL\(sql: since)
            ORDER BY f.number LIMIT \(Limits.packageHistoryEntries)
            """
        ).map { row in
            PackageProof(
                number: try row.get("number"), step: try row.get("step"), at: try row.get("at"),
                role: try row.get("role"), byName: try row.get("name"), pictureID: try row.get("picture_id"),
                note: try row.get("note"), digest: try row.get("digest"))
        }
    }

    /// Returns a page of all photos in the order of their packages.
    static func page(after last: Stored?, limit: Int, in tx: Transaction) throws -> [Stored] {
        let start: SQL =
            last.map { " WHERE (f.package_id, f.number) > (\($0.package), \($0.number))" } ?? SQL()
        return try tx.rows(
            """
            SELECT f.package_id, f.number, f.picture_id, s.digest, s.person_id
            FROM carrepsa_proof f LEFT JOIN carrepsa_story s ON s.package_id = f.package_id AND s.number = f.number
            \(sql: start) ORDER BY f.package_id, f.number LIMIT \(limit)
            """
        ).map { row in
            Stored(
                package: try row.get("package_id"), number: try row.get("number"), picture: try row.get("picture_id"),
                digest: try row.get("digest"), isOwned: try row.get("person_id", as: String?.self) != nil)
        }
    }

    /// Returns the entries of histories about photos without a photo.
    static func withoutPhoto(limit: Int, in tx: Transaction) throws -> [(package: ID<Package>, number: Int64)] {
        try tx.rows(
            """
            SELECT s.package_id, s.number FROM carrepsa_story s
            WHERE s.digest IS NOT NULL AND s.event = \(PackageAction.addProof.rawValue) AND NOT EXISTS (
                SELECT 1 FROM carrepsa_proof f WHERE f.package_id = s.package_id AND f.number = s.number)
            ORDER BY s.package_id, s.number LIMIT \(limit)
            """
        ).map { (package: try $0.get("package_id"), number: try $0.get("number")) }
    }

    /// Returns a page of the statements without a photo, in the order of their packages, with the digests of their
    /// entries.
    static func statementsWithoutPhoto(
        after last: Statement?, limit: Int, in tx: Transaction
    ) throws -> [Statement] {
        let start: SQL =
            last.map { " AND (s.package_id, s.number) > (\($0.package), \($0.number))" } ?? SQL()
        return try tx.rows(
            """
            SELECT s.package_id, s.number, s.note, s.digest FROM carrepsa_story s
            WHERE s.digest IS NOT NULL AND s.event = \(PackageAction.addStatement.rawValue)\(sql: start)
                AND NOT EXISTS (
                    SELECT 1 FROM carrepsa_proof f WHERE f.package_id = s.package_id AND f.number = s.number)
            ORDER BY s.package_id, s.number LIMIT \(limit)
            """
        ).map { row in
            Statement(
                package: try row.get("package_id"), number: try row.get("number"), note: try row.get("note"),
                digest: try row.get("digest"))
        }
    }

    /// Whether owner or carrier of the package, or an administrator who may decide its dispute, sees a photo with this
    /// picture.
    static func isShown(_ picture: ID<Picture>, to person: PersonID, in tx: Transaction) throws -> Bool {
        let isParty =
            try tx.row(
                """
                SELECT 1 AS found FROM carrepsa_proof f
                JOIN carrepsa_package p ON p.id = f.package_id
                JOIN carrepsa_story s ON s.package_id = f.package_id AND s.number = f.number
                WHERE f.picture_id = \(picture)
                    AND (p.owner_id = \(person) OR (p.carrier_id = \(person) AND s.at >= p.accepted_at)) LIMIT 1
                """
            ) != nil
        if isParty { return true }
        guard try PeopleStore.isOperator(person, in: tx) else { return false }
        let disputed: [ID<Package>] = try tx.rows(
            """
            SELECT DISTINCT p.id FROM carrepsa_proof f JOIN carrepsa_package p ON p.id = f.package_id
            WHERE f.picture_id = \(picture) AND p.disputed_at IS NOT NULL AND p.finished_at IS NULL
            LIMIT \(Limits.pageSizeMaximum)
            """
        ).map { try $0.get("id") }
        return try disputed.contains { id in
            guard let package = try PackageStore.find(id, in: tx) else { return false }
            return try DisputeStore.seesEvidence(person, package, in: tx)
        }
    }

    /// Detaches the pictures of a deleted account. Their hashes stay.
    static func forget(_ person: PersonID, in tx: Transaction) throws {
        try tx.execute(
            """
            UPDATE carrepsa_proof SET picture_id = NULL
            WHERE picture_id IN (SELECT id FROM picture WHERE owner_id = \(person))
            """
        )
    }
}
