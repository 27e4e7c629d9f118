import Kernel
import Pictures
import Quotas
import Storage

/// The table `account`.
enum AccountStore {
    static let columns: SQL = """
        id, role, email, email_verified_at, name, phone, date_of_birth, theme, avatar_picture_id, maps_app, language, \
        is_operator, version, created_at, made_by_provider, appearance, disabled_at, position_shared_until, \
        (SELECT email_change.email FROM email_change WHERE email_change.account_id = account.id) AS pending_email
        """

    /// The stored hash that a password is verified against.
    struct Credential: Sendable, Equatable {
        let person: PersonID
        let password: String?
    }

    static func account(_ id: PersonID, in tx: Transaction) throws -> Account? {
        try tx.row("SELECT \(sql: columns) FROM account WHERE id = \(id)").map(read)
    }

    /// Locks the row until the transaction ends, so that changes of one account happen one after another. Other
    /// transactions may still insert rows that refer to the account, for example notifications: otherwise two people
    /// who change their accounts and notify each other would deadlock.
    static func lockedAccount(_ id: PersonID, in tx: Transaction) throws -> Account? {
        try tx.row("SELECT \(sql: columns) FROM account WHERE id = \(id) \(sql: tx.forChange)").map(read)
    }

    /// Returns the current account of `id`, locked for this transaction.
    /// - Throws: ``AppError/notFound`` when it was deleted.
    static func requireLockedAccount(_ id: PersonID, in tx: Transaction) throws -> Account {
        guard let account = try lockedAccount(id, in: tx) else { throw AppError.notFound }
        return account
    }

    /// Locks the row until the transaction ends, so that no new row can refer to it.
    static func lockForDeletion(_ id: PersonID, in tx: Transaction) throws {
        _ = try tx.row("SELECT id FROM account WHERE id = \(id) \(sql: tx.forUpdate)")
    }

    static func accounts(_ ids: [PersonID], in tx: Transaction) throws -> [Account] {
        guard !ids.isEmpty else { return [] }
        return try tx.rows("SELECT \(sql: columns) FROM account WHERE id IN \(list: ids)").map(read)
    }

    static func account(emailKey: String, in tx: Transaction) throws -> Account? {
        try tx.row("SELECT \(sql: columns) FROM account WHERE email_key = \(emailKey)").map(read)
    }

    static func accounts(after: PersonID?, limit: Int, in tx: Transaction) throws -> [Account] {
        let start = after?.description ?? ""
        return try tx.rows("SELECT \(sql: columns) FROM account WHERE id > \(start) ORDER BY id LIMIT \(limit)").map(
            read)
    }

    /// Returns whether another account has the address, or may get it back by an undo.
    static func isTaken(
        emailKey: String, except person: PersonID?, now: Instant, in tx: Transaction
    ) throws -> Bool {
        if let holder = try EmailChangeStore.holder(emailKey: emailKey, now: now, in: tx), holder != person {
            return true
        }
        let except = person?.description ?? ""
        return try tx.row("SELECT 1 AS found FROM account WHERE email_key = \(emailKey) AND id <> \(except)") != nil
    }

    /// Returns the account that has the address, or otherwise the one that may get it back by an undo.
    static func claimant(emailKey: String, now: Instant, in tx: Transaction) throws -> Account? {
        if let account = try account(emailKey: emailKey, in: tx) { return account }
        return try EmailChangeStore.holder(emailKey: emailKey, now: now, in: tx).flatMap { try account($0, in: tx) }
    }

    static func credential(emailKey: String, in tx: Transaction) throws -> Credential? {
        let row = try tx.row("SELECT id, password FROM account WHERE email_key = \(emailKey)")
        return try row.map { Credential(person: try $0.get("id"), password: try $0.get("password")) }
    }

    static func credential(of person: PersonID, in tx: Transaction) throws -> Credential? {
        let row = try tx.row("SELECT id, password FROM account WHERE id = \(person)")
        return try row.map { Credential(person: try $0.get("id"), password: try $0.get("password")) }
    }

    /// Returns false when the email is taken: by another account, or by one that may get it back by an undo.
    /// - Parameter permit: the permission to create it.
    static func insert(
        _ account: Account, emailKey: String?, password: String?, permit: AccountPermit, in tx: Transaction
    ) throws -> Bool {
        let avatar = account.avatarPictureID
        if let emailKey, try EmailChangeStore.holder(emailKey: emailKey, now: account.createdAt, in: tx) != nil {
            return false
        }
        return try tx.executeCounting(
            """
            INSERT INTO account (
                id, role, email, email_key, password, name, phone, date_of_birth, theme, avatar_picture_id, maps_app,
                language, is_operator, version, created_at, name_folded
            ) VALUES (
                \(account.id), \(account.role.rawValue), \(account.email), \(emailKey), \(password), \(account.name),
                \(account.phone), \(account.dateOfBirth), \(account.theme), \(avatar), \(account.mapsApp?.rawValue),
                \(account.language), \(account.isOperator), \(account.version), \(account.createdAt),
                \(SearchText.folded(account.name))
            ) ON CONFLICT (email_key) DO NOTHING
            """
        ) == 1
    }

