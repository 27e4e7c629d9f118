import Kernel
import Pictures
import Storage

/// A row of `family_chore`.
struct StoredChore: Sendable, Hashable {
    let chore: Chore
    let household: ID<Household>
    /// The time of the deletion. A deleted chore is hidden from all members, and can be restored for a while.
    let deletedAt: Instant?
    /// The parent who set the points that are given automatically; `nil` for none.
    let automaticBy: PersonID?
}

/// The table `family_chore`.
enum ChoreStore {
    private static let columns: SQL =
        "id, household_id, name, picture_id, created_at, version, deleted_at, automatic_hours, automatic_points, automatic_by, steps, needs_photo"

    static func insert(_ chore: Chore, household: ID<Household>, in tx: Transaction) throws {
        try tx.execute(
            """
            INSERT INTO family_chore (
                id, household_id, name, picture_id, created_at, version, steps, needs_photo
            ) VALUES (
                \(chore.id), \(household), \(chore.name), \(chore.pictureID), \(chore.createdAt), \(chore.version),
                \(stored(chore.steps)), \(chore.needsPhoto ? 1 : 0)
            )
            """
        )
    }

    static func update(_ chore: Chore, in tx: Transaction) throws {
        try tx.execute(
            """
            UPDATE family_chore SET name = \(chore.name), picture_id = \(chore.pictureID),
                version = \(chore.version), steps = \(stored(chore.steps)), needs_photo = \(chore.needsPhoto ? 1 : 0)
            WHERE id = \(chore.id)
            """
        )
    }

    /// Sets the points that the chore gives by itself, and the parent who decided that.
    static func setAutomatic(
        _ automatic: AutomaticPoints?, by parent: PersonID, of id: ID<Chore>, in tx: Transaction
    ) throws {
        try tx.execute(
            """
            UPDATE family_chore SET automatic_hours = \(automatic?.hours), automatic_points = \(automatic?.points),
                automatic_by = \(automatic.map { _ in parent })
            WHERE id = \(id)
            """
        )
    }

    static func setDeleted(_ instant: Instant?, _ id: ID<Chore>, in tx: Transaction) throws {
        try tx.execute("UPDATE family_chore SET deleted_at = \(instant), version = version + 1 WHERE id = \(id)")
    }

    static func find(_ id: ID<Chore>, in tx: Transaction) throws -> StoredChore? {
        try tx.row("SELECT \(sql: columns) FROM family_chore WHERE id = \(id)").map(read)
    }

    /// Returns the chores with these ids that belong to the household and aren't deleted.
    static func present(
        _ ids: [ID<Chore>], of household: ID<Household>, in tx: Transaction
    ) throws -> [ID<Chore>: Chore] {
        let rows = try tx.rows(
            """
            SELECT \(sql: columns) FROM family_chore
            WHERE id IN \(list: ids) AND household_id = \(household) AND deleted_at IS NULL
            """
        )
        return try rows.reduce(into: [:]) { found, row in
            let chore = try read(row).chore
            found[chore.id] = chore
        }
    }

    static func page(
        of household: ID<Household>, after: ID<Chore>?, limit: Int, in tx: Transaction
    ) throws -> [Chore] {
        try tx.rows(
            """
            SELECT \(sql: columns) FROM family_chore
            WHERE household_id = \(household) AND deleted_at IS NULL \(sql: .after(after)) ORDER BY id LIMIT \(limit)
            """
        ).map { try read($0).chore }
    }

    static func count(of household: ID<Household>, in tx: Transaction) throws -> Int {
        try tx.row(
            "SELECT COUNT(*) AS total FROM family_chore WHERE household_id = \(household) AND deleted_at IS NULL"
        )?.get("total") ?? 0
    }

    /// Returns whether another chore of the household has the same name without regard to case, or the same picture
    /// content.
    static func hasTwin(_ chore: Chore, household: ID<Household>, in tx: Transaction) throws -> Bool {
        let name = chore.name.lowercased()
        let others = try page(of: household, after: nil, limit: Limits.choresPerHousehold, in: tx)
            .filter { $0.id != chore.id }
        if others.contains(where: { $0.name.lowercased() == name }) { return true }
        // The rows of built-in pictures have no digest of their own.
        guard !BuiltinPictures.contains(chore.pictureID) else {
            return others.contains { $0.pictureID == chore.pictureID }
        }
        return try tx.row(
            """
            SELECT 1 AS found FROM picture mine JOIN picture theirs ON theirs.digest = mine.digest
            WHERE mine.id = \(chore.pictureID) AND theirs.id IN \(list: others.map(\.pictureID)) LIMIT 1
            """
        ) != nil
    }

    /// Returns the chores of a household whose requests need more than a tap.
    static func needingProof(of household: ID<Household>, in tx: Transaction) throws -> Set<ID<Chore>> {
        try Set(
            tx.rows(
                """
                SELECT id FROM family_chore
                WHERE household_id = \(household) AND deleted_at IS NULL AND (steps IS NOT NULL OR needs_photo <> 0)
                """
            ).map { try $0.get("id") })
    }

    /// Deletes the chores that can't be restored any more.
    static func purge(deletedBefore: Instant, in tx: Transaction) throws {
        let photos = try RequestStore.photos(ofChoresDeletedBefore: deletedBefore, in: tx)
        try tx.executeAndWait("DELETE FROM family_chore WHERE deleted_at <= \(deletedBefore)")
        for photo in photos { try FamilyPictures.removeUnused(photo, in: tx) }
    }

    static func deleteAll(of household: ID<Household>, in tx: Transaction) throws {
        try tx.execute("DELETE FROM family_chore WHERE household_id = \(household)")
    }

    private static func read(_ row: Row) throws -> StoredChore {
        let chore = Chore(
            id: try row.get("id"), name: try row.get("name"), pictureID: try row.get("picture_id"),
            version: try row.get("version"), createdAt: try row.get("created_at"), automatic: try automatic(row),
            steps: try row.get("steps", as: String?.self)?.split(separator: "\n").map(String.init) ?? [],
            needsPhoto: try row.get("needs_photo", as: Int64.self) != 0
        )
        return StoredChore(
            chore: chore, household: try row.get("household_id"), deletedAt: try row.get("deleted_at"),
            automaticBy: try row.get("automatic_by")
        )
    }

    /// The column `steps`.
    private static func stored(_ steps: [String]) -> String? {
        steps.isEmpty ? nil : steps.joined(separator: "\n")
    }

    private static func automatic(_ row: Row) throws -> AutomaticPoints? {
        guard let hours: Int64 = try row.get("automatic_hours"), let points: Int64 = try row.get("automatic_points")
        else { return nil }
        return AutomaticPoints(hours: hours, points: points)
    }
}
