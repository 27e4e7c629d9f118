import Kernel
import Storage

/// A row of `family_contract` with its levels, without the points.
struct StoredContract: Sendable, Hashable {
    struct Level: Sendable, Hashable {
        let number: Int
        let reward: String
        let points: Int64
        let threshold: Int64
        let reachedAt: Instant?
        let handedOverAt: Instant?
    }

    let id: ID<Contract>
    let child: PersonID
    let maxPoints: Int64
    let description: String?
    let createdAt: Instant
    let endedAt: Instant?
    let version: Int64
    var levels: [Level] = []

    /// Returns the contract with its points.
    /// - Parameter balance: all points under the contract.
    func contract(balance: Int64) -> Contract {
        let levels = levels.map { level in
            let isReached = Points.reaches(balance, level.threshold)
            return RewardLevel(
                number: level.number, reward: level.reward, points: level.points, threshold: level.threshold,
                isReached: isReached, wasLost: !isReached && level.reachedAt != nil, reachedAt: level.reachedAt,
                handedOverAt: level.handedOverAt
            )
        }
        return Contract(
            id: id, maxPoints: maxPoints, description: description, levels: levels,
            gainedPoints: Points.gained(balance, of: maxPoints), surplusPoints: Points.surplus(balance, of: maxPoints),
            version: version, createdAt: createdAt, endedAt: endedAt
        )
    }
}

/// The tables `family_contract` and `family_level`.
enum ContractStore {
    private static let columns: SQL = "id, child_id, max_points, description, created_at, ended_at, version"

    /// Inserts a contract. An imported one may have ended.
    static func insert(
        _ draft: ContractDraft, id: ID<Contract>, child: PersonID, now: Instant, endedAt: Instant? = nil,
        in tx: Transaction
    ) throws {
        try tx.execute(
            """
            INSERT INTO family_contract (id, child_id, max_points, description, created_at, ended_at, version)
            VALUES (\(id), \(child), \(draft.maxPoints), \(draft.description), \(now), \(endedAt), 1)
            """
        )
        for (index, level) in draft.levels.enumerated() {
            try tx.execute(
                """
                INSERT INTO family_level (contract_id, number, reward, points, threshold)
                VALUES (\(id), \(index + 1), \(level.reward), \(level.points), \(level.threshold))
                """
            )
        }
    }

    /// Ends the present contract, if there is one.
    static func end(of child: PersonID, now: Instant, in tx: Transaction) throws {
        try tx.execute(
            """
            UPDATE family_contract SET ended_at = \(now), version = version + 1
            WHERE child_id = \(child) AND ended_at IS NULL
            """
        )
    }

    static func find(_ id: ID<Contract>, in tx: Transaction) throws -> StoredContract? {
        let row = try tx.row("SELECT \(sql: columns) FROM family_contract WHERE id = \(id)")
        return try withLevels(row.map { [try read($0)] } ?? [], in: tx).first
    }

    /// Returns the present contract of each child that has one.
    static func present(of children: [PersonID], in tx: Transaction) throws -> [PersonID: StoredContract] {
        let rows = try tx.rows(
            "SELECT \(sql: columns) FROM family_contract WHERE child_id IN \(list: children) AND ended_at IS NULL"
        )
        return try withLevels(rows.map(read), in: tx).reduce(into: [:]) { $0[$1.child] = $1 }
    }

    /// Returns a child's contracts, newest first.
    static func page(
        of child: PersonID, before: ID<Contract>?, limit: Int, in tx: Transaction
    ) throws -> [StoredContract] {
        let rows = try tx.rows(
            """
            SELECT \(sql: columns) FROM family_contract WHERE child_id = \(child) \(sql: .before(before))
            ORDER BY id DESC LIMIT \(limit)
            """
        )
        return try withLevels(rows.map(read), in: tx)
    }

    static func setReached(_ numbers: [Int], of contract: ID<Contract>, now: Instant, in tx: Transaction) throws {
        guard !numbers.isEmpty else { return }
        try tx.execute(
            """
            UPDATE family_level SET reached_at = \(now)
            WHERE contract_id = \(contract) AND number IN \(list: numbers)
            """
        )
    }

    static func setHandedOver(
        _ instant: Instant?, level: Int, of contract: ID<Contract>, in tx: Transaction
    ) throws {
        try tx.execute(
            """
            UPDATE family_level SET handed_over_at = \(instant)
            WHERE contract_id = \(contract) AND number = \(level)
            """
        )
        try tx.execute("UPDATE family_contract SET version = version + 1 WHERE id = \(contract)")
    }

    static func deleteAll(of child: PersonID, in tx: Transaction) throws {
        try tx.execute("DELETE FROM family_contract WHERE child_id = \(child)")
    }

    private static func withLevels(_ contracts: [StoredContract], in tx: Transaction) throws -> [StoredContract] {
        guard !contracts.isEmpty else { return [] }
        let rows = try tx.rows(
            """
            SELECT contract_id, number, reward, points, threshold, reached_at, handed_over_at FROM family_level
            WHERE contract_id IN \(list: contracts.map(\.id)) ORDER BY contract_id, number
            """
        )
        var levels: [ID<Contract>: [StoredContract.Level]] = [:]
        for row in rows {
            let level = StoredContract.Level(
                number: try row.get("number"), reward: try row.get("reward"), points: try row.get("points"),
                threshold: try row.get("threshold"), reachedAt: try row.get("reached_at"),
                handedOverAt: try row.get("handed_over_at")
            )
            levels[try row.get("contract_id"), default: []].append(level)
        }
        return contracts.map { contract in
            var whole = contract
            whole.levels = levels[contract.id] ?? []
            return whole
        }
    }

    private static func read(_ row: Row) throws -> StoredContract {
        StoredContract(
            id: try row.get("id"), child: try row.get("child_id"), maxPoints: try row.get("max_points"),
            description: try row.get("description"), createdAt: try row.get("created_at"),
            endedAt: try row.get("ended_at"), version: try row.get("version")
        )
    }
}
