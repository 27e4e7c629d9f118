import Kernel
import Storage

extension DisputeKind: SQLBindable, SQLReadable {}
extension DisputeOutcome: SQLBindable, SQLReadable {}

/// The table `carrepsa_dispute`: one row for each package that is or was in dispute.
enum DisputeStore {
    /// Returns the dispute of a package.
    static func find(_ package: ID<Package>, in tx: Transaction) throws -> Dispute? {
        try tx.row(
            """
            SELECT kind, statements_until, awaited, offer_by, offer_reward, offer_deposit, outcome, decided_at,
                decided_by, decision_reward, decision_deposit, effective_at, accepted_by, appealed_by, appealed_at
            FROM carrepsa_dispute WHERE package_id = \(package)
            """
        ).map(read)
    }

    /// Inserts or updates the dispute of a package.
    static func save(_ dispute: Dispute, of package: ID<Package>, in tx: Transaction) throws {
        let (offer, decision, appeal) = (dispute.offer, dispute.decision, dispute.appeal)
        try tx.execute(
            """
            INSERT INTO carrepsa_dispute (
                package_id, kind, statements_until, awaited, offer_by, offer_reward, offer_deposit, outcome, decided_at,
                decided_by, decision_reward, decision_deposit, effective_at, accepted_by, appealed_by, appealed_at
            ) VALUES (
                \(package), \(dispute.kind), \(dispute.statementsUntil), \(dispute.awaited), \(offer?.by),
                \(offer?.split.rewardToCarrier), \(offer?.split.depositToOwner), \(decision?.outcome),
                \(decision?.at), \(decision?.by), \(decision?.split.rewardToCarrier),
                \(decision?.split.depositToOwner), \(decision?.effectiveAt), \(decision?.acceptedBy),
                \(appeal?.by), \(appeal?.at)
            )
            ON CONFLICT (package_id) DO UPDATE SET
                kind = excluded.kind, statements_until = excluded.statements_until, awaited = excluded.awaited,
                offer_by = excluded.offer_by, offer_reward = excluded.offer_reward,
                offer_deposit = excluded.offer_deposit, outcome = excluded.outcome, decided_at = excluded.decided_at,
                decided_by = excluded.decided_by, decision_reward = excluded.decision_reward,
                decision_deposit = excluded.decision_deposit, effective_at = excluded.effective_at,
                accepted_by = excluded.accepted_by, appealed_by = excluded.appealed_by,
                appealed_at = excluded.appealed_at
            """
        )
    }

    private static func read(_ row: Row) throws -> Dispute {
        var offer: Dispute.Offer?
        if let by: PackageRole = try row.get("offer_by") {
            offer = Dispute.Offer(by: by, split: try split(row, "offer_reward", "offer_deposit"))
        }
        var decision: Dispute.Decision?
        if let outcome: DisputeOutcome = try row.get("outcome") {
            decision = Dispute.Decision(
                outcome: outcome, split: try split(row, "decision_reward", "decision_deposit"),
                by: try row.get("decided_by"), at: try row.get("decided_at"), effectiveAt: try row.get("effective_at"),
                acceptedBy: try row.get("accepted_by"))
        }
        var appeal: Dispute.Appeal?
        if let by: PackageRole = try row.get("appealed_by") {
            appeal = Dispute.Appeal(by: by, at: try row.get("appealed_at"))
        }
        return Dispute(
            kind: try row.get("kind"), statementsUntil: try row.get("statements_until"),
            awaited: try row.get("awaited"), offer: offer, decision: decision, appeal: appeal)
    }

    private static func split(_ row: Row, _ reward: String, _ deposit: String) throws -> MoneySplit {
        MoneySplit(rewardToCarrier: try row.get(reward), depositToOwner: try row.get(deposit))
    }

    // MARK: Due disputes

    /// Returns the disputes whose time for statements is over, the longest over first.
    static func withStatementsOver(
        _ now: Instant, after last: DueCursor?, limit: Int, in tx: Transaction
    ) throws -> [DueCursor] {
        let start = DueCursor.start(after: last, by: "statements_until", id: "package_id")
        return try tx.rows(
            """
            SELECT statements_until, package_id FROM carrepsa_dispute WHERE statements_until <= \(now)\(sql: start)
            ORDER BY 1, 2 LIMIT \(limit)
            """
        ).map(DueCursor.init)
    }

    /// Returns the disputes whose decision takes effect, the longest due first, each with the action that does it.
    static func inEffect(
        _ now: Instant, after last: DueCursor?, limit: Int, in tx: Transaction
    ) throws -> [(cursor: DueCursor, action: PackageAction)] {
        let start = DueCursor.start(after: last, by: "effective_at", id: "package_id")
        return try tx.rows(
            """
            SELECT effective_at, package_id, outcome FROM carrepsa_dispute
            WHERE effective_at <= \(now)\(sql: start) ORDER BY 1, 2 LIMIT \(limit)
            """
        ).map { row in
            let outcome: DisputeOutcome = try row.get("outcome")
            return (cursor: try DueCursor(row), action: outcome.enforcement)
        }
    }

