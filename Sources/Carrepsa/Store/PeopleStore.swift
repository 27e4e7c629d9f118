import Kernel
import Notifications
import Storage

/// The queries of this module on the table `account`.
enum PeopleStore {
    struct Contact: Sendable {
        let id: PersonID
        let name: String
        let email: String?
        let phone: String?
        let isChild: Bool
        let isEmailConfirmed: Bool
    }

    private static let columns: SQL = "id, name, email, phone, role, email_verified_at"

    static func contact(_ id: PersonID, in tx: Transaction) throws -> Contact? {
        try tx.row("SELECT \(sql: columns) FROM account WHERE id = \(id)").map(read)
    }

    /// Returns the account, locked so that it can't be deleted before the transaction ends.
    static func locked(emailKey: String, in tx: Transaction) throws -> Contact? {
        try tx.row("SELECT \(sql: columns) FROM account WHERE email_key = \(emailKey) \(sql: tx.forUpdate)").map(read)
    }

    /// Returns the account, locked so that it can't be deleted before the transaction ends.
    static func locked(_ id: PersonID, in tx: Transaction) throws -> Contact? {
        try tx.row("SELECT \(sql: columns) FROM account WHERE id = \(id) \(sql: tx.forUpdate)").map(read)
    }

    /// Locks accounts, so that they can't be deleted before the transaction ends. One order for all transactions, so
    /// that two on the same accounts can't block each other.
    static func lock(_ people: PersonID..., in tx: Transaction) throws {
        for person in Set(people).sorted() {
            _ = try tx.row("SELECT id FROM account WHERE id = \(person) \(sql: tx.forChange)")
        }
    }

    private static let nameByID = FixedSQL("SELECT name FROM account WHERE id = ?")

    static func name(of id: PersonID, in tx: Transaction) throws -> String? {
        try tx.row(nameByID, [id.sqlValue])?.get(at: 0)
    }

    /// Returns the person for a notification; `nil` for a deleted account.
    static func named(_ id: PersonID, in tx: Transaction) throws -> NamedPerson? {
        try name(of: id, in: tx).map { NamedPerson(id, $0) }
    }

    /// Calls `use`, perhaps later in the transaction, with the name if the account exists.
    static func nameLater(of id: PersonID, in tx: Transaction, use: @escaping (String) -> Void) throws {
        try tx.rowsLater(nameByID, [id.sqlValue]) { rows in
            if let row = rows.first { use(try row.get(at: 0)) }
        }
    }

    /// The language of the account; `nil` if the person chose none.
    static func language(of id: PersonID, in tx: Transaction) throws -> String? {
        try tx.row("SELECT language FROM account WHERE id = \(id)")?.get("language")
    }

    /// Whether the person is an administrator. Ask ``AdministratorPolicy`` where there is an actor.
    static func isOperator(_ id: PersonID, in tx: Transaction) throws -> Bool {
        try tx.row("SELECT 1 AS found FROM account WHERE id = \(id) AND is_operator = 1") != nil
    }

    static func operators(in tx: Transaction) throws -> [PersonID] {
        try tx.rows("SELECT id FROM account WHERE is_operator = 1 ORDER BY id LIMIT \(Limits.operatorsNotified)")
            .map { try $0.get("id") }
    }

    /// Whether the account is older than an instant and its person has carried a package to the end.
    static func hasCarried(_ id: PersonID, createdBefore instant: Instant, in tx: Transaction) throws -> Bool {
        try tx.row(
            """
            SELECT 1 AS found FROM account WHERE id = \(id) AND created_at < \(instant)
                AND EXISTS (SELECT 1 FROM carrepsa_package WHERE carrier_id = \(id) AND state = 'delivered')
            """
        ) != nil
    }

    /// Whether there is an administrator besides the person whose account isn't disabled.
    static func hasOtherOperator(than person: PersonID, in tx: Transaction) throws -> Bool {
        try tx.row(
            """
            SELECT 1 AS found FROM account
            WHERE is_operator = 1 AND disabled_at IS NULL AND id <> \(person) LIMIT 1
            """) != nil
    }

    private static func read(_ row: Row) throws -> Contact {
        let role: String = try row.get("role")
        return Contact(
            id: try row.get("id"), name: try row.get("name"), email: try row.get("email"),
            phone: try row.get("phone"), isChild: role == "child",
            isEmailConfirmed: try row.get("email_verified_at", as: Instant?.self) != nil
        )
    }
}
