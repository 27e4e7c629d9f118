package import Kernel
package import Storage

/// The storage quotas of accounts: the server's defaults, and what administrators chose for single accounts. All checks
/// of a quota read it here.
package struct AccountQuotas: Sendable {
    /// The quota of an account without limits of its own.
    package let standard: StorageQuota

    package init(standard: StorageQuota = StorageQuota()) { self.standard = standard }

    /// Returns the limits that apply to an account.
    package func quota(of account: PersonID, in tx: Transaction) throws -> StorageQuota {
        quota(try QuotaStore.find(account, in: tx))
    }

    /// Returns the limits of an account with these of its own.
    package func quota(_ chosen: QuotaOverride) -> StorageQuota {
        StorageQuota(pictures: chosen.pictures ?? standard.pictures, fixes: chosen.fixes ?? standard.fixes)
    }
}

/// The SQL of the table `storage_quota`.
package enum QuotaStore {
    /// Returns the account's own limits; the defaults apply to an account without a row.
    package static func find(_ account: PersonID, in tx: Transaction) throws -> QuotaOverride {
        try find([account], in: tx)[account] ?? QuotaOverride()
    }

    /// Returns the own limits of those accounts that have some.
    package static func find(_ accounts: [PersonID], in tx: Transaction) throws -> [PersonID: QuotaOverride] {
        guard !accounts.isEmpty else { return [:] }
        let rows = try tx.rows(
            "SELECT account_id, pictures, fixes FROM storage_quota WHERE account_id IN \(list: accounts)")
        return try rows.reduce(into: [:]) { found, row in
            found[try row.get("account_id")] = QuotaOverride(
                pictures: try row.get("pictures"), fixes: try row.get("fixes"))
        }
    }

    /// Replaces the account's own limits.
    package static func set(_ chosen: QuotaOverride, of account: PersonID, in tx: Transaction) throws {
        guard chosen != QuotaOverride() else { return try delete(account, in: tx) }
        try tx.execute(
            """
            INSERT INTO storage_quota (account_id, pictures, fixes)
            VALUES (\(account), \(chosen.pictures), \(chosen.fixes))
            ON CONFLICT (account_id) DO UPDATE SET pictures = excluded.pictures, fixes = excluded.fixes
            """
        )
    }

    /// Removes the account's own limits, so that the defaults apply.
    package static func delete(_ account: PersonID, in tx: Transaction) throws {
        try tx.execute("DELETE FROM storage_quota WHERE account_id = \(account)")
    }
}
