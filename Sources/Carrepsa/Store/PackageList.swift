import Kernel
import Ledger
import Storage

/// Queries for packages with the current names of owner and carrier.
enum PackageList {
    private static let names: StaticString = ", o.name AS owner_name, c.name AS carrier_name"
    private static let tables: StaticString = """
         FROM carrepsa_package p LEFT JOIN account o ON o.id = p.owner_id LEFT JOIN account c ON c.id = p.carrier_id
        """
    private static let selection: SQL = "SELECT \(raw: PackageStore.columns)\(raw: names)\(raw: tables)"

    private static let selectByID = FixedSQL("SELECT ", PackageStore.columns, names, tables, " WHERE p.id = ?")
    private static let selectWithInitiatorName = FixedSQL(
        "SELECT ", PackageStore.columns, names, ", a.name AS initiator_name", tables,
        " LEFT JOIN account a ON a.id = ? WHERE p.id = ?"
    )
    private static let selectWithInitiatorNameForUpdate = FixedSQL(
        "SELECT ", PackageStore.columns, names, ", a.name AS initiator_name", tables,
        " LEFT JOIN account a ON a.id = ? WHERE p.id = ? FOR UPDATE OF p"
    )

    static func find(_ id: ID<Package>, in tx: Transaction) throws -> NamedPackage? {
        guard let row = try tx.row(selectByID, [id.sqlValue]) else { return nil }
        var package = try NamedPackage(row)
        try package.readDispute(in: tx)
        return package
    }

    /// Returns the package with the initiator's name, locked like ``PackageStore/lock(_:in:)``.
    static func lockWithInitiatorName(
        _ id: ID<Package>, initiator: PersonID?, in tx: Transaction
    ) throws -> (package: NamedPackage, initiatorName: String?)? {
        // SQLite has a single writer, so there is nothing to lock.
        let statement = tx.dialect == .sqlite ? selectWithInitiatorName : selectWithInitiatorNameForUpdate
        guard let row = try tx.row(statement, [initiator.sqlValue, id.sqlValue]) else { return nil }
        var package = try NamedPackage(row)
        try package.readDispute(in: tx)
        return (package, try row.get(at: PackageStore.columnCount + 2))
    }

    static func page(
        _ listing: PackageListing, of person: PersonID, filter: Filter, past: Bool?, start: ID<Package>?, limit: Int,
        now: Instant, in tx: Transaction
    ) throws -> [NamedPackage] {
        var conditions: [SQL] = []
        switch listing {
        case .offers:
            conditions += ["p.state = 'available'", "(p.deadline_at IS NULL OR p.deadline_at > \(now))"]
        case .owned: conditions += ["p.owner_id = \(person)", "p.withdrawn_at IS NULL"]
        case .carried: conditions.append("p.carrier_id = \(person)")
        }
        switch past {
        case nil: break
        case true?: conditions.append("p.finished_at IS NOT NULL")
        case false?: conditions.append("p.finished_at IS NULL")
        }
        if let from = filter.from { conditions.append(from.condition("p.origin_folded")) }
        if let to = filter.to { conditions.append(to.condition("p.destination_folded")) }
        if let weight = filter.maxWeightGrams { conditions.append("p.weight_grams <= \(weight)") }
        if let start { conditions.append("p.id < \(start)") }
        let condition = conditions.joined(separator: " AND ")
        return try tx.rows("\(sql: selection) WHERE \(sql: condition) ORDER BY p.id DESC LIMIT \(limit)").map(
            NamedPackage.init)
    }

    /// Returns the available ones of some packages, in any order.
    static func all(_ ids: [ID<Package>], in tx: Transaction) throws -> [NamedPackage] {
        guard !ids.isEmpty else { return [] }
        return try tx.rows("\(sql: selection) WHERE p.id IN \(list: ids) AND p.state = 'available'")
            .map(NamedPackage.init)
    }

