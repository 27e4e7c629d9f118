import Kernel
import Pictures
import Storage

/// The messages, which the ledger seals by the digest of their content. The deletion of the author's account removes
/// the content, but not the digest.
struct MessageEvidence: SealedRecords {
    private static let table = "carrepsa_message"

    /// Returns the bytes of a content.
    /// - Parameter pictureDigest: The SHA-256 of the picture's uploaded bytes.
    static func content(
        _ salt: [UInt8], text: String?, picture: String?, pictureDigest: [UInt8]?, latitudeMicro: Int64?,
        longitudeMicro: Int64?
    ) -> [UInt8] {
        RecordDigest.image(
            salt,
            [
                text, picture, pictureDigest.map { Hexadecimal.encoded($0) }, latitudeMicro.map { String($0) },
                longitudeMicro.map { String($0) },
            ])
    }

    static func record(_ stored: StoredMessage) -> SealedRecord {
        let message = stored.message
        return record(
            stored.package, key: message.id.description, conversation: stored.conversation.description,
            number: message.number, role: message.role.rawValue, at: message.at.millisecondsSince1970,
            digest: stored.digest)
    }

    private static func record(
        _ package: ID<Package>, key: String, conversation: String, number: Int64, role: String, at: Int64,
        digest: String
    ) -> SealedRecord {
        SealedRecord(
            table: table, package: package, key: key,
            fields: [
                .init("conversation_id", conversation), .init("number", String(number)), .init("role", role),
                .init("at", String(at)), .init("digest", digest),
            ])
    }

    func page(after last: SealedRecord?, limit: Int, in tx: Transaction) throws -> [SealedRecord] {
        let start: SQL = last.map { " WHERE (m.package_id, m.id) > (\($0.package), \($0.key))" } ?? SQL()
        let rows = try tx.rows(
            """
            SELECT m.id, m.package_id, m.conversation_id, m.number, m.role, m.author_id, m.at, m.body, m.picture_id,
                m.latitude_micro, m.longitude_micro, m.salt, m.digest, p.digest AS picture_digest
            FROM carrepsa_message m LEFT JOIN picture p ON p.id = m.picture_id\(sql: start)
            ORDER BY m.package_id, m.id LIMIT \(limit)
            """
        )
        return try rows.map { row in
            // As text, so that a value that doesn't exist is a finding and not an error.
            var record = Self.record(
                try row.get("package_id"), key: try row.get("id"), conversation: try row.get("conversation_id"),
                number: try row.get("number"), role: try row.get("role"), at: try row.get("at"),
                digest: try row.get("digest"))
            // Only a message of a deleted account has no content.
            let salt: [UInt8]? = try row.get("salt")
            if try salt != nil || row.get("author_id", as: String?.self) != nil {
                record.contents = [
                    .init(
                        column: "content",
                        bytes: Self.content(
                            salt ?? [], text: try row.get("body"), picture: try row.get("picture_id"),
                            pictureDigest: try row.get("picture_digest"),
                            latitudeMicro: try row.get("latitude_micro"),
                            longitudeMicro: try row.get("longitude_micro")),
                        digest: try row.get("digest"))
                ]
            }
            return record
        }
    }

    func count(of package: ID<Package>, in tx: Transaction) throws -> Int {
        try tx.row("SELECT COUNT(*) AS n FROM carrepsa_message WHERE package_id = \(package)")?.get("n") ?? 0
    }
}
