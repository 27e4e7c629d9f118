import Foundation
import Kernel
import Storage

/// The table `separation_history`: for each item and person what the rule for separation alerts compared.
enum SeparationHistoryStore {
    /// A row of evaluations.
    struct Entry: Sendable {
        let id: ID<SeparationHistory>
        let item: ID<Item>
        let run: SeparationHistory.Run
    }

    /// Stores evaluations, unless the person can't see the item any more, or only again. The lock on the item's row
    /// keeps the end of an access from coming between.
    static func insert(
        _ run: SeparationHistory.Run, id: ID<SeparationHistory>, of subject: SeparationHistory.Subject,
        in tx: Transaction
    ) throws {
        let (item, person) = (subject.item, subject.person)
        let isServed = try tx.row(
            "SELECT id FROM item WHERE id = \(item) AND deleted_at IS NULL \(sql: tx.forChange)")
        guard isServed != nil else { return }
        try tx.execute(
            """
            INSERT INTO separation_history (id, item_id, account_id, started_at, evaluations, contents)
            SELECT \(id), i.id, \(person), \(run.startedAt), \(run.evaluations.count),
                \(try SeparationHistoryText.text(run))
            FROM item i LEFT JOIN item_member m ON m.item_id = i.id AND m.account_id = \(person)
            WHERE i.id = \(item) AND (i.account_id = \(person) OR m.joined_at <= \(run.startedAt))
            """
        )
    }

    /// Returns a page of a person's evaluations of an item, the oldest first.
    static func page(
        of item: ID<Item>, for person: PersonID, after: ID<SeparationHistory>?, since: Instant, in tx: Transaction
    ) throws -> [Entry] {
        try tx.rows(
            """
            SELECT id, item_id, started_at, contents FROM separation_history
            WHERE item_id = \(item) AND account_id = \(person) AND started_at >= \(since) \(sql: .after(after, "id"))
            ORDER BY id LIMIT \(Limits.separationHistoryPage)
            """
        ).map(read)
    }

    /// Returns the items that a person can see and that have evaluations for the person.
    static func items(of person: PersonID, in tx: Transaction) throws -> [ID<Item>] {
        try tx.rows(
            """
            SELECT v.id FROM (\(sql: ItemStore.visible(to: person))) v WHERE EXISTS (
                SELECT 1 FROM separation_history h WHERE h.item_id = v.id AND h.account_id = \(person)
            ) ORDER BY v.id LIMIT \(Limits.itemsPerList)
            """
        ).map { try $0.get("id") }
    }

    /// Returns a page of all evaluations for a person, the oldest first.
    static func page(of person: PersonID, after: ID<SeparationHistory>?, in tx: Transaction) throws -> [Entry] {
        try tx.rows(
            """
            SELECT id, item_id, started_at, contents FROM separation_history
            WHERE account_id = \(person) \(sql: .after(after, "id"))
            ORDER BY id LIMIT \(Limits.separationHistoryPage)
            """
        ).map(read)
    }

    /// Returns the item's positions in a time span by their times.
    static func places(
        of item: ID<Item>, in span: ClosedRange<Instant>, in tx: Transaction
    ) throws -> [Instant: Coordinate] {
        try tx.rows(
            """
            SELECT f.at, f.latitude, f.longitude FROM track t JOIN fix f ON f.series = t.series
            WHERE t.item_id = \(item) AND f.at BETWEEN \(span.lowerBound) AND \(span.upperBound)
            ORDER BY f.at LIMIT \(Limits.replayedFixes)
            """
        ).reduce(into: [:]) { $0[try $1.get("at")] = try $1.coordinate() }
    }

    // MARK: Deleting

    /// Counts evaluations of some people and items, in order, from an index alone.
    static func counts(
        after subject: SeparationHistory.Subject?, limit: Int, in tx: Transaction
    ) throws -> [(subject: SeparationHistory.Subject, evaluations: Int)] {
        let later: SQL =
            subject.map { "WHERE (item_id, account_id) > (\($0.item), \($0.person))" } ?? SQL()
        return try tx.rows(
            """
            SELECT item_id, account_id, CAST(SUM(evaluations) AS BIGINT) AS total FROM separation_history
            \(sql: later) GROUP BY item_id, account_id ORDER BY item_id, account_id LIMIT \(limit)
            """
        ).map {
            (.init(item: try $0.get("item_id"), person: try $0.get("account_id")), try $0.get("total"))
        }
    }

    /// Deletes the oldest evaluations of more than `Limits.evaluationsPerItem`.
    static func trim(_ subject: SeparationHistory.Subject, in tx: Transaction) throws {
        let (item, person) = (subject.item, subject.person)
        try tx.execute(
            """
            DELETE FROM separation_history WHERE item_id = \(item) AND account_id = \(person) AND id <= (
                SELECT id FROM (
                    SELECT id, SUM(evaluations) OVER (ORDER BY id DESC) AS total FROM separation_history
                    WHERE item_id = \(item) AND account_id = \(person)
                ) AS newest WHERE total > \(Limits.evaluationsPerItem) ORDER BY id DESC LIMIT 1
            )
            """
        )
    }

