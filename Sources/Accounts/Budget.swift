package import Kernel
package import Storage

/// How often one person can do something that creates rows or notifies others: a number of times in a window that
/// begins with the first.
///
/// The count is a row in the throttles' table, so that all nodes share it. It belongs to the transaction of the change,
/// so that a change that fails isn't counted.
package struct Budget: Sendable, Hashable {
    /// Separates the counts of different budgets.
    package let name: String
    package let limit: Int
    /// The length of the window.
    package let windowSeconds: Int64

    package init(_ name: String, limit: Int, windowSeconds: Int64) {
        self.name = name
        self.limit = limit
        self.windowSeconds = windowSeconds
    }

    /// What a person used of a budget.
    package struct Use: Sendable, Equatable {
        package let count: Int
        /// The end of the window, when the budget is whole again.
        package let endsAt: Instant

        /// The seconds until the end of the window, at least one.
        package func secondsLeft(at now: Instant) -> Int { max(1, Int(endsAt.seconds(since: now).rounded(.up))) }
    }

    /// Counts one more.
    /// - Parameter factor: multiplies the limit.
    /// - Throws: ``AppError`` `throttled` with the seconds until the end of the window.
    package func charge(_ person: PersonID, factor: Int = 1, now: Instant, in tx: Transaction) throws {
        let use = try add(person, now: now, in: tx)
        guard use.count <= limit * factor else { throw Self.usedUp(use.secondsLeft(at: now)) }
    }

    /// Counts one more, without a limit.
    package func add(_ person: PersonID, now: Instant, in tx: Transaction) throws -> Use {
        let ends = now.adding(seconds: windowSeconds)
        let row = try tx.row(
            """
            INSERT INTO throttle (key, failures, expires_at) VALUES (\(key(person)), '1', \(ends))
            ON CONFLICT (key) DO UPDATE SET
                failures = CASE WHEN throttle.expires_at <= \(now) THEN '1'
                    ELSE CAST(CAST(throttle.failures AS INTEGER) + 1 AS TEXT) END,
                expires_at = CASE WHEN throttle.expires_at <= \(now) THEN excluded.expires_at
                    ELSE throttle.expires_at END
            RETURNING failures, expires_at
            """
        )
        return try row.map(Self.use) ?? Use(count: 1, endsAt: ends)
    }

    /// Returns what a person used; `nil` for nothing.
    package func use(of person: PersonID, now: Instant, in tx: Transaction) throws -> Use? {
        try tx.row("SELECT failures, expires_at FROM throttle WHERE key = \(key(person)) AND expires_at > \(now)")
            .map(Self.use)
    }

    /// The error of a used budget. Its text names the time in whole minutes or hours.
    package static func usedUp(_ seconds: Int) -> AppError {
        let t = Translator.english
        let minutes = (seconds + 59) / 60
        let text =
            minutes < 60
            ? t(
                "You’ve done this too often. Try again in {n} minute.",
                plural: "You’ve done this too often. Try again in {n} minutes.", count: minutes)
            : t(
                "You’ve done this too often. Try again in {n} hour.",
                plural: "You’ve done this too often. Try again in {n} hours.", count: (minutes + 59) / 60)
        return AppError(.throttled, text, retryAfterSeconds: seconds)
    }

    private static func use(_ row: Row) throws -> Use {
        Use(count: Int(try row.get("failures", as: String.self)) ?? 0, endsAt: try row.get("expires_at"))
    }

    private func key(_ person: PersonID) -> String { "budget \(name):\(person)" }
}