    /// Returns the packages whose owner or carrier has little time left for a statement and got no reminder of it yet,
    /// and marks them as reminded.
    static func claimReminders(now: Instant, in tx: Transaction) throws -> [StoredPackage] {
        let near = now.adding(seconds: Limits.statementReminderSeconds)
        let ids: [ID<Package>] = try tx.rows(
            """
            SELECT package_id FROM carrepsa_dispute
            WHERE statements_until > \(now) AND statements_until <= \(near) AND awaited IS NOT NULL
                AND (reminded_of IS NULL OR reminded_of <> statements_until)
            ORDER BY statements_until, package_id LIMIT \(Limits.deadlineReminders)
            """
        ).map { try $0.get("package_id") }
        return try ids.sorted().compactMap { id in
            // Locked before the dispute's row, as everywhere.
            guard let package = try PackageStore.lock(id, in: tx), package.dispute?.awaited != nil,
                let until = package.dispute?.statementsUntil
            else { return nil }
            let claimed = try tx.executeCounting(
                """
                UPDATE carrepsa_dispute SET reminded_of = \(until)
                WHERE package_id = \(id) AND (reminded_of IS NULL OR reminded_of <> \(until))
                """)
            return claimed == 1 ? package : nil
        }
    }

    /// Ends the times of disputes whose package a server of the version before has finished.
    static func closeFinished(in tx: Transaction) throws {
        try tx.execute(
            """
            UPDATE carrepsa_dispute SET statements_until = NULL, effective_at = NULL, awaited = NULL
            WHERE package_id IN (
                SELECT d.package_id FROM carrepsa_dispute d JOIN carrepsa_package p ON p.id = d.package_id
                WHERE (d.statements_until IS NOT NULL OR d.effective_at IS NOT NULL) AND p.finished_at IS NOT NULL
                LIMIT \(Limits.housekeepingBatch)
            )
            """)
    }

    // MARK: Administrators

    /// Whether the administrator may decide: isn't owner or carrier, hasn't carried the package before, and hasn't made
    /// the decision that owner or carrier appealed against. Without another administrator who may, the last two don't
    /// count, because the money would stay in escrow for ever.
    static func mayDecide(_ administrator: PersonID, _ package: StoredPackage, in tx: Transaction) throws -> Bool {
        guard package.role(of: administrator) == .stranger else { return false }
        if try isImpartial(administrator, package, in: tx) {
            guard package.dispute?.appeal != nil, package.dispute?.decision?.by == administrator else { return true }
        }
        return try !PeopleStore.operators(in: tx).contains {
            try $0 != administrator && isImpartial($0, package, in: tx)
        }
    }

    /// Returns the packages in dispute whose decision the administrator made and whose appeal another one decides.
    static func appealsOfOthers(
        than administrator: PersonID, in tx: Transaction
    ) throws -> Set<ID<Package>> {
        let ids: [ID<Package>] = try tx.rows(
            """
            SELECT p.id FROM carrepsa_package p JOIN carrepsa_dispute d ON d.package_id = p.id
            WHERE p.state = 'travelling' AND p.disputed_at IS NOT NULL AND d.decided_by = \(administrator)
                AND d.appealed_at IS NOT NULL AND d.effective_at IS NULL
            ORDER BY p.id
            """
        ).map { try $0.get("id") }
        return try Set(
            ids.filter { id in
                guard var package = try PackageStore.find(id, in: tx) else { return false }
                try package.readDispute(in: tx)
                return try !mayDecide(administrator, package, in: tx)
            })
    }

    /// Whether the administrator sees the photos of a package in dispute: an impartial one, and one who decides because
    /// there is no other.
    static func seesEvidence(
        _ administrator: PersonID, _ package: StoredPackage, in tx: Transaction
    ) throws -> Bool {
        try isImpartial(administrator, package, in: tx) || mayDecide(administrator, package, in: tx)
    }

    /// Whether the administrator has no part in the package, now or before.
    static func isImpartial(
        _ administrator: PersonID, _ package: StoredPackage, in tx: Transaction
    ) throws -> Bool {
        guard package.role(of: administrator) == .stranger else { return false }
        return try tx.row(
            """
            SELECT 1 AS found FROM carrepsa_story
            WHERE package_id = \(package.id) AND person_id = \(administrator) AND role IN ('owner', 'carrier', 'stranger')
            LIMIT 1
            """
        ) == nil
    }
}
