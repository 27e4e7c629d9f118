package import Accounts
package import AdminWeb
package import Carrepsa
import Jobs
import Kernel
package import Ledger
import Pictures
import ServiceLifecycle
import Storage

/// Verifies the ledger and compares it with the packages and their evidence: on the command line, and as a job that an
/// administrator requests.
package struct LedgerVerificationService: LedgerAdministration, Service {
    /// One verification at a time: it reads the whole ledger.
    static let lane = JobLane(
        name: "ledger-verification", capacity: Limits.ledgerVerificationJobs,
        leaseSeconds: Limits.ledgerVerificationLeaseSeconds,
        backOff: ExponentialBackOff(firstMilliseconds: 60_000, maximumMilliseconds: 60_000),
        attemptsMaximum: Limits.ledgerVerificationAttempts, retainsDeadPayloads: true)
    private static let jobKind = "verify"

    private let queue: JobQueue
    private let database: Database
    private let ledger: Ledger
    private let verifier: LedgerVerifier
    private let escrowAudit: EscrowAudit
    private let evidenceAudit: EvidenceAudit
    private let pictures: PictureLibrary
    private let acts: AdministratorActs
    private let clock: any WallClock
    private let random: any RandomSource

    package init(_ services: Services) {
        queue = services.ledgerVerifications
        database = services.database
        ledger = services.ledger
        verifier = services.verifier
        escrowAudit = services.carrepsa.escrowAudit
        evidenceAudit = services.carrepsa.evidenceAudit
        pictures = services.pictures
        acts = services.accounts.administratorActs
        clock = services.clock
        random = services.random
    }

    /// The damaged rows of the ledger, and the packages that contradict it.
    package struct Result: Sendable {
        package let ledger: LedgerVerificationResult
        package let escrow: [EscrowMismatch]
        /// What was recorded about packages and differs from the digests in the ledger.
        package let evidence: [LedgerFinding]
        /// Why the result couldn't be stored for administrators; `nil` if it was stored.
        package fileprivate(set) var recordingError: (any Error)?

        package var isSound: Bool { ledger.isSound && escrow.isEmpty && evidence.isEmpty }

        fileprivate var findingCount: Int { ledger.findings.count + escrow.count + evidence.count }

        /// The first finding as text; `nil` for a sound ledger.
        fileprivate var firstFinding: String? {
            if let finding = ledger.findings.first ?? evidence.first {
                return "\(finding.table) \(finding.row): \(finding.reason)"
            }
            return escrow.first.map { "carrepsa_package \($0.package): its escrow account doesn't fit its state" }
        }
    }

    /// Verifies the ledger and records the result for administrators.
    /// - Throws: the database's or file system's error, which is recorded too.
    package func verify() async throws -> Result {
        let startedAt = clock.now
        let id = ID<LedgerVerificationRun>(at: startedAt, random: random)
        var result: Result
        do {
            result = Result(
                ledger: try await verifier.verify(), escrow: try await escrowAudit.mismatches(),
                evidence: try await evidenceAudit.findings { [pictures] id in
                    try await pictures.file(of: id, size: .large)
                })
        } catch  where !Task.isCancelled {
            let run = LedgerVerificationRun(
                id: id, startedAt: startedAt, finishedAt: clock.now, result: .failed, reason: "\(type(of: error))")
            // The first error says more than one of storing it.
            try? await record(run)
            throw error
        }
        let run = LedgerVerificationRun(
            id: id, startedAt: startedAt, finishedAt: clock.now, result: result.isSound ? .sound : .damaged,
            transferCount: result.ledger.transfers, postingCount: result.ledger.movements,
            batchCount: result.ledger.batches, findingCount: result.findingCount,
            reason: result.firstFinding)
        do {
            try await record(run)
        } catch {
            // What was found must reach the administrator also when the disk is full.
            result.recordingError = error
        }
        return result
    }

    private func record(_ run: LedgerVerificationRun) async throws {
        try await database.write { tx in try LedgerVerificationRunStore.insert(run, in: tx) }
    }

    // MARK: Administrators

    /// Returns the ledger's figures and its latest verifications.
    /// - Throws: `AppError` `forbidden` unless the actor is an administrator.
    package func details(for actor: Actor) async throws -> LedgerDetails {
        try await database.read { tx in
            try acts.require(actor, in: tx)
            return LedgerDetails(
                status: try ledger.status(in: tx), isVerifying: try queue.nextDue(in: tx) != nil,
                runs: try LedgerVerificationRunStore.newest(Limits.ledgerVerificationRuns, in: tx))
        }
    }

    /// Enqueues a verification, unless one waits or runs.
    /// - Throws: `AppError` `forbidden` unless the actor is an administrator; `unavailable` if the lane is full.
    package func requestVerification(by change: Change) async throws {
        let now = clock.now
        let person = change.actor.person
        try await database.write { tx in
            try acts.require(change.actor, in: tx)
            guard try queue.nextDue(in: tx) == nil else { return }
            try acts.record(.verifyLedger, by: change.actor, now: now, in: tx)
            let job = NewJob(
                kind: Self.jobKind, name: Self.jobKind, payload: Array(person.description.utf8),
                expiresAt: now.adding(seconds: Limits.ledgerVerificationExpirySeconds))
            guard try queue.enqueue(job, now: now, in: tx) else { throw AppError(.unavailable, "Please try again.") }
        }
    }

    // MARK: Job

    var worker: JobWorker {
        JobWorker(
            queue: queue, database: database, clock: clock, finishesAttempts: false,
            perform: { job in try await perform(job) })
    }

    /// Verifies the ledger whenever an administrator requested it, until the server stops.
    package func run() async throws {
        await cancelWhenGracefulShutdown { await worker.run() }
    }

    private func perform(_ job: LeasedJob) async throws -> JobCompletion {
        if let error = try await verify().recordingError { throw error }
        let now = clock.now
        guard let person = PersonID(String(decoding: job.payload, as: UTF8.self)) else { return .done }
        // The administrator's open page shows the result.
        return JobCompletion { tx in
            try tx.publish(
                ChangeEvent(audience: person, kind: "ledger", resource: "/admin/ledger", version: 0, at: now))
        }
    }
}
