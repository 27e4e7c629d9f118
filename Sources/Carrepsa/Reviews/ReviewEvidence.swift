import Kernel
import Storage

/// The reviews, which the ledger seals with their words and the digest of their text. The text goes with the account
/// of one of the two people.
struct ReviewEvidence: SealedRecords {
    private static let table = "carrepsa_review"

    static func record(
        _ package: ID<Package>, id: String, role: String, at: Int64, onTime: Int64, careful: Int64, friendly: Int64,
        digest: String
    ) -> SealedRecord {
        SealedRecord(
            table: table, package: package, key: id,
            fields: [
                .init("role", role), .init("at", String(at)), .init("on_time", String(onTime)),
                .init("careful", String(careful)), .init("friendly", String(friendly)), .init("digest", digest),
            ])
    }

    static func record(_ review: PackageReview, digest: String) -> SealedRecord {
        func number(_ word: ReviewWord) -> Int64 { review.words.contains(word) ? 1 : 0 }
        return record(
            review.package, id: review.id.description, role: review.role.rawValue,
            at: review.at.millisecondsSince1970, onTime: number(.onTime), careful: number(.careful),
            friendly: number(.friendly), digest: digest)
    }

    func page(after last: SealedRecord?, limit: Int, in tx: Transaction) throws -> [SealedRecord] {
        let start: SQL = last.map { " WHERE (package_id, id) > (\($0.package), \($0.key))" } ?? SQL()
        let rows = try tx.rows(
            """
            SELECT id, package_id, role, author_id, at, on_time, careful, friendly, body, salt, digest
            FROM carrepsa_review\(sql: start) ORDER BY package_id, id LIMIT \(limit)
            """
        )
        return try rows.map { row in
            var record = Self.record(
                try row.get("package_id"), id: try row.get("id"), role: try row.get("role"), at: try row.get("at"),
                onTime: try row.get("on_time"), careful: try row.get("careful"), friendly: try row.get("friendly"),
                digest: try row.get("digest"))
            record.contents = try DeletableText.contents(row)
            return record
        }
    }

    func count(of package: ID<Package>, in tx: Transaction) throws -> Int {
        try tx.row("SELECT COUNT(*) AS n FROM carrepsa_review WHERE package_id = \(package)")?.get("n") ?? 0
    }
}

/// The replies to reviews.
struct ReviewReplyEvidence: SealedRecords {
    private static let table = "carrepsa_review_reply"

    static func record(_ package: ID<Package>, review: String, at: Int64, digest: String) -> SealedRecord {
        SealedRecord(
            table: table, package: package, key: review,
            fields: [.init("at", String(at)), .init("digest", digest)])
    }

    func page(after last: SealedRecord?, limit: Int, in tx: Transaction) throws -> [SealedRecord] {
        let start: SQL = last.map { " WHERE (package_id, review_id) > (\($0.package), \($0.key))" } ?? SQL()
        let rows = try tx.rows(
            """
            SELECT review_id, package_id, author_id, at, body, salt, digest
            FROM carrepsa_review_reply\(sql: start) ORDER BY package_id, review_id LIMIT \(limit)
            """
        )
        return try rows.map { row in
            var record = Self.record(
                try row.get("package_id"), review: try row.get("review_id"), at: try row.get("at"),
                digest: try row.get("digest"))
            record.contents = try DeletableText.contents(row)
            return record
        }
    }

    func count(of package: ID<Package>, in tx: Transaction) throws -> Int {
        try tx.row("SELECT COUNT(*) AS n FROM carrepsa_review_reply WHERE package_id = \(package)")?.get("n") ?? 0
    }
}

/// A text that goes with its author's account.
enum DeletableText {
    static func bytes(_ salt: [UInt8], _ text: String?) -> [UInt8] { RecordDigest.image(salt, [text]) }

    /// Returns the text of a row with its digest; nothing for a text without an author, which was deleted.
    static func contents(_ row: Row) throws -> [SealedRecord.Content] {
        let salt: [UInt8]? = try row.get("salt")
        guard try salt != nil || row.get("author_id", as: String?.self) != nil else { return [] }
        return [
            .init(column: "body", bytes: bytes(salt ?? [], try row.get("body")), digest: try row.get("digest"))
        ]
    }
}
