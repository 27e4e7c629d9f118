import Kernel
import Ledger
import Storage

/// Packages as pages show them, with the names of now.
enum PackageList {
    private static let selection: SQL = """
        SELECT \(sql: PackageStore.columns), o.name AS owner_name, c.name AS carrier_name
        FROM carrepsa_package p LEFT JOIN account o ON o.id = p.owner_id LEFT JOIN account c ON c.id = p.carrier_id
        """

    /// A package with its parties' names; whether it is funded must be asked for.
    struct Named: Sendable {
        let stored: StoredPackage
        let owner: Party
        var carrier: Party?

        init(_ row: Row) throws {
            stored = try PackageStore.read(row)
            owner = Party(id: stored.owner, name: try row.get(at: PackageStore.columnCount))
            let name: String? = try row.get(at: PackageStore.columnCount + 1)
            // A carrier whose account is gone leaves the moment of the acceptance behind.
            let hadCarrier = stored.carrier != nil || stored.acceptedAt != nil
            carrier = hadCarrier ? Party(id: stored.carrier, name: name) : nil
        }
    }

    private static let look = FixedSQL(
        """
        SELECT p.id, p.owner_id, p.carrier_id, p.title, p.origin, p.destination, p.weight_grams, p.reward, p.money_lock,
            p.description, p.picture_id, p.deadline_at, p.state, p.reward_held, p.created_at, p.accepted_at,
            p.picked_up_at, p.finished_at, p.withdrawn_at, p.delivery_reported_at, p.cancellation_requested_by,
            p.disputed_at, p.disputed_by, p.dispute_reason, p.version, o.name AS owner_name, c.name AS carrier_name
        FROM carrepsa_package p LEFT JOIN account o ON o.id = p.owner_id LEFT JOIN account c ON c.id = p.carrier_id
        WHERE p.id = ?
        """
    )

    static func one(_ id: ID<Package>, in tx: Transaction) throws -> Named? {
        try tx.row(look, [id.sqlValue]).map(Named.init)
    }

    static func page(
        _ listing: PackageListing, of person: PersonID, filter: Filter, past: Bool?, start: ID<Package>?, limit: Int,
        in tx: Transaction
    ) throws -> [Named] {
        var conditions: [SQL] = []
        switch listing {
        case .offers: conditions.append("p.state = 'available'")
        case .owned: conditions += ["p.owner_id = \(person)", "p.withdrawn_at IS NULL"]
        case .carried: conditions.append("p.carrier_id = \(person)")
        }
        switch past {
        case nil: break
        case true?: conditions.append("p.finished_at IS NOT NULL")
        case false?: conditions.append("p.finished_at IS NULL")
        }
        if let from = filter.from { conditions.append("p.origin_folded LIKE \(from) ESCAPE '!'") }
        if let to = filter.to { conditions.append("p.destination_folded LIKE \(to) ESCAPE '!'") }
        if let weight = filter.maxWeightGrams { conditions.append("p.weight_grams <= \(weight)") }
        if let start { conditions.append("p.id < \(start)") }
        let condition = conditions.joined(separator: " AND ")
        return try tx.rows("\(sql: selection) WHERE \(sql: condition) ORDER BY p.id DESC LIMIT \(limit)").map(
            Named.init)
    }

    static func disputes(before: DisputeCursor?, limit: Int, in tx: Transaction) throws -> [Named] {
        let start: SQL =
            before.map {
                " AND (p.disputed_at < \($0.at) OR (p.disputed_at = \($0.at) AND p.id < \($0.id)))"
            } ?? SQL()
        return try tx.rows(
            """
            \(sql: selection) WHERE p.state = 'travelling' AND p.disputed_at IS NOT NULL\(sql: start)
            ORDER BY p.disputed_at DESC, p.id DESC LIMIT \(limit)
            """
        ).map(Named.init)
    }

    /// A filter, checked: patterns for LIKE.
    struct Filter: Sendable {
        let from: String?
        let to: String?
        let maxWeightGrams: Int64?

        /// - Throws: `AppError(.invalid)` at `from`, `to` and `maxWeight`.
        init(_ filter: PackageFilter) throws {
            var problems = Problems()
            for (field, text) in [("from", filter.from), ("to", filter.to)]
            where (text ?? "").count > Limits.placeCharacters || (text ?? "").utf8.count > Limits.placeBytes {
                problems.refuse(field, .placeTooLong)
            }
            if let weight = filter.maxWeightGrams, weight < 1 { problems.refuse("maxWeight", .filterWeightOutOfRange) }
            try problems.finish()
            from = PlaceText.pattern(filter.from)
            to = PlaceText.pattern(filter.to)
            maxWeightGrams = filter.maxWeightGrams
        }
    }
}

/// Where a page of disputes begins.
struct DisputeCursor: Sendable {
    let at: Instant
    let id: ID<Package>

    init(_ package: Package) {
        at = package.disputedAt ?? package.createdAt
        id = package.id
    }

    /// - Throws: `AppError.invalid` at `after` for text that is no cursor.
    init(_ text: String) throws {
        let halves = text.split(separator: "~", omittingEmptySubsequences: false)
        guard halves.count == 2, let at = Int64(halves[0]), let id = ID<Package>(halves[1]) else {
            throw AppError(.invalid, .cursorUnknown, field: "after")
        }
        self.at = Instant(millisecondsSince1970: at)
        self.id = id
    }

    var text: String { "\(at.millisecondsSince1970)~\(id)" }
}

extension PackageList {
    /// What a wallet says of a package.
    struct Subject: Sendable {
        let title: String
        let isOwner: Bool
        let isShown: Bool
    }

    static func subjects(
        _ ids: Set<ID<Package>>, seenBy person: PersonID, in tx: Transaction
    ) throws -> [ID<Package>: Subject] {
        guard !ids.isEmpty else { return [:] }
        let rows = try tx.rows(
            "SELECT \(sql: PackageStore.columns) FROM carrepsa_package p WHERE p.id IN \(list: ids.sorted())"
        )
        return try rows.reduce(into: [:]) { subjects, row in
            let package = try PackageStore.read(row)
            let role = package.role(of: person)
            subjects[package.id] = Subject(
                title: package.title, isOwner: role == .owner, isShown: package.isVisible(to: role, isOperator: false)
            )
        }
    }
}
