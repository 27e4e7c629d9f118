import Accounts
import Kernel
import Storage

/// A row of `family_tablet`.
struct StoredTablet: Sendable, Hashable {
    let id: ID<Tablet>
    let household: ID<Household>
    let name: String
    let pairedAt: Instant
    let pairedBy: PersonID?
    let lastUsedAt: Instant

    /// The device as requests see it.
    var device: SharedDevice {
        SharedDevice(person: id.cast(to: Person.self), name: name, pairedAt: pairedAt, lastUsedAt: lastUsedAt)
    }
}

/// An open code of `family_tablet_code`.
struct StoredTabletCode: Sendable, Hashable {
    let id: ID<TabletCode>
    let household: ID<Household>
    let madeBy: PersonID
}

/// The tables `family_tablet` and `family_tablet_code`: paired tablets, and the open code of each household.
enum TabletStore {
    private static let columns: SQL = "id, household_id, name, paired_at, paired_by, last_used_at"

    static func insert(
        _ tablet: StoredTablet, tokenHash: [UInt8], code: ID<TabletCode>, in tx: Transaction
    ) throws {
        try tx.execute(
            """
            INSERT INTO family_tablet (id, household_id, token_hash, code_id, name, paired_at, paired_by, last_used_at)
            VALUES (
                \(tablet.id), \(tablet.household), \(tokenHash), \(code), \(tablet.name), \(tablet.pairedAt),
                \(tablet.pairedBy), \(tablet.lastUsedAt)
            )
            """
        )
    }

    static func find(tokenHash: [UInt8], in tx: Transaction) throws -> StoredTablet? {
        try tx.row("SELECT \(sql: columns) FROM family_tablet WHERE token_hash = \(tokenHash)").map(read)
    }

    static func find(_ id: ID<Tablet>, in tx: Transaction) throws -> StoredTablet? {
        try tx.row("SELECT \(sql: columns) FROM family_tablet WHERE id = \(id)").map(read)
    }

    /// Returns the tablets of a household, the oldest first.
    static func tablets(of household: ID<Household>, in tx: Transaction) throws -> [StoredTablet] {
        try tx.rows(
            "SELECT \(sql: columns) FROM family_tablet WHERE household_id = \(household) ORDER BY id"
        ).map(read)
    }

    static func touch(_ id: ID<Tablet>, now: Instant, in tx: Transaction) throws {
        try tx.execute("UPDATE family_tablet SET last_used_at = \(now) WHERE id = \(id)")
    }

    static func delete(_ id: ID<Tablet>, in tx: Transaction) throws {
        try tx.execute("DELETE FROM family_tablet WHERE id = \(id)")
    }

    /// Stores the code of a household. It replaces an earlier one.
    static func setCode(
        _ id: ID<TabletCode>, hash: [UInt8], of household: ID<Household>, by parent: PersonID, expiresAt: Instant,
        in tx: Transaction
    ) throws {
        try tx.execute(
            """
            INSERT INTO family_tablet_code (household_id, id, hash, made_by, expires_at)
            VALUES (\(household), \(id), \(hash), \(parent), \(expiresAt))
            ON CONFLICT (household_id) DO UPDATE SET
                id = excluded.id, hash = excluded.hash, made_by = excluded.made_by, expires_at = excluded.expires_at
            """
        )
    }

    /// Returns the open code with a hash.
    static func code(_ hash: [UInt8], now: Instant, in tx: Transaction) throws -> StoredTabletCode? {
        try tx.row(
            "SELECT id, household_id, made_by FROM family_tablet_code WHERE hash = \(hash) AND expires_at > \(now)"
        ).map {
            StoredTabletCode(
                id: try $0.get("id"), household: try $0.get("household_id"), madeBy: try $0.get("made_by"))
        }
    }

    /// Returns the state of a code of a household. A code that was revoked has the state `replaced`.
    static func state(
        of code: ID<TabletCode>, _ household: ID<Household>, now: Instant, in tx: Transaction
    ) throws -> SignInCode.State {
        let expiry: Instant? = try tx.row(
            "SELECT expires_at FROM family_tablet_code WHERE household_id = \(household) AND id = \(code)"
        )?.get("expires_at")
        if let expiry { return now < expiry ? .open : .expired }
        let use = try tx.row(
            "SELECT 1 AS found FROM family_tablet WHERE household_id = \(household) AND code_id = \(code)")
        return use == nil ? .replaced : .used
    }

    static func deleteCode(of household: ID<Household>, in tx: Transaction) throws {
        try tx.execute("DELETE FROM family_tablet_code WHERE household_id = \(household)")
    }

    static func pruneCodes(now: Instant, in tx: Transaction) throws {
        try tx.executeAndWait("DELETE FROM family_tablet_code WHERE expires_at <= \(now)")
    }

    private static func read(_ row: Row) throws -> StoredTablet {
        StoredTablet(
            id: try row.get("id"), household: try row.get("household_id"), name: try row.get("name"),
            pairedAt: try row.get("paired_at"), pairedBy: try row.get("paired_by"),
            lastUsedAt: try row.get("last_used_at"))
    }
}
