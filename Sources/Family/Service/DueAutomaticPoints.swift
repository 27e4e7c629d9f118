import Kernel
import Storage

/// Gives the points of requests on which no parent decided in the time that the chore allows.
struct DueAutomaticPoints: Sendable {
    let database: Database
    let entries: DueEntries
    let closer: ChoreRequestCloser
    let recorder: AssignmentRecorder
    let clock: any WallClock
    let random: any RandomSource

    /// Gives the points of the due requests, each once.
    func run() async throws {
        let now = clock.now
        let due = try await database.read { tx in
            try RequestStore.dueAutomatically(now: now, limit: Limits.housekeepingBatch, in: tx)
        }
        let requests = Dictionary(due.map { ($0.id, $0) }) { first, _ in first }
        try await entries.process(due.map(\.id), name: "request for automatic points", now: now) { id, tx in
            if let request = requests[id] { try approve(request, now: now, in: tx) }
        } postpone: { id, later, tx in
            try RequestStore.setAutomatic(at: later, id, in: tx)
        }
    }

    private func approve(_ due: ChoreRequest, now: Instant, in tx: Transaction) throws {
        let child = due.childID
        guard let found = try HouseholdStore.member(child, in: tx), try HouseholdStore.lock(found.household, in: tx)
        else { return }
        // A parent may have decided, or changed the chore, before the household was locked.
        guard let member = try HouseholdStore.member(child, in: tx), member == found, member.deletedAt == nil,
            let request = try RequestStore.find(due.id, of: child, in: tx),
            let moment = request.automaticAt, moment <= now,
            let stored = try ChoreStore.find(request.choreID, in: tx), stored.deletedAt == nil,
            let automatic = stored.chore.automatic,
            let parent = try parent(of: stored, in: tx)
        else { return }
        let householdActor = HouseholdActor(person: parent, household: member.household, role: .parent)
        try closer.close(request, by: householdActor, now: now, in: tx)
        if let date = request.occurrence, try AssignmentStore.isDone(stored.chore.id, on: date, by: child, in: tx) {
            return
        }
        try recorder.record(
            [
                DoneChore(
                    chore: stored.chore, points: automatic.points, occurrence: request.occurrence,
                    reportedAt: request.at)
            ], for: child,
            as: AssignmentBatchIDs(count: 1, now: now, random: random), isAutomatic: true, by: householdActor,
            now: now, in: tx)
    }

    /// Returns the parent who set the automatic points; if they left, the parent who created the household.
    private func parent(of stored: StoredChore, in tx: Transaction) throws -> PersonID? {
        if let parent = stored.automaticBy, let member = try HouseholdStore.member(parent, in: tx),
            member.household == stored.household, member.role == .parent
        {
            return parent
        }
        return try HouseholdStore.maker(of: stored.household, in: tx)
    }
}
