import Kernel
import Storage
import Synchronization

/// Collects the evaluations of the rule for separation alerts in memory, so that a position costs no statement more.
/// ``SeparationHistoryService`` stores them. A process that is killed loses those of the last minutes.
final class SeparationHistory: Sendable {
    /// A person who can see an item.
    struct Subject: Hashable, Sendable {
        let item: ID<Item>
        let person: PersonID
    }

    /// Evaluations of one process, in the order of their times.
    struct Run: Sendable, Equatable {
        /// The rule's state before the first evaluation.
        private(set) var state: SeparationAlertRule.State
        /// Never empty.
        private(set) var evaluations: [SeparationEvaluation]

        var startedAt: Instant { evaluations[0].seen.now }

        init(state: SeparationAlertRule.State, evaluations: [SeparationEvaluation]) {
            self.state = state
            self.evaluations = evaluations
        }

        /// Adds an evaluation at its time: transactions can commit in another order than they were evaluated.
        /// - Parameter before: The rule's state before the evaluation.
        mutating func insert(_ evaluation: SeparationEvaluation, from before: SeparationAlertRule.State) {
            let earlier = evaluations.lastIndex { $0.seen.now <= evaluation.seen.now }
            if earlier == nil { state = before }
            evaluations.insert(evaluation, at: earlier.map { $0 + 1 } ?? 0)
        }
    }

    private let waiting = Mutex<[Subject: [Run]]>([:])

    /// Adds an evaluation once the transaction commits.
    func record(
        _ evaluation: SeparationEvaluation, from state: SeparationAlertRule.State, of item: ID<Item>,
        for person: PersonID, in tx: Transaction
    ) {
        tx.afterCommit { [self] in add(evaluation, from: state, for: Subject(item: item, person: person)) }
    }

    private func add(_ evaluation: SeparationEvaluation, from state: SeparationAlertRule.State, for subject: Subject) {
        waiting.withLock { waiting in
            guard var runs = waiting[subject] else {
                guard waiting.count < Limits.waitingSeparationHistories else { return }
                waiting[subject] = [Run(state: state, evaluations: [evaluation])]
                return
            }
            // Without this, adding would copy the array.
            waiting[subject] = nil
            if let last = runs.last, last.evaluations.count < Limits.evaluationsPerRow {
                runs[runs.count - 1].insert(evaluation, from: state)
            } else {
                runs.append(Run(state: state, evaluations: [evaluation]))
            }
            waiting[subject] = runs.suffix(Limits.waitingRunsPerSubject)
        }
    }

    /// Removes and returns evaluations.
    /// - Parameter isDue: Whether those of a person and item are wanted.
    func removeAll(where isDue: (Subject, [Run]) -> Bool) -> [Subject: [Run]] {
        waiting.withLock { waiting in
            let due = waiting.filter { isDue($0.key, $0.value) }
            for subject in due.keys { waiting[subject] = nil }
            return due
        }
    }

    /// Adds evaluations again that couldn't be stored. The oldest ones go when there are too many.
    func reinsert(_ runs: [Run], of subject: Subject) {
        waiting.withLock { waiting in
            guard waiting[subject] != nil || waiting.count < Limits.waitingSeparationHistories else { return }
            waiting[subject] = (runs + (waiting[subject] ?? [])).suffix(Limits.waitingRunsPerSubject)
        }
    }
}

/// Stores the collected evaluations of separations.
package struct SeparationHistoryService: Sendable {
    let database: Database
    let history: SeparationHistory
    let clock: any WallClock
    let random: any RandomSource

    /// Stores the evaluations that were collected for `Limits.separationHistorySeconds`, or that are many.
    package func storeDue() async throws {
        let due = clock.now.adding(seconds: -Limits.separationHistorySeconds)
        try await store { _, runs in
            runs.count > 1 || runs[0].evaluations.count >= Limits.evaluationsPerRow || runs[0].startedAt <= due
        }
    }

    /// Stores all collected evaluations.
    package func storeAll() async throws { try await store { _, _ in true } }

    /// Stores the collected evaluations of a person.
    func store(of person: PersonID) async throws { try await store { subject, _ in subject.person == person } }

    private func store(where isDue: (SeparationHistory.Subject, [SeparationHistory.Run]) -> Bool) async throws {
        var failure: (any Error)?
        var isUnavailable = false
        for (subject, runs) in history.removeAll(where: isDue) {
            if isUnavailable {
                history.reinsert(runs, of: subject)
                continue
            }
            do {
                try await database.write { tx in
                    for run in runs {
                        let id = ID<SeparationHistory>(at: run.startedAt, random: random)
                        try SeparationHistoryStore.insert(run, id: id, of: subject, in: tx)
                    }
                }
            } catch {
                failure = failure ?? error
                isUnavailable = Self.isTemporary(error)
                if isUnavailable { history.reinsert(runs, of: subject) }
            }
        }
        if let failure { throw failure }
    }

    /// Whether the database may store the same evaluations later. What it refuses, it refuses every time.
    private static func isTemporary(_ error: any Error) -> Bool {
        switch error {
        case let error as AppError: error.code == .unavailable
        case StorageError.unreachable, is CancellationError: true
        default: false
        }
    }
}
