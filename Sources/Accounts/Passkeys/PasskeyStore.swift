import Kernel
import Storage

/// The table `passkey`, and the passkey setting of `app_lock`.
enum PasskeyStore {
    /// The stored values that an assertion is verified against.
    struct Verifier: Sendable {
        let passkey: Passkey
        let algorithm: Int64
        let publicKey: [UInt8]
        let signCount: UInt32

        func key() throws(PasskeyError) -> PasskeyKey {
            guard let algorithm = PasskeyAlgorithm(rawValue: algorithm) else { throw .algorithm }
            return try PasskeyKey(algorithm, stored: publicKey)
        }
    }

    private static let columns: SQL = """
        id, account_id, credential_id, is_backed_up, transports, name, created_at, last_used_at
        """

    /// Returns all passkeys of the person, oldest first: at most ``Limits/passkeysPerAccount``.
    static func passkeys(of person: PersonID, in tx: Transaction) throws -> [Passkey] {
        try tx.rows("SELECT \(sql: columns) FROM passkey WHERE account_id = \(person) ORDER BY id").map(read)
    }

    static func count(of person: PersonID, in tx: Transaction) throws -> Int {
        try tx.row("SELECT COUNT(*) AS passkeys FROM passkey WHERE account_id = \(person)")?.get("passkeys") ?? 0
    }

    /// Locks the row until the transaction ends, so that the counter is compared with its committed value.
    static func verifier(credentialID: [UInt8], in tx: Transaction) throws -> Verifier? {
        try tx.row(
            """
            SELECT \(sql: columns), algorithm, public_key, sign_count FROM passkey
            WHERE credential_id = \(credentialID) \(sql: tx.forUpdate)
            """
        ).map { row in
            let signCount: Int64 = try row.get("sign_count")
            return Verifier(
                passkey: try read(row), algorithm: try row.get("algorithm"), publicKey: try row.get("public_key"),
                signCount: UInt32(clamping: signCount)
            )
        }
    }

    /// Returns false when the credential is already registered.
    static func insert(
        _ passkey: NewPasskey, id: ID<Passkey>, of person: PersonID, name: String, transports: [PasskeyTransport],
        now: Instant, in tx: Transaction
    ) throws -> Bool {
        let transports = transports.map(\.rawValue).joined(separator: " ")
        return try tx.executeCounting(
            """
            INSERT INTO passkey (
                id, account_id, credential_id, public_key, algorithm, sign_count, is_backup_eligible, is_backed_up,
                transports, name, created_at
            ) VALUES (
                \(id), \(person), \(passkey.credentialID), \(try passkey.key.stored()),
                \(passkey.key.algorithm.rawValue), \(Int64(passkey.signCount)), \(passkey.isBackupEligible),
                \(passkey.isBackedUp), \(transports), \(name), \(now)
            ) ON CONFLICT (credential_id) DO NOTHING
            """
        ) == 1
    }

    static func recordUse(
        of id: ID<Passkey>, signCount: UInt32, isBackedUp: Bool, now: Instant, in tx: Transaction
    ) throws {
        try tx.execute(
            """
            UPDATE passkey SET sign_count = \(Int64(signCount)), is_backed_up = \(isBackedUp), last_used_at = \(now)
            WHERE id = \(id)
            """
        )
    }

    /// Returns whether there was one.
    static func delete(_ id: ID<Passkey>, of person: PersonID, in tx: Transaction) throws -> Bool {
        try tx.executeCounting("DELETE FROM passkey WHERE id = \(id) AND account_id = \(person)") == 1
    }

    static func deleteAll(of person: PersonID, in tx: Transaction) throws {
        try tx.execute("DELETE FROM passkey WHERE account_id = \(person)")
        try tx.execute("UPDATE app_lock SET touch_id = 0 WHERE account_id = \(person) AND touch_id = 1")
    }

    private static func read(_ row: Row) throws -> Passkey {
        let transports: String = try row.get("transports")
        return Passkey(
            id: try row.get("id"), person: try row.get("account_id"), name: try row.get("name"),
            isBackedUp: try row.get("is_backed_up"), createdAt: try row.get("created_at"),
            lastUsedAt: try row.get("last_used_at"), credentialID: try row.get("credential_id"),
            transports: transports.split(separator: " ").compactMap { PasskeyTransport(rawValue: String($0)) }
        )
    }

    // MARK: The lock

    /// Returns the setting. Removing the passcode resets it.
    static func touchID(of person: PersonID, in tx: Transaction) throws -> TouchID {
        let row = try tx.row(
            """
            SELECT touch_id, (SELECT COUNT(*) FROM passkey WHERE account_id = \(person)) AS passkeys
            FROM app_lock WHERE account_id = \(person)
            """
        )
        guard let row else { return TouchID(isAvailable: false, isOn: false, isDecided: false) }
        let choice: Bool? = try row.get("touch_id")
        let passkeys: Int = try row.get("passkeys")
        return TouchID(isAvailable: true, isOn: choice == true && passkeys > 0, isDecided: choice != nil)
    }

    static func setTouchID(_ isOn: Bool, of person: PersonID, in tx: Transaction) throws {
        try tx.execute("UPDATE app_lock SET touch_id = \(isOn) WHERE account_id = \(person)")
    }
}
