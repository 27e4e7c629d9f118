package import Accounts
package import Kernel
import Storage

/// The decisions of parents about children's requests.
package struct RequestDecisionService: Sendable {
    let transactions: HouseholdTransactions
    let closer: ChoreRequestCloser
    let recorder: AssignmentRecorder
    let notifier: ChildNotifier
    let clock: any WallClock
    let random: any RandomSource

    /// Gives the points of a request.
    /// - Throws: `AppError`: `notFound`, also if a parent decided on it before; `forbidden` for a child; `invalid` at
    ///   `points` unless they are 1, 2 or 3; `conflict` if the chore is deleted, or its occurrence already counts.
    package func approve(
        _ id: ID<ChoreRequest>, of child: PersonID, points: Int64?, by change: Change
    ) async throws -> Assignment {
        let points = try AssignmentDraft.points(points)
        let now = clock.now
        let booking = AssignmentBatchIDs(count: 1, now: now, random: random)
        return try await transactions.write(by: change.actor) { tx, householdActor in
            let once = try tx.once(change.idempotency, status: 201, now: now, resource: booking.id.description) {
                try householdActor.require(.approve, with: child, in: tx)
                guard let request = try RequestStore.find(id, of: child, in: tx) else { throw AppError.notFound }
                let present = try ChoreStore.present([request.choreID], of: householdActor.household, in: tx)
                guard let chore = present[request.choreID] else { throw AppError(.conflict, .choreGone) }
                try closer.close(request, by: householdActor, now: now, in: tx)
                if let date = request.occurrence,
                    try AssignmentStore.isDone(chore.id, on: date, by: child, in: tx)
                {
                    throw AppError(.conflict, .occurrenceDone)
                }
                try recorder.record(
                    [
                        DoneChore(
                            chore: chore, points: points, occurrence: request.occurrence, reportedAt: request.at)
                    ], for: child, as: booking, by: householdActor, now: now, in: tx)
            }
            try householdActor.require(.seeAssignments, with: child, in: tx)
            guard let assignment = try recorder.assignments(of: once, in: tx).first else { throw AppError.notFound }
            return assignment
        }
    }

    /// Gives the same points for several requests, also of several children: for all of them, or for none.
    /// - Throws: `AppError`: `forbidden` for a child; `invalid` at `requestIds` for none or more than
    ///   ``Limits/assignmentEntries``, and at `points` unless they are 1, 2 or 3; `conflict` if one of the requests
    ///   isn't open, or its occurrence already counts.
    package func approve(
        all ids: [ID<ChoreRequest>], points: Int64?, by change: Change
    ) async throws -> [Assignment] {
        let ids = Array(Set(ids))
        let points = try Self.checkedPoints(points, of: ids.count)
        let now = clock.now
        let booking = AssignmentBatchIDs(count: ids.count, now: now, random: random)
        return try await transactions.write(by: change.actor) { tx, householdActor in
            let once = try tx.once(change.idempotency, status: 201, now: now, resource: booking.id.description) {
                try householdActor.require(.approve)
                let requests = try RequestStore.all(ids, of: householdActor.household, in: tx)
                guard requests.count == ids.count else { throw AppError(.conflict, .requestDecided) }
                var done = 0
                for (child, own) in Dictionary(grouping: requests, by: \.childID).sorted(by: { $0.key < $1.key }) {
                    try approve(
                        own, of: child, points: points, as: booking[done..<done + own.count], by: householdActor,
                        now: now, in: tx)
                    done += own.count
                }
            }
            try householdActor.require(.seeAssignments)
            return try recorder.assignments(of: once, in: tx)
        }
    }

    private func approve(
        _ requests: [ChoreRequest], of child: PersonID, points: Int64, as booking: AssignmentBatchIDs,
        by householdActor: HouseholdActor, now: Instant, in tx: Transaction
    ) throws {
        try householdActor.require(.approve, with: child, in: tx)
        let chores = try ChoreStore.present(requests.map(\.choreID), of: householdActor.household, in: tx)
        let entries = try requests.map { request in
            guard let chore = chores[request.choreID] else { throw AppError(.conflict, .choreGone) }
            try closer.close(request, by: householdActor, now: now, in: tx)
            if let date = request.occurrence,
                try AssignmentStore.isDone(chore.id, on: date, by: child, in: tx)
            {
                throw AppError(.conflict, .occurrenceDone)
            }
            return DoneChore(
                chore: chore, points: points, occurrence: request.occurrence, reportedAt: request.at)
        }
        try recorder.record(entries, for: child, as: booking, by: householdActor, now: now, in: tx)
    }

    private static func checkedPoints(_ typed: Int64?, of count: Int) throws -> Int64 {
        var problems = FieldErrors<FamilyMessage>()
        if count == 0 { problems.refuse("requestIds", .requestsMissing) }
        if count > Limits.assignmentEntries { problems.refuse("requestIds", .tooManyApprovals) }
        let points = AssignmentDraft.points(typed, "points", &problems)
        try problems.finish()
        return points
    }

    /// Declines a request. The child is notified, and sees it on its page until it asks again.
    /// - Parameter reason: the text for the child; blank for none.
    /// - Throws: `AppError`: `notFound`, also if a parent decided on it before; `forbidden` for a child; `invalid` at
    ///   `reason`.
    package func decline(
        _ id: ID<ChoreRequest>, of child: PersonID, reason: String? = nil, by change: Change
    ) async throws {
        let reason = try Self.checkedReason(reason)
        let now = clock.now
        try await transactions.write(by: change.actor) { tx, householdActor in
            _ = try tx.once(change.idempotency, status: 204, now: now, resource: id.description) {
                try householdActor.require(.decline, with: child, in: tx)
                let request = try closer.close(id, of: child, by: householdActor, now: now, in: tx)
                try DeclinedRequestStore.insert(
                    request, reason: reason, by: householdActor.person, now: now, in: tx)
                try notifier.notify(
                    child, of: .requestDeclined, about: id.description, subject: request.name,
                    details: reason.map { ["reason": $0] } ?? [:], by: householdActor, now: now, in: tx)
            }
        }
    }

    /// Returns the reason that a parent gives with a declined request or purchase; `nil` for a blank one.
    static func checkedReason(_ typed: String?) throws -> String? {
        do throws(TextValidation.Failure) {
            return try TextValidation.line(
                typed ?? "", characters: Limits.declineReasonCharacters, bytes: Limits.declineReasonBytes)
        } catch {
            switch error {
            case .empty: return nil
            case .tooLong: throw AppError(.invalid, .reasonTooLong, field: "reason")
            case .tooManyBytes: throw AppError(.invalid, .tooManyBytes, field: "reason")
            case .controlCharacter: throw AppError(.invalid, .reasonUnreadable, field: "reason")
            }
        }
    }
}