    static func prune(before limit: Instant, in tx: Transaction) throws {
        try tx.execute(
            """
            DELETE FROM separation_history WHERE id IN (
                SELECT id FROM separation_history WHERE started_at < \(limit) ORDER BY started_at
                LIMIT \(Limits.housekeepingBatch)
            )
            """
        )
    }

    /// Deletes what was compared with positions of an item that it no longer keeps.
    static func expire(_ item: ID<Item>, before limit: Instant, in tx: Transaction) throws {
        try tx.execute("DELETE FROM separation_history WHERE item_id = \(item) AND started_at < \(limit)")
    }

    static func delete(of item: ID<Item>, in tx: Transaction) throws {
        try tx.execute("DELETE FROM separation_history WHERE item_id = \(item)")
    }

    /// Deletes the evaluations for a person who can't see the item any more.
    static func delete(of item: ID<Item>, for person: PersonID, in tx: Transaction) throws {
        try tx.execute("DELETE FROM separation_history WHERE item_id = \(item) AND account_id = \(person)")
    }

    static func deleteAll(of person: PersonID, in tx: Transaction) throws {
        try tx.execute("DELETE FROM separation_history WHERE account_id = \(person)")
    }

    private static func read(_ row: Row) throws -> Entry {
        let contents: String = try row.get("contents")
        return Entry(
            id: try row.get("id"), item: try row.get("item_id"),
            run: try SeparationHistoryText.run(contents, startedAt: row.get("started_at")))
    }
}

/// Evaluations as JSON. Each is an array of numbers, because a month has many thousands of them; times are milliseconds
/// before or after the time of the first evaluation.
enum SeparationHistoryText {
    private struct Contents: Codable {
        /// `apartSince`, `evidence` and `evidenceAt` of the state before the first evaluation.
        let state: [Int64?]
        let evaluations: [[Double?]]
    }

    struct Damaged: Error {}

    static func text(_ run: SeparationHistory.Run) throws -> String {
        let start = run.startedAt
        let state = run.state
        let contents = Contents(
            state: [
                state.apartSince?.millisecondsSince1970, Int64(state.evidence), state.evidenceAt?.millisecondsSince1970,
            ],
            evaluations: run.evaluations.map { numbers($0, start) })
        return String(decoding: try JSONEncoder().encode(contents), as: UTF8.self)
    }

    static func run(_ text: String, startedAt start: Instant) throws -> SeparationHistory.Run {
        let contents = try JSONDecoder().decode(Contents.self, from: Data(text.utf8))
        guard contents.state.count == 3, !contents.evaluations.isEmpty else { throw Damaged() }
        let state = SeparationAlertRule.State(
            apartSince: contents.state[0].map(Instant.init(millisecondsSince1970:)),
            evidence: Int(contents.state[1] ?? 0),
            evidenceAt: contents.state[2].map(Instant.init(millisecondsSince1970:)))
        return SeparationHistory.Run(
            state: state, evaluations: try contents.evaluations.map { try evaluation($0, start) })
    }

    private static let head = 8

    private static func numbers(_ evaluation: SeparationEvaluation, _ start: Instant) -> [Double?] {
        func time(_ instant: Instant) -> Double {
            Double(instant.millisecondsSince1970 - start.millisecondsSince1970)
        }
        let seen = evaluation.seen
        return [
            time(seen.now), time(seen.itemAt), seen.itemAccuracyMetres, seen.itemSpeedMetresPerSecond,
            number(evaluation.before), number(evaluation.after),
            seen.others.map { Double($0.isApart.rawValue) }, seen.others.map { time($0.newestAt) },
        ] + seen.phones.flatMap { [time($0.at), $0.distanceMetres, $0.accuracyMetres, $0.speedMetresPerSecond] }
    }

    private static func evaluation(_ numbers: [Double?], _ start: Instant) throws -> SeparationEvaluation {
        func time(_ index: Int) throws -> Instant {
            guard let milliseconds = numbers[index] else { throw Damaged() }
            return Instant(millisecondsSince1970: start.millisecondsSince1970 + Int64(milliseconds))
        }
        guard numbers.count > head, (numbers.count - head) % 4 == 0 else { throw Damaged() }
        let phones = try stride(from: head, to: numbers.count, by: 4).map { index in
            guard let distance = numbers[index + 1] else { throw Damaged() }
            return SeparationObservation.Phone(
                at: try time(index), distanceMetres: distance, accuracyMetres: numbers[index + 2],
                speedMetresPerSecond: numbers[index + 3])
        }
        let answer = numbers[6].flatMap { SeparationCertainty(rawValue: Int($0)) }
        return SeparationEvaluation(
            seen: SeparationObservation(
                now: try time(0), itemAt: try time(1), itemAccuracyMetres: numbers[2],
                itemSpeedMetresPerSecond: numbers[3], phones: phones,
                others: try answer.map { .init(isApart: $0, newestAt: try time(7)) }),
            before: try mark(numbers[4]), after: try mark(numbers[5]))
    }

    private static func number(_ mark: SeparationEvaluation.Mark) -> Double {
        Double(mark.evidence * 2 + (mark.isApart ? 1 : 0))
    }

    private static func mark(_ number: Double?) throws -> SeparationEvaluation.Mark {
        guard let number else { throw Damaged() }
        return .init(isApart: Int(number) % 2 == 1, evidence: Int(number) / 2)
    }
}