    /// A decision that hasn't taken effect needs no other, unless owner or carrier appeals.
    private static let isUndecided: SQL = """
        NOT EXISTS (SELECT 1 FROM carrepsa_dispute d WHERE d.package_id = p.id AND d.effective_at IS NOT NULL)
        """

    static func disputeCount(in tx: Transaction) throws -> Int {
        try tx.row(
            """
            SELECT COUNT(*) AS n FROM carrepsa_package p
            WHERE p.state = 'travelling' AND p.disputed_at IS NOT NULL AND \(sql: isUndecided)
            """
        )?.get("n") ?? 0
    }

    static func disputes(before: DisputeCursor?, limit: Int, in tx: Transaction) throws -> [NamedPackage] {
        let start: SQL =
            before.map {
                " AND (p.disputed_at < \($0.at) OR (p.disputed_at = \($0.at) AND p.id < \($0.id)))"
            } ?? SQL()
        return try tx.rows(
            """
            \(sql: selection) WHERE p.state = 'travelling' AND p.disputed_at IS NOT NULL
                AND \(sql: isUndecided)\(sql: start)
            ORDER BY p.disputed_at DESC, p.id DESC LIMIT \(limit)
            """
        ).map(NamedPackage.init)
    }

    /// Returns the decided disputes that administrators can still open and that wait for no other decision, those
    /// decided last first.
    static func decidedDisputes(
        before: DisputeCursor?, limit: Int, now: Instant, in tx: Transaction
    ) throws -> [NamedPackage] {
        let start: SQL =
            before.map {
                " AND (d.decided_at < \($0.at) OR (d.decided_at = \($0.at) AND d.package_id < \($0.id)))"
            } ?? SQL()
        let firstEnd = now.adding(seconds: -Limits.decidedCaseSeconds)
        let firstDecision = firstEnd.adding(seconds: -Limits.decisionDelaySeconds)
        return try tx.rows(
            """
            \(sql: selection) JOIN carrepsa_dispute d ON d.package_id = p.id
            WHERE d.package_id IN (
                    SELECT package_id FROM carrepsa_dispute WHERE effective_at IS NOT NULL
                    UNION SELECT package_id FROM carrepsa_dispute
                        WHERE outcome IS NOT NULL AND decided_at > \(firstDecision)
                )
                AND (d.effective_at IS NOT NULL OR p.finished_at > \(firstEnd))\(sql: start)
            ORDER BY d.decided_at DESC, d.package_id DESC LIMIT \(limit)
            """
        ).map { row in
            var package = try NamedPackage(row)
            try package.readDispute(in: tx)
            return package
        }
    }

    /// A validated filter.
    struct Filter: Sendable {
        let from: PlaceSearch?
        let to: PlaceSearch?
        let maxWeightGrams: Int64?

        /// Matches all packages.
        static let none = Filter(from: nil, to: nil, maxWeightGrams: nil)

        private init(from: PlaceSearch?, to: PlaceSearch?, maxWeightGrams: Int64?) {
            self.from = from
            self.to = to
            self.maxWeightGrams = maxWeightGrams
        }

        /// - Throws: `AppError(.invalid)` at `from`, `to` and `maxWeight`.
        init(_ filter: PackageFilter) throws {
            var problems = FieldErrors<CarrepsaMessage>()
            for (field, text) in [("from", filter.from), ("to", filter.to)]
            where (text ?? "").utf8.count > Limits.placeBytes || (text ?? "").count > Limits.placeCharacters {
                problems.refuse(field, .placeTooLong)
            }
            if let weight = filter.maxWeightGrams, weight < 1 { problems.refuse("maxWeight", .filterWeightOutOfRange) }
            try problems.finish()
            from = PlaceName.search(filter.from)
            to = PlaceName.search(filter.to)
            maxWeightGrams = filter.maxWeightGrams
        }
    }
}

/// The cursor of a page of disputes.
struct DisputeCursor: Sendable {
    let at: Instant
    let id: ID<Package>

    init(_ dispute: DisputeCase) {
        at = dispute.decision?.at ?? dispute.package.disputedAt ?? dispute.package.createdAt
        id = dispute.package.id
    }

