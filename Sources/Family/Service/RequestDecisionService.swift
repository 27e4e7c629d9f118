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
                    [(chore, points, request.occurrence)], for: child, as: booking, by: householdActor, now: now, in: tx
                )
            }
            try householdActor.require(.seeAssignments, with: child, in: tx)
            guard let assignment = try recorder.assignments(of: once, in: tx).first else { throw AppError.notFound }
            return assignment
        }
    }

    /// Declines a request; the child is notified.
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
                try notifier.notify(
                    child, of: .requestDeclined, about: id.description, subject: request.name,
                    details: reason.map { ["reason": $0] } ?? [:], by: householdActor, now: now, in: tx)
            }
        }
    }

    private static func checkedReason(_ typed: String?) throws -> String? {
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
