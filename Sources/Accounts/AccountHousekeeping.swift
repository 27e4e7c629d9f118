import Kernel
import Storage

/// Deletes expired codes, throttle counters, unused sessions, expired access tokens, and old entries of the log of
/// mails. Folds the names of earlier versions for searches.
package struct AccountHousekeeping: Sendable {
    let database: Database
    let accessTokens: AccessTokenService
    let clock: any WallClock

    /// Deletes what has expired. For a periodic job.
    package func run() async throws {
        let now = clock.now
        try await database.write { tx in
            try CodeStore.deleteExpired(now: now, in: tx)
            try AttemptStore.deleteExpired(now: now, in: tx)
            try ProofStore.deleteExpired(now: now, in: tx)
            try EmailChangeStore.deleteExpired(now: now, in: tx)
            try PasskeyChallengeStore.deleteExpired(now: now, in: tx)
            try RegistrationStore.deleteExpired(now: now, in: tx)
            try ServerInvitationStore.deleteExpired(now: now, in: tx)
            try ImportStore.deleteExpired(now: now, in: tx)
            try Throttle.prune(now: now, in: tx)
            try SessionStore.deleteUnused(since: now.adding(seconds: -Limits.sessionIdleSeconds), in: tx)
        }
        while try await database.write({ tx in try AccountStore.foldNames(in: tx) }) > 0 {}
        try await accessTokens.maintain()
        while try await database.write({ tx in try AuditLog.prune(now: now, in: tx) }) > 0 {}
        try await MailLog.prune(database, now: now)
    }
}
