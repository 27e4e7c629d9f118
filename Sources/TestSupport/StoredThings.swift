import Foundation
package import Kernel
package import Pictures
package import Storage

extension Database {
    /// Returns all events. Reads the table directly, because on PostgreSQL the outbox waits for transactions of other
    /// tests.
    package func events() async throws -> [ChangeEvent] {
        try await read { tx in
            try tx.rows("SELECT audience, kind, resource, version, at FROM outbox ORDER BY sequence").map { row in
                ChangeEvent(
                    audience: try row.get("audience"), kind: try row.get("kind"), resource: try row.get("resource"),
                    version: try row.get("version"), at: try row.get("at")
                )
            }
        }
    }

    /// The number of rows of a table.
    package func count(_ table: SQL) async throws -> Int {
        try await read { tx in try tx.row("SELECT COUNT(*) AS total FROM \(sql: table)")?.get("total") ?? 0 }
    }

    /// All notifications, the oldest first.
    package func notices() async throws -> [PostedNotification] {
        try await read { tx in
            try tx.rows("SELECT account_id, kind, resource, subject, details, at FROM notice ORDER BY at, id").map {
                let details: String = try $0.get("details")
                return PostedNotification(
                    person: try $0.get("account_id"), kind: try $0.get("kind"), resource: try $0.get("resource"),
                    subject: try $0.get("subject"),
                    details: try JSONDecoder().decode([String: String].self, from: Data(details.utf8)),
                    at: try $0.get("at")
                )
            }
        }
    }

    /// Adds a picture to a person's library, without its objects.
    package func addPicture(
        of owner: PersonID, at now: Instant, random: any RandomSource
    ) async throws -> ID<Picture> {
        let id = ID<Picture>(at: now, random: random)
        let digest = random.bytes(32)
        try await write { tx in
            try tx.execute(
                """
                INSERT INTO picture (id, owner_id, width, height, media_type, digest, created_at)
                VALUES (\(id), \(owner), 4, 3, 'image/jpeg', \(digest), \(now))
                """
            )
        }
        return id
    }
}

/// A stored notification, for comparison in tests.
package struct PostedNotification: Hashable, Sendable {
    /// The person who receives it.
    package let person: PersonID
    package let kind: String
    /// The path that the notification links to.
    package let resource: String
    /// The name of what it is about.
    package let subject: String
    package let details: [String: String]
    package let at: Instant

    package init(
        person: PersonID, kind: String, resource: String, subject: String, details: [String: String], at: Instant
    ) {
        self.person = person
        self.kind = kind
        self.resource = resource
        self.subject = subject
        self.details = details
        self.at = at
    }
}
