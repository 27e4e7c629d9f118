import Kernel
import Pictures
import Storage

/// A row of `carrepsa_message`.
struct StoredMessage: Sendable, Hashable {
    let message: PackageMessage
    let package: ID<Package>
    let conversation: ID<Conversation>
    /// `nil` after the deletion of the author's account.
    let salt: [UInt8]?
    /// The SHA-256 of the content in hexadecimal digits.
    let digest: String
}

/// The table `carrepsa_message`.
enum MessageStore {
    static let columns: SQL = """
        m.id, m.package_id, m.conversation_id, m.number, m.role, m.author_id, m.at, m.body, m.picture_id,
        m.latitude_micro, m.longitude_micro, m.salt, m.digest
        """

    /// Returns a page of a conversation, the newest first.
    static func page(
        of conversation: ID<Conversation>, before number: Int64?, limit: Int, in tx: Transaction
    ) throws -> [PackageMessage] {
        let start: SQL = number.map { " AND m.number < \($0)" } ?? SQL()
        return try tx.rows(
            """
            SELECT \(sql: columns) FROM carrepsa_message m WHERE m.conversation_id = \(conversation)\(sql: start)
            ORDER BY m.number DESC LIMIT \(limit)
            """
        ).map { try read($0).message }
    }

    static func one(_ id: ID<PackageMessage>, in tx: Transaction) throws -> StoredMessage? {
        try tx.row("SELECT \(sql: columns) FROM carrepsa_message m WHERE m.id = \(id)").map(read)
    }

    /// Returns a page of the messages of an author, the oldest first, with the titles of their packages.
    static func written(
        by author: PersonID, after: ID<PackageMessage>?, limit: Int, in tx: Transaction
    ) throws -> [(message: PackageMessage, title: String)] {
        try tx.rows(
            """
            SELECT \(sql: columns), k.title FROM carrepsa_message m
            JOIN carrepsa_package k ON k.id = m.package_id
            WHERE m.author_id = \(author) \(sql: .after(after, "m.id")) ORDER BY m.id LIMIT \(limit)
            """
        ).map { (try read($0).message, try $0.get("title")) }
    }

    /// The digest of a picture's uploaded bytes.
    static func pictureDigest(_ id: ID<Picture>, in tx: Transaction) throws -> [UInt8]? {
        try tx.row("SELECT digest FROM picture WHERE id = \(id)")?.get("digest")
    }

    static func insert(_ stored: StoredMessage, in tx: Transaction) throws {
        let message = stored.message
        try tx.execute(
            """
            INSERT INTO carrepsa_message (
                id, package_id, conversation_id, number, role, author_id, at, body, picture_id, latitude_micro,
                longitude_micro, salt, digest
            ) VALUES (
                \(message.id), \(stored.package), \(stored.conversation), \(message.number), \(message.role),
                \(message.author), \(message.at), \(message.text), \(message.pictureID), \(message.place?.latitudeMicro),
                \(message.place?.longitudeMicro), \(stored.salt), \(stored.digest)
            )
            """
        )
    }

    /// Deletes the content of a person's messages, and who wrote them. The digests stay.
    static func erase(_ author: PersonID, in tx: Transaction) throws {
        try tx.execute(
            """
            UPDATE carrepsa_message SET author_id = NULL, body = NULL, picture_id = NULL, latitude_micro = NULL,
                longitude_micro = NULL, salt = NULL
            WHERE author_id = \(author)
            """
        )
    }

    /// Deletes the content of messages whose author has no account any more: a server of an earlier release deletes an
    /// account without its messages. At most ``Limits/housekeepingBatch`` at once.
    static func eraseOrphaned(in tx: Transaction) throws {
        try tx.execute(
            """
            UPDATE carrepsa_message SET body = NULL, picture_id = NULL, latitude_micro = NULL, longitude_micro = NULL,
                salt = NULL
            WHERE id IN (
                SELECT id FROM carrepsa_message WHERE author_id IS NULL AND salt IS NOT NULL
                ORDER BY id LIMIT \(Limits.housekeepingBatch)
            )
            """
        )
    }

    /// Returns the packages about which a person wrote, each with the person to whom the messages went.
    static func readers(
        of author: PersonID, in tx: Transaction
    ) throws -> [(package: ID<Package>, reader: PersonID?)] {
        try tx.rows(
            """
            SELECT DISTINCT m.package_id, CASE WHEN m.role = 'owner' THEN c.carrier_id ELSE k.owner_id END AS reader_id
            FROM carrepsa_message m JOIN carrepsa_conversation c ON c.id = m.conversation_id
            JOIN carrepsa_package k ON k.id = m.package_id WHERE m.author_id = \(author) ORDER BY 1, 2
            """
        ).map { (package: try $0.get("package_id"), reader: try $0.get("reader_id")) }
    }

    /// Whether the person can read a message with this picture.
    static func isPictureShown(_ picture: ID<Picture>, to person: PersonID, in tx: Transaction) throws -> Bool {
        try tx.row(
            """
            SELECT 1 AS found FROM carrepsa_message m
            JOIN carrepsa_conversation c ON c.id = m.conversation_id JOIN carrepsa_package k ON k.id = c.package_id
            WHERE m.picture_id = \(picture) AND (
                k.owner_id = \(person) OR c.carrier_id = \(person)
                OR (EXISTS (SELECT 1 FROM account a WHERE a.id = \(person) AND a.is_operator = 1) AND (
                    (k.state = 'travelling' AND k.disputed_by IN ('owner', 'carrier') AND c.carrier_id = k.carrier_id
                        AND NOT EXISTS (SELECT 1 FROM carrepsa_story s
                            WHERE s.package_id = k.id AND s.person_id = \(person)
                                AND s.role IN ('owner', 'carrier', 'stranger')))
                    OR EXISTS (SELECT 1 FROM carrepsa_message_report r
                        WHERE r.message_id = m.id AND r.closed_at IS NULL)))
            ) LIMIT 1
            """
        ) != nil
    }

    static func read(_ row: Row) throws -> StoredMessage {
        let latitude: Int64? = try row.get("latitude_micro")
        let longitude: Int64? = try row.get("longitude_micro")
        var place: Coordinate?
        if let latitude, let longitude { place = Coordinate(latitudeMicro: latitude, longitudeMicro: longitude) }
        return StoredMessage(
            message: PackageMessage(
                id: try row.get("id"), number: try row.get("number"), role: try row.get("role"),
                author: try row.get("author_id"), at: try row.get("at"), text: try row.get("body"),
                pictureID: try row.get("picture_id"), place: place),
            package: try row.get("package_id"), conversation: try row.get("conversation_id"),
            salt: try row.get("salt"), digest: try row.get("digest"))
    }
}

extension Coordinate {
    init?(latitudeMicro: Int64, longitudeMicro: Int64) {
        self.init(
            latitude: Double(latitudeMicro) / Limits.microdegrees,
            longitude: Double(longitudeMicro) / Limits.microdegrees)
    }

    /// Millionths of a degree.
    var latitudeMicro: Int64 { Int64((latitude * Limits.microdegrees).rounded()) }
    /// Millionths of a degree.
    var longitudeMicro: Int64 { Int64((longitude * Limits.microdegrees).rounded()) }
}
