import Kernel
import Storage

/// The table `carrepsa_recipient`.
enum RecipientStore {
    private static let columns: SQL = "name, phone, email, address, meeting, leave_at, ends_at, version"

    /// A row with the secret of its page.
    struct Linked: Sendable {
        let recipient: Recipient
        /// The SHA-256 of the secret; `nil` without a link.
        let hash: [UInt8]?
        let sealedSecret: [UInt8]?
    }

    static func recipient(of package: ID<Package>, in tx: Transaction) throws -> Recipient? {
        try tx.row("SELECT \(sql: columns) FROM carrepsa_recipient WHERE package_id = \(package)").map(read)
    }

    static func linked(of package: ID<Package>, in tx: Transaction) throws -> Linked? {
        try tx.row(
            "SELECT \(sql: columns), secret_hash, secret FROM carrepsa_recipient WHERE package_id = \(package)"
        ).map { row in
            Linked(recipient: try read(row), hash: try row.get("secret_hash"), sealedSecret: try row.get("secret"))
        }
    }

    /// Returns the package of an open page.
    static func package(ofHash hash: [UInt8], now: Instant, in tx: Transaction) throws -> ID<Package>? {
        try tx.row(
            """
            SELECT package_id FROM carrepsa_recipient
            WHERE secret_hash = \(hash) AND (ends_at IS NULL OR ends_at > \(now))
            """
        )?.get("package_id")
    }

    /// Stores a recipient with a new link.
    /// - Parameter isSamePerson: whether the contact didn't change. The texts about the handover and the refusal of
    ///   another person are deleted.
    static func set(
        _ new: ValidRecipient, of package: ID<Package>, isSamePerson: Bool, hash: [UInt8], sealed: [UInt8],
        now: Instant, in tx: Transaction
    ) throws {
        try tx.execute(
            """
            INSERT INTO carrepsa_recipient (
                package_id, name, phone, email, address, secret_hash, secret, version, changed_at
            ) VALUES (
                \(package), \(new.name), \(new.phone), \(new.email), \(new.address), \(hash), \(sealed), 1, \(now)
            ) ON CONFLICT (package_id) DO UPDATE SET name = excluded.name, phone = excluded.phone,
                email = excluded.email, address = excluded.address, secret_hash = excluded.secret_hash,
                secret = excluded.secret, version = carrepsa_recipient.version + 1, changed_at = excluded.changed_at
            """
        )
        try tx.execute("UPDATE carrepsa_package SET has_recipient = 1 WHERE id = \(package)")
        guard !isSamePerson else { return }
        try tx.execute(
            "UPDATE carrepsa_recipient SET meeting = NULL, leave_at = NULL WHERE package_id = \(package)")
        try tx.execute("UPDATE carrepsa_package SET refused_at = NULL WHERE id = \(package)")
    }

    /// Changes the name and the address; the page's link stays.
    static func update(_ new: ValidRecipient, of package: ID<Package>, now: Instant, in tx: Transaction) throws {
        try tx.execute(
            """
            UPDATE carrepsa_recipient SET name = \(new.name), phone = \(new.phone), email = \(new.email),
                address = \(new.address), version = version + 1, changed_at = \(now)
            WHERE package_id = \(package)
            """
        )
    }

    /// Replaces the secret of the page; `nil` for both revokes the link.
    static func setLink(
        hash: [UInt8]?, sealed: [UInt8]?, of package: ID<Package>, now: Instant, in tx: Transaction
    ) throws {
        try tx.execute(
            """
            UPDATE carrepsa_recipient SET secret_hash = \(hash), secret = \(sealed), version = version + 1,
                changed_at = \(now)
            WHERE package_id = \(package)
            """
        )
    }

    static func setMeeting(_ text: String?, of package: ID<Package>, now: Instant, in tx: Transaction) throws {
        try tx.execute(
            """
            UPDATE carrepsa_recipient SET meeting = \(text), version = version + 1, changed_at = \(now)
            WHERE package_id = \(package)
            """
        )
    }

    /// Deletes when and where to meet a carrier who no longer carries the package.
    static func clearMeeting(of package: ID<Package>, now: Instant, in tx: Transaction) throws {
        try tx.execute(
            """
            UPDATE carrepsa_recipient SET meeting = NULL, version = version + 1, changed_at = \(now)
            WHERE package_id = \(package) AND meeting IS NOT NULL
            """
        )
    }

