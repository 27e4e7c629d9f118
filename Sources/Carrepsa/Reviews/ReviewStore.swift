import Kernel
import Storage

/// The tables `carrepsa_review` and `carrepsa_review_reply`.
enum ReviewStore {
    private static let selection: SQL = """
        SELECT r.id, r.package_id, r.role, r.author_id, a.name, r.at, r.on_time, r.careful, r.friendly, r.body,
            y.body AS reply, y.at AS replied_at
        FROM carrepsa_review r LEFT JOIN account a ON a.id = r.author_id
            LEFT JOIN carrepsa_review_reply y ON y.review_id = r.id
        """
    /// A review is shown when owner and carrier have written or the time has passed. The subquery reads one index
    /// entry.
    private static func isShown(_ now: Instant) -> SQL {
        let ended = now.adding(seconds: -Limits.reviewSeconds)
        return """
            (EXISTS (SELECT 1 FROM carrepsa_review o WHERE o.package_id = r.package_id AND o.role <> r.role)
                OR EXISTS (SELECT 1 FROM carrepsa_package k WHERE k.id = r.package_id AND k.finished_at <= \(ended)))
            """
    }

    /// Returns the reviews of a delivery, shown or hidden.
    static func all(of package: ID<Package>, in tx: Transaction) throws -> [PackageReview] {
        try tx.rows("\(sql: selection) WHERE r.package_id = \(package) ORDER BY r.role").map(read)
    }

    static func one(_ id: ID<PackageReview>, in tx: Transaction) throws -> PackageReview? {
        try tx.row("\(sql: selection) WHERE r.id = \(id)").map(read)
    }

    /// Returns the newest shown reviews of a person.
    static func shown(of person: PersonID, limit: Int, now: Instant, in tx: Transaction) throws -> [PackageReview] {
        try tx.rows(
            """
            \(sql: selection) WHERE r.subject_id = \(person) AND \(sql: isShown(now)) ORDER BY r.id DESC LIMIT \(limit)
            """
        ).map(read)
    }

    /// Returns how many of the newest ``Limits/reviewsCounted`` shown reviews of a person have each word.
    static func words(of person: PersonID, now: Instant, in tx: Transaction) throws -> [ReviewWord: Int64] {
        let row = try tx.row(
            """
            SELECT CAST(COALESCE(SUM(n.on_time), 0) AS BIGINT) AS on_time,
                CAST(COALESCE(SUM(n.careful), 0) AS BIGINT) AS careful,
                CAST(COALESCE(SUM(n.friendly), 0) AS BIGINT) AS friendly
            FROM (SELECT r.on_time, r.careful, r.friendly FROM carrepsa_review r
                WHERE r.subject_id = \(person) AND \(sql: isShown(now))
                ORDER BY r.id DESC LIMIT \(Limits.reviewsCounted)) n
            """
        )
        return [
            .onTime: try row?.get("on_time") ?? 0, .careful: try row?.get("careful") ?? 0,
            .friendly: try row?.get("friendly") ?? 0,
        ]
    }

    /// Returns the number of finished deliveries of a person, each at most ``Limits/deliveriesCounted``.
    static func deliveries(of person: PersonID, in tx: Transaction) throws -> (carried: Int64, sent: Int64) {
        let carried: Int64? = try tx.row(
            """
            SELECT COUNT(*) AS n FROM (SELECT 1 AS one FROM carrepsa_package
                WHERE carrier_id = \(person) AND state = 'delivered' LIMIT \(Limits.deliveriesCounted)) d
            """
        )?.get("n")
        let sent: Int64? = try tx.row(
            """
            SELECT COUNT(*) AS n FROM (SELECT 1 AS one FROM carrepsa_package
                WHERE owner_id = \(person) AND state = 'delivered' LIMIT \(Limits.deliveriesCounted)) d
            """
        )?.get("n")
        return (carried ?? 0, sent ?? 0)
    }