    static func update(_ account: Account, emailKey: String?, in tx: Transaction) throws {
        try tx.execute(
            """
            UPDATE account SET
                email = \(account.email), email_key = \(emailKey), email_verified_at = \(account.emailVerifiedAt),
                name = \(account.name), name_folded = \(SearchText.folded(account.name)),
                phone = \(account.phone), date_of_birth = \(account.dateOfBirth),
                theme = \(account.theme), avatar_picture_id = \(account.avatarPictureID),
                maps_app = \(account.mapsApp?.rawValue), language = \(account.language),
                is_operator = \(account.isOperator), appearance = \(account.appearance.rawValue),
                version = \(account.version)
            WHERE id = \(account.id)
            """
        )
    }

    /// Records that a provider vouched for the person at registration, and when it verified the email.
    static func recordProvider(of person: PersonID, emailVerifiedAt: Instant?, in tx: Transaction) throws {
        try tx.execute(
            """
            UPDATE account SET made_by_provider = 1, email_verified_at = \(emailVerifiedAt) WHERE id = \(person)
            """
        )
    }

    /// - Parameter password: the hash; `nil` for none.
    static func setPassword(_ password: String?, of person: PersonID, in tx: Transaction) throws {
        try tx.execute("UPDATE account SET password = \(password) WHERE id = \(person)")
    }

    /// Returns the other accounts whose avatar is one of the person's pictures, each with that picture.
    private static func wearers(
        ofPicturesOf person: PersonID, in tx: Transaction
    ) throws -> [(wearer: PersonID, picture: ID<Picture>)] {
        try tx.rows(
            """
            SELECT account.id AS wearer, picture.id AS picture FROM account
            JOIN picture ON picture.id = account.avatar_picture_id
            WHERE picture.owner_id = \(person) AND account.id <> \(person)
            ORDER BY account.id
            """
        ).map { (wearer: try $0.get("wearer"), picture: try $0.get("picture")) }
    }

    /// Transfers each of the person's pictures that another account uses as its avatar to that account. Called before
    /// the person is deleted.
    static func transferAvatars(of person: PersonID, in tx: Transaction) throws {
        for (wearer, picture) in try wearers(ofPicturesOf: person, in: tx) {
            try PictureLibrary.handOver(picture, to: wearer, in: tx)
        }
    }

    static func wears(_ picture: ID<Picture>, _ person: PersonID, in tx: Transaction) throws -> Bool {
        try tx.row("SELECT 1 AS found FROM account WHERE id = \(person) AND avatar_picture_id = \(picture)") != nil
    }

    static func removeAvatar(of person: PersonID, in tx: Transaction) throws {
        try tx.execute("UPDATE account SET avatar_picture_id = NULL WHERE id = \(person)")
    }

    static func delete(_ person: PersonID, in tx: Transaction) throws {
        try QuotaStore.delete(person, in: tx)
        try StorageUsageStore.delete(person, in: tx)
        try tx.execute("DELETE FROM account WHERE id = \(person)")
    }

    static func read(_ row: Row) throws -> Account {
        let role: String = try row.get("role")
        let maps: String? = try row.get("maps_app")
        let appearance: String = try row.get("appearance")
        return Account(
            id: try row.get("id"), email: try row.get("email"), name: try row.get("name"), phone: try row.get("phone"),
            dateOfBirth: try row.get("date_of_birth"), theme: try row.get("theme"),
            avatarPictureID: try row.get("avatar_picture_id"), mapsApp: maps.flatMap(MapsApp.init(rawValue:)),
            role: role == Role.child.rawValue ? .child : .adult, language: try row.get("language"),
            isOperator: try row.get("is_operator"), emailVerifiedAt: try row.get("email_verified_at"),
            version: try row.get("version"), createdAt: try row.get("created_at"),
            isFromProvider: try row.get("made_by_provider"), appearance: Appearance(rawValue: appearance) ?? .system,
            pendingEmail: try row.get("pending_email"), disabledAt: try row.get("disabled_at"),
            positionSharedUntil: try row.get("position_shared_until")
        )
    }
}