    static func setLeaveAt(_ text: String?, of package: ID<Package>, now: Instant, in tx: Transaction) throws {
        try tx.execute(
            """
            UPDATE carrepsa_recipient SET leave_at = \(text), version = version + 1, changed_at = \(now)
            WHERE package_id = \(package)
            """
        )
    }

    static func delete(of package: ID<Package>, in tx: Transaction) throws {
        try tx.execute("DELETE FROM carrepsa_recipient WHERE package_id = \(package)")
        try tx.execute("UPDATE carrepsa_package SET has_recipient = 0, refused_at = NULL WHERE id = \(package)")
    }

    /// The delivery has ended: the page closes at an instant.
    static func close(of package: ID<Package>, at instant: Instant, in tx: Transaction) throws {
        try tx.execute("UPDATE carrepsa_recipient SET ends_at = \(instant) WHERE package_id = \(package)")
    }

    /// Deletes the recipients of packages that a person offered.
    static func forget(packagesOf owner: PersonID, in tx: Transaction) throws {
        try tx.execute(
            """
            DELETE FROM carrepsa_recipient WHERE package_id IN (
                SELECT id FROM carrepsa_package WHERE owner_id = \(owner) AND has_recipient = 1)
            """
        )
    }

    /// Deletes recipients whose page has closed.
    static func prune(now: Instant, in tx: Transaction) throws {
        let due: [ID<Package>] = try tx.rows(
            """
            SELECT package_id FROM carrepsa_recipient WHERE ends_at <= \(now)
            ORDER BY ends_at LIMIT \(Limits.recipientsDeleted)
            """
        ).map { try $0.get("package_id") }
        guard !due.isEmpty else { return }
        try tx.execute("DELETE FROM carrepsa_recipient WHERE package_id IN \(list: due)")
    }

    /// A recipient whose package was finished, or whose owner's account was deleted, by a server of the version before.
    struct LeftBehind: Sendable {
        let package: ID<Package>
        /// `nil` if the recipient is to be deleted.
        let endsAt: Instant?
    }

    /// Returns at most ``Limits/recipientsDeleted`` recipients that such a server left without an end.
    static func leftBehind(in tx: Transaction) throws -> [LeftBehind] {
        try tx.rows(
            """
            SELECT r.package_id, p.owner_id, p.finished_at
            FROM carrepsa_recipient r JOIN carrepsa_package p ON p.id = r.package_id
            WHERE p.owner_id IS NULL OR (r.ends_at IS NULL AND p.finished_at IS NOT NULL)
            ORDER BY r.package_id LIMIT \(Limits.recipientsDeleted)
            """
        ).map { row in
            let owner: PersonID? = try row.get("owner_id")
            let finishedAt: Instant? = try row.get("finished_at")
            return LeftBehind(
                package: try row.get("package_id"),
                endsAt: owner == nil ? nil : finishedAt?.adding(seconds: Limits.recipientPageSeconds))
        }
    }

    /// Closes or deletes the recipients that ``leftBehind(in:)`` returned.
    static func end(_ rows: [LeftBehind], in tx: Transaction) throws {
        for row in rows {
            if let endsAt = row.endsAt {
                try close(of: row.package, at: endsAt, in: tx)
            } else {
                try delete(of: row.package, in: tx)
            }
        }
    }

    /// Returns the recipients of a person's packages after a package, for the export.
    static func all(
        of owner: PersonID, after last: ID<Package>?, limit: Int, in tx: Transaction
    ) throws -> [(package: ID<Package>, title: String, recipient: Recipient)] {
        let start: SQL = last.map { " AND p.id < \($0)" } ?? SQL()
        return try tx.rows(
            """
            SELECT p.id, p.title, r.name, r.phone, r.email, r.address, r.meeting, r.leave_at, r.ends_at, r.version
            FROM carrepsa_package p JOIN carrepsa_recipient r ON r.package_id = p.id
            WHERE p.owner_id = \(owner)\(sql: start) ORDER BY p.id DESC LIMIT \(limit)
            """
        ).map { (package: try $0.get("id"), title: try $0.get("title"), recipient: try read($0)) }
    }

    private static func read(_ row: Row) throws -> Recipient {
        Recipient(
            name: try row.get("name"), phone: try row.get("phone"), email: try row.get("email"),
            address: try row.get("address"), meeting: try row.get("meeting"), leaveAt: try row.get("leave_at"),
            endsAt: try row.get("ends_at"), version: try row.get("version"))
    }
}