    /// Returns a page of the reviews that a person wrote or replied to, the oldest first.
    static func written(
        by author: PersonID, after: ID<PackageReview>?, limit: Int, in tx: Transaction
    ) throws -> [PackageReview] {
        try tx.rows(
            """
            \(sql: selection)
            WHERE (r.author_id = \(author) OR (r.subject_id = \(author) AND y.author_id = \(author)))
                \(sql: .after(after, "r.id"))
            ORDER BY r.id LIMIT \(limit)
            """
        ).map(read)
    }

    static func insert(
        _ review: PackageReview, about subject: PersonID?, salt: [UInt8], digest: String, in tx: Transaction
    ) throws {
        try tx.execute(
            """
            INSERT INTO carrepsa_review (
                id, package_id, role, author_id, subject_id, at, on_time, careful, friendly, body, salt, digest
            ) VALUES (
                \(review.id), \(review.package), \(review.role), \(review.author), \(subject), \(review.at),
                \(review.words.contains(.onTime)), \(review.words.contains(.careful)),
                \(review.words.contains(.friendly)), \(review.text), \(salt), \(digest)
            )
            """
        )
    }

    static func insertReply(
        _ text: String, to review: PackageReview, by author: PersonID, salt: [UInt8], digest: String, now: Instant,
        in tx: Transaction
    ) throws {
        try tx.execute(
            """
            INSERT INTO carrepsa_review_reply (review_id, package_id, author_id, at, body, salt, digest)
            VALUES (\(review.id), \(review.package), \(author), \(now), \(text), \(salt), \(digest))
            """
        )
    }

    /// Deletes the texts by and about a person, and who wrote them. The words and the digests stay.
    static func erase(_ person: PersonID, in tx: Transaction) throws {
        try tx.execute(
            """
            UPDATE carrepsa_review_reply SET author_id = NULL, body = NULL, salt = NULL
            WHERE author_id = \(person)
                OR review_id IN (SELECT id FROM carrepsa_review WHERE author_id = \(person))
            """
        )
        try tx.execute(
            """
            UPDATE carrepsa_review SET body = NULL, salt = NULL, author_id = NULL
            WHERE author_id = \(person) OR subject_id = \(person)
            """
        )
        try tx.execute("UPDATE carrepsa_review SET subject_id = NULL WHERE subject_id = \(person)")
    }

    /// Deletes the texts of reviews by or about a person who has no account any more: a server of an earlier release
    /// deletes an account without its reviews. At most ``Limits/housekeepingBatch`` at once.
    static func eraseOrphaned(in tx: Transaction) throws {
        let ids: [ID<PackageReview>] = try tx.rows(
            """
            SELECT id FROM carrepsa_review WHERE (author_id IS NULL OR subject_id IS NULL) AND salt IS NOT NULL
            ORDER BY id LIMIT \(Limits.housekeepingBatch)
            """
        ).map { try $0.get("id") }
        for id in ids {
            try tx.execute(
                "UPDATE carrepsa_review_reply SET author_id = NULL, body = NULL, salt = NULL WHERE review_id = \(id)")
            try tx.execute("UPDATE carrepsa_review SET author_id = NULL, body = NULL, salt = NULL WHERE id = \(id)")
        }
    }

    private static func read(_ row: Row) throws -> PackageReview {
        var words: Set<ReviewWord> = []
        if try row.get("on_time", as: Bool.self) { words.insert(.onTime) }
        if try row.get("careful", as: Bool.self) { words.insert(.careful) }
        if try row.get("friendly", as: Bool.self) { words.insert(.friendly) }
        return PackageReview(
            id: try row.get("id"), package: try row.get("package_id"), role: try row.get("role"),
            author: try row.get("author_id"), authorName: try row.get("name"), at: try row.get("at"), words: words,
            text: try row.get("body"), reply: try row.get("reply"), repliedAt: try row.get("replied_at"))
    }
}
