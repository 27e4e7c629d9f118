package import Accounts
package import Kernel
import Storage

extension FamilyService {
    /// Returns a page of open requests, oldest first.
    /// - Parameter child: `nil` for all that the actor may see: those of all children for a parent, its own for a
    ///   child.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a sibling's; `invalid` at `after`.
    package func requests(
        of child: PersonID?, for actor: Actor, after: String?, limit: Int
    ) async throws -> FamilyPage<ChoreRequest> {
        let start: ID<ChoreRequest>? = try Cursor.id(after)
        let limit = Cursor.limit(limit)
        let requests = try await reading(for: actor) { tx, householdActor in
            let whose = child ?? (householdActor.role == .child ? householdActor.person : nil)
            if let whose {
                try householdActor.require(.seeRequests, with: whose, in: tx)
            } else {
                try householdActor.require(.seeRequests)
            }
            return try RequestStore.page(
                of: whose, household: householdActor.household, after: start, limit: limit + 1, in: tx)
        }
        return FamilyPage(requests, limit: limit) { $0.id.description }
    }

    /// Returns one open request.
    /// - Throws: `AppError`: `notFound`, also if a parent decided on it before; `forbidden` for a sibling's.
    package func request(
        _ id: ID<ChoreRequest>, of child: PersonID, for actor: Actor
    ) async throws -> ChoreRequest {
        try await reading(for: actor) { tx, householdActor in
            try householdActor.require(.seeRequests, with: child, in: tx)
            guard let request = try RequestStore.find(id, of: child, in: tx),
                try ChoreStore.present([request.choreID], of: householdActor.household, in: tx)[request.choreID] != nil
            else { throw AppError.notFound }
            return request
        }
    }

    /// Creates a child's request for the points of a chore.
    /// - Throws: `AppError`: `notFound`; `forbidden` unless the actor is the child; `invalid` at `choreId` without one;
    ///   `conflict` at `choreId` for a chore that is deleted or doesn't exist; `conflict` if the child has an open
    ///   request for the chore, or ``Limits/openRequestsPerChild``.
    package func request(
        _ chore: ID<Chore>?, of child: PersonID, by change: Change
    ) async throws -> ChoreRequest {
        guard let chore else { throw AppError(.invalid, .choreMissing, field: "choreId") }
        let now = clock.now
        let id = ID<ChoreRequest>(at: now, random: random)
        return try await writing(by: change.actor) { [self] tx, householdActor in
            let once = try tx.once(change.idempotency, status: 201, now: now, resource: id.description) {
                try householdActor.require(.request, with: child, in: tx)
                guard try ChoreStore.present([chore], of: householdActor.household, in: tx)[chore] != nil else {
                    throw AppError(.conflict, .choreGone, field: "choreId")
                }
                guard try RequestStore.count(of: child, in: tx) < Limits.openRequestsPerChild else {
                    throw AppError(.conflict, .tooManyRequests)
                }
                guard try RequestStore.insert(id, child: child, chore: chore, now: now, in: tx) else {
                    throw AppError(.conflict, .alreadyRequested)
                }
                try Self.tell(of: child, householdActor, now: now, in: tx)
                if let asked = try RequestStore.find(id, of: child, in: tx) {
                    try notify(of: asked, by: householdActor, now: now, in: tx)
                }
            }
            guard let made = ID<ChoreRequest>(once.resource),
                let request = try RequestStore.find(made, of: child, in: tx)
            else { throw AppError.notFound }
            return request
        }
    }

    /// Gives the points of a request.
    /// - Throws: `AppError`: `notFound`, also if a parent decided on it before; `forbidden` for a child; `invalid` at
    ///   `points` unless they are 1, 2 or 3; `conflict` if the chore is deleted.
    package func approve(
        _ id: ID<ChoreRequest>, of child: PersonID, points: Int64?, by change: Change
    ) async throws -> Assignment {
        let points = try AssignmentDraft.points(points)
        let now = clock.now
        let booking = AssignmentBatchIDs(count: 1, now: now, random: random)
        return try await writing(by: change.actor) { [self] tx, householdActor in
            let once = try tx.once(change.idempotency, status: 201, now: now, resource: booking.id.description) {
                try householdActor.require(.approve, with: child, in: tx)
                guard let request = try RequestStore.find(id, of: child, in: tx) else { throw AppError.notFound }
                let present = try ChoreStore.present([request.choreID], of: householdActor.household, in: tx)
                guard let chore = present[request.choreID] else { throw AppError(.conflict, .choreGone) }
                try RequestStore.delete(id, in: tx)
                try withdrawNotices(of: request, householdActor.household, now: now, in: tx)
                try book([(chore, points)], for: child, as: booking, by: householdActor, now: now, in: tx)
                try Self.tell(of: child, householdActor, now: now, in: tx)
            }
            try householdActor.require(.seeAssignments, with: child, in: tx)
            guard let assignment = try booked(once, in: tx).first else { throw AppError.notFound }
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
        try await end(id, of: child, as: .decline, reason: try Self.checkedReason(reason), by: change)
    }

    /// Withdraws a child's own request.
    /// - Throws: `AppError`: `notFound`, also if a parent decided on it before; `forbidden` unless the actor is the
    ///   child.
    package func withdrawRequest(_ id: ID<ChoreRequest>, of child: PersonID, by change: Change) async throws {
        try await end(id, of: child, as: .withdrawRequest, reason: nil, by: change)
    }

    private func end(
        _ id: ID<ChoreRequest>, of child: PersonID, as action: FamilyAction, reason: String?, by change: Change
    ) async throws {
        let now = clock.now
        try await writing(by: change.actor) { [self] tx, householdActor in
            _ = try tx.once(change.idempotency, status: 204, now: now, resource: id.description) {
                try householdActor.require(action, with: child, in: tx)
                guard let request = try RequestStore.find(id, of: child, in: tx) else { throw AppError.notFound }
                try RequestStore.delete(id, in: tx)
                try withdrawNotices(of: request, householdActor.household, now: now, in: tx)
                if action == .decline {
                    try notify(
                        child, of: .requestDeclined, about: id.description, subject: request.name,
                        details: reason.map { ["reason": $0] } ?? [:], by: householdActor, now: now, in: tx)
                }
                try Self.tell(of: child, householdActor, now: now, in: tx)
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

    private static func tell(of child: PersonID, _ householdActor: HouseholdActor, now: Instant, in tx: Transaction)
        throws
    {
        try FamilyEvents.tell(
            "request", FamilyEvents.child(child), of: householdActor.household, to: .parentsAnd(child), now: now, in: tx
        )
    }
}
