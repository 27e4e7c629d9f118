import Kernel
import Storage

/// The column `reminded_of`: the acceptance time for which owner and carrier got a reminder of the deadline.
enum DeadlineReminders {
    /// Returns the accepted packages whose deadline is near and whose parties got no reminder yet, and marks them as
    /// reminded.
    static func claim(now: Instant, in tx: Transaction) throws -> [StoredPackage] {
        let lead = Limits.deadlineNearSeconds * 1_000
        let near = now.adding(seconds: Limits.deadlineNearSeconds)
        let packages = try tx.rows(
            """
            SELECT \(raw: PackageStore.columns) FROM carrepsa_package p
            WHERE p.state = 'accepted' AND p.deadline_at > \(now) AND p.deadline_at <= \(near)
                AND p.accepted_at <= p.deadline_at - \(lead)
                AND (p.reminded_of IS NULL OR p.reminded_of <> p.accepted_at)
            ORDER BY p.id LIMIT \(Limits.deadlineReminders) \(sql: tx.forUpdate)
            """
        ).map(PackageStore.read)
        for package in packages {
            try tx.execute(
                "UPDATE carrepsa_package SET reminded_of = \(package.acceptedAt) WHERE id = \(package.id)"
            )
        }
        return packages
    }
}
