import Kernel
import Storage

/// A new entry in a package's history. ``PackageStore`` writes it together with the package.
struct PackageHistoryRow: Sendable {
    /// The values in the order of the table's columns.
    let values: [SQLValue]
    /// The entry as the ledger seals it; `nil` for an entry without a digest.
    let sealed: SealedRecord?

    /// - Parameter digest: the SHA-256, in hexadecimal digits, of what the entry proves.
    init(
        _ package: StoredPackage, _ event: String, role: PackageRole, by person: PersonID?, note: String?,
        split: MoneySplit? = nil, digest: String? = nil, now: Instant
    ) {
        // A server of the version before can't read the recipient's role. Their actions identify them.
        let role = role == .recipient ? .stranger : role
        values = [
            package.id.sqlValue, .integer(package.version), now.sqlValue, .text(event), role.sqlValue, person.sqlValue,
            note.sqlValue, digest.sqlValue, (split?.rewardToCarrier).sqlValue,
            (split?.depositToOwner).sqlValue,
        ]
        sealed = digest.map { digest in
            HistoryEvidence.record(
                of: package.id, number: package.version, at: now, event: event, role: role, note: note, split: split,
                digest: digest)
        }
    }
}

/// The table `carrepsa_story`. The number of an entry is the package's version after the change.
enum PackageHistoryStore {
    static let rewardNotFunded = "rewardNotFunded"

    /// Returns the newest entry's event; prevents repeated entries about an uncovered reward.
    static func lastEvent(of package: ID<Package>, in tx: Transaction) throws -> String? {
        try tx.row("SELECT event FROM carrepsa_story WHERE package_id = \(package) ORDER BY number DESC LIMIT 1")?
            .get("event")
    }

    /// Returns the number of entries of an action from an instant on.
    static func count(
        _ action: PackageAction, of package: ID<Package>, since start: Instant, in tx: Transaction
    ) throws -> Int64 {
        let count: Int64? = try tx.row(
            """
            SELECT COUNT(*) AS n FROM carrepsa_story
            WHERE package_id = \(package) AND event = \(action.rawValue) AND at >= \(start)
            """
        )?.get("n")
        return count ?? 0
    }

    /// Returns whether a carrier cancelled the acceptance after an instant.
    static func hasCancelledAcceptance(
        of package: ID<Package>, by carrier: PersonID, since start: Instant, in tx: Transaction
    ) throws -> Bool {
        try tx.row(
            """
            SELECT 1 AS found FROM carrepsa_story
            WHERE package_id = \(package) AND person_id = \(carrier) AND at > \(start)
                AND event = \(PackageAction.cancelAcceptance.rawValue) AND role = \(PackageRole.carrier) LIMIT 1
            """
        ) != nil
    }

    /// Returns the reason of the newest decision of a dispute.
    static func decisionReason(of package: ID<Package>, in tx: Transaction) throws -> String? {
        try tx.row(
            """
            SELECT note FROM carrepsa_story WHERE package_id = \(package) AND role = \(PackageRole.operator)
            ORDER BY number DESC LIMIT 1
            """
        )?.get("note")
    }

    /// Returns the newest ``Limits/packageHistoryEntries`` entries, and as many of the newest sealed ones, which later
    /// entries can't push out; oldest first.
    static func entries(of package: ID<Package>, in tx: Transaction) throws -> [PackageHistoryEntry] {
        let rows = try tx.rows(
            """
            SELECT s.at, s.event, s.role, s.person_id, a.name, s.note, s.split_reward, s.split_deposit, f.picture_id
            FROM carrepsa_story s LEFT JOIN account a ON a.id = s.person_id
            LEFT JOIN carrepsa_proof f ON f.package_id = s.package_id AND f.number = s.number
                AND s.event = \(PackageAction.addStatement.rawValue)
            WHERE s.package_id = \(package) AND s.number IN (
                SELECT number FROM (
                    SELECT number FROM carrepsa_story WHERE package_id = \(package)
                    ORDER BY number DESC LIMIT \(Limits.packageHistoryEntries)
                ) newest
                UNION SELECT number FROM (
                    SELECT number FROM carrepsa_story WHERE package_id = \(package) AND digest IS NOT NULL
                    ORDER BY number DESC LIMIT \(Limits.packageHistoryEntries)
                ) sealed
            ) ORDER BY s.number
            """
        )
        return try rows.compactMap { row in
            let word: String = try row.get("event")
            let event: PackageHistoryEntry.Event
            if word == rewardNotFunded {
                event = .rewardNotFunded
            } else if let action = PackageAction(rawValue: word) {
                event = .action(action)
            } else {
                return nil
            }
            let isByRecipient = event == .action(.instruct) || event == .action(.refuse)
            return PackageHistoryEntry(
                at: try row.get("at"), event: event, role: try isByRecipient ? .recipient : row.get("role"),
                by: try row.get("person_id"), byName: try row.get("name"), note: try row.get("note"),
                split: try MoneySplit(row), pictureID: try row.get("picture_id")
            )
        }
    }
}