    /// Reads ``text``.
    init?(_ text: String) {
        let halves = text.split(separator: "~", omittingEmptySubsequences: false)
        guard halves.count == 2, let at = Int64(halves[0]), let id = ID<Package>(halves[1]) else { return nil }
        self.at = Instant(millisecondsSince1970: at)
        self.id = id
    }

    var text: String { "\(at.millisecondsSince1970)~\(id)" }
}

extension PackageList {
    /// The package data that a wallet entry shows.
    struct Subject: Sendable {
        private let package: StoredPackage
        private let role: PackageRole
        private let isLost: Bool
        /// Whether a dispute ended with a division of the money.
        private let isDivided: Bool
        /// The last time that reward and deposit returned from escrow.
        private let returnedAt: Instant?
        private let ownerName: String?
        private let carrierName: String?

        fileprivate init(_ row: Row, seenBy person: PersonID) throws {
            package = try PackageStore.read(row)
            role = package.role(of: person)
            let lastEvent: String? = try row.get(at: PackageStore.columnCount)
            let lastAction = lastEvent.flatMap(PackageAction.init)
            isLost = lastAction == .decideLost || lastAction == .enforceLost
            isDivided = lastAction == .acceptSplit || lastAction == .enforceSplit
            returnedAt = try row.get(at: PackageStore.columnCount + 1)
            ownerName = try row.get(at: PackageStore.columnCount + 2)
            carrierName = try row.get(at: PackageStore.columnCount + 3)
        }

        var id: ID<Package> { package.id }
        var title: String { package.title }
        var isOwner: Bool { role == .owner }
        var isShown: Bool { package.isVisible(to: role, isOperator: false) }

        /// Returns the name of the other person of an entry at `instant`. An owner's entry from before the present
        /// acceptance has one only if its amount is in the present escrow.
        func otherName(of kind: WalletEntryKind, _ outcome: EscrowOutcome?, at instant: Instant) -> String? {
            guard isOwner else { return ownerName }
            guard let acceptedAt = package.acceptedAt else { return nil }
            return instant >= acceptedAt || (kind == .rewardHeld && outcome != .returned) ? carrierName : nil
        }

        /// Returns the outcome of an amount that went into escrow at `instant`.
        func outcome(of kind: WalletEntryKind, heldSince instant: Instant) -> EscrowOutcome? {
            switch kind {
            case .moneyLockHeld:
                // The deposit of a cancelled acceptance came back, even if the package was accepted again.
                guard role == .carrier, package.acceptedAt == instant else { return .returned }
                return package.state.isUnderWay ? nil : isLost ? .forfeited : isDivided ? .divided : .returned
            case .rewardHeld:
                // The reward of a cancelled acceptance came back; the next acceptance put it into escrow again.
                let isOfThisAcceptance = package.acceptedAt == instant
                if !isOfThisAcceptance, let returnedAt, returnedAt >= instant { return .returned }
                if package.state == .cancelled { return isDivided ? .divided : .returned }
                return package.state == .delivered ? .paid : nil
            default: return nil
            }
        }
    }

    static func subjects(
        _ ids: Set<ID<Package>>, seenBy person: PersonID, in tx: Transaction
    ) throws -> [ID<Package>: Subject] {
        guard !ids.isEmpty else { return [:] }
        let rows = try tx.rows(
            """
            SELECT \(raw: PackageStore.columns), s.event AS last_event, (
                SELECT r.at FROM carrepsa_story r
                WHERE r.package_id = p.id AND r.event IN ('cancelAcceptance', 'expire')
                ORDER BY r.number DESC LIMIT 1
            ) AS returned_at\(raw: names)\(raw: tables)
            LEFT JOIN carrepsa_story s ON s.package_id = p.id AND s.number = p.version
            WHERE p.id IN \(list: ids.sorted())
            """
        )
        return try rows.reduce(into: [:]) { subjects, row in
            let subject = try Subject(row, seenBy: person)
            subjects[subject.id] = subject
        }
    }
}
