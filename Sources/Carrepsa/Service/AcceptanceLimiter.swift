import Accounts
import Kernel
import Storage

/// Limits the packages that one person accepts in a day, and ends the day after a few cancelled acceptances: otherwise
/// anyone could accept every offer for its exact points and contacts, and cancel. Only what the carrier cancels counts,
/// not what the owner cancels.
struct AcceptanceLimiter: Sendable {
    /// Multiplies the limits.
    let factor: Int

    private static let acceptances = Budget(
        "acceptances", limit: Limits.acceptancesPerDay, windowSeconds: Limits.daySeconds)
    private static let cancellations = Budget(
        "cancelled acceptances", limit: Limits.cancelledAcceptancesPerDay, windowSeconds: Limits.daySeconds)

    /// Counts an acceptance, and the cancellation of one by its carrier.
    /// - Throws: `AppError`: `conflict` for an offer whose acceptance the person cancelled less than a day ago;
    ///   `throttled` above the limits.
    func count(
        _ transition: Transition, of package: ID<Package>, by person: PersonID?, now: Instant, in tx: Transaction
    ) throws {
        guard let person else { return }
        switch (transition.action, transition.role) {
        case (.accept, _): try countAcceptance(of: package, by: person, now: now, in: tx)
        // Never refused: the owner needs another carrier.
        case (.cancelAcceptance, .carrier): _ = try Self.cancellations.add(person, now: now, in: tx)
        default: break
        }
    }

    /// Returns whether a carrier cancelled the acceptance of a package less than a day ago.
    static func hasCancelled(
        _ package: ID<Package>, _ carrier: PersonID, now: Instant, in tx: Transaction
    ) throws -> Bool {
        let dayAgo = now.adding(seconds: -Limits.daySeconds)
        return try PackageHistoryStore.hasCancelledAcceptance(of: package, by: carrier, since: dayAgo, in: tx)
    }

    private func countAcceptance(
        of package: ID<Package>, by person: PersonID, now: Instant, in tx: Transaction
    ) throws {
        if try Self.hasCancelled(package, person, now: now, in: tx) { throw AppError(.conflict, .acceptanceCancelled) }
        if let use = try Self.cancellations.use(of: person, now: now, in: tx),
            use.count >= Self.cancellations.limit * factor
        {
            throw Self.cancelledTooOften(use.secondsLeft(at: now))
        }
        let use = try Self.acceptances.add(person, now: now, in: tx)
        guard use.count > Limits.acceptancesOfNewAccounts * factor else { return }
        guard use.count <= Self.acceptances.limit * factor,
            try PeopleStore.hasCarried(person, createdBefore: now.adding(seconds: -Limits.newAccountSeconds), in: tx)
        else { throw Self.acceptedTooOften(use.secondsLeft(at: now)) }
    }

    private static func cancelledTooOften(_ seconds: Int) -> AppError {
        let t = Translator.english
        let text = t(
            "You’ve cancelled too many deliveries today. Try again in {n} hour.",
            plural: "You’ve cancelled too many deliveries today. Try again in {n} hours.",
            count: hours(seconds))
        return AppError(.throttled, text, retryAfterSeconds: seconds)
    }

    private static func acceptedTooOften(_ seconds: Int) -> AppError {
        let t = Translator.english
        let text = t(
            "You’ve accepted too many packages today. Try again in {n} hour.",
            plural: "You’ve accepted too many packages today. Try again in {n} hours.", count: hours(seconds))
        return AppError(.throttled, text, retryAfterSeconds: seconds)
    }

    private static func hours(_ seconds: Int) -> Int { (seconds + 3_599) / 3_600 }
}
