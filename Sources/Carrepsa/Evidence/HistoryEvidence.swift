import Kernel
import Storage

/// The entries of packages' histories that have a digest.
struct HistoryEvidence: SealedRecords {
    private static let table = "carrepsa_story"

    /// - Parameter digest: the SHA-256 of what the entry proves, for example of a photo.
    static func record(
        of package: ID<Package>, number: Int64, at: Instant, event: String, role: PackageRole, note: String?,
        split: MoneySplit? = nil, digest: String
    ) -> SealedRecord {
        // The person isn't covered: the deletion of an account removes it.
        SealedRecord(
            table: table, package: package, key: String(number),
            fields: [
                .init("at", String(at.millisecondsSince1970)), .init("event", event), .init("role", role.rawValue),
                .init("note", note), .init("digest", digest),
                .init("split_reward", split.map { String($0.rewardToCarrier) }),
                .init("split_deposit", split.map { String($0.depositToOwner) }),
            ])
    }

    func page(after last: SealedRecord?, limit: Int, in tx: Transaction) throws -> [SealedRecord] {
        let start: SQL =
            last.map { " AND (package_id, number) > (\($0.package), \(Int64($0.key) ?? 0))" } ?? SQL()
        let rows = try tx.rows(
            """
            SELECT package_id, number, at, event, role, note, digest, split_reward, split_deposit
            FROM carrepsa_story
            WHERE digest IS NOT NULL\(sql: start) ORDER BY package_id, number LIMIT \(limit)
            """
        )
        return try rows.map { row in
            let at: Int64 = try row.get("at")
            let splitReward: Int64? = try row.get("split_reward")
            let splitDeposit: Int64? = try row.get("split_deposit")
            return SealedRecord(
                table: Self.table, package: try row.get("package_id"),
                key: String(try row.get("number", as: Int64.self)),
                fields: [
                    // As text, so that a role or an event that doesn't exist is a finding and not an error.
                    .init("at", String(at)), .init("event", try row.get("event")), .init("role", try row.get("role")),
                    .init("note", try row.get("note")), .init("digest", try row.get("digest")),
                    .init("split_reward", splitReward.map(String.init)),
                    .init("split_deposit", splitDeposit.map(String.init)),
                ])
        }
    }

    func count(of package: ID<Package>, in tx: Transaction) throws -> Int {
        let count: Int64? = try tx.row(
            "SELECT COUNT(*) AS n FROM carrepsa_story WHERE package_id = \(package) AND digest IS NOT NULL"
        )?.get("n")
        return Int(count ?? 0)
    }
}
