package import Accounts
package import Kernel
import Pictures
import Storage

/// The requests of children for the points of chores.
package struct ChoreRequestService: Sendable {
    let transactions: HouseholdTransactions
    let children: ChildReader
    let closer: ChoreRequestCloser
    let occurrences: OccurrenceReader
    let turns: TurnRecorder
    let notifier: ChildNotifier
    let clock: any WallClock
    let random: any RandomSource

    /// Returns a page of open requests, oldest first.
    /// - Parameter child: `nil` for all that the actor may see: those of all children for a parent, its own for a
    ///   child.
    /// - Throws: `AppError`: `notFound`; `forbidden` for a sibling's; `invalid` at `after`.
    package func list(
        of child: PersonID?, for actor: Actor, after: String?, limit: Int
    ) async throws -> ListPage<ChoreRequest> {
        let request = try PageRequest<ID<ChoreRequest>>(after: after, limit: limit)
        let requests = try await transactions.read(for: actor) { tx, householdActor in
            let whose = child ?? (householdActor.role == .child ? householdActor.person : nil)
            if let whose {
                try householdActor.require(.seeRequests, with: whose, in: tx)
            } else {
                try householdActor.require(.seeRequests)
            }
            return try RequestStore.page(
                of: whose, household: householdActor.household, after: request.after, limit: request.rows, in: tx)
        }
        return request.page(requests, \.id)
    }

    /// Returns a page of the open requests of all children, oldest first, with the children.
    /// - Throws: `AppError`: `forbidden` for a child; `invalid` at `after`.
    package func waiting(for actor: Actor, after: String?) async throws -> WaitingRequests {
        let request = try PageRequest<ID<ChoreRequest>>(after: after, limit: Limits.assignmentEntries)
        return try await transactions.read(for: actor) { tx, householdActor in
            try householdActor.require(.approve)
            let requests = request.page(
                try RequestStore.page(
                    of: nil, household: householdActor.household, after: request.after, limit: request.rows, in: tx),
                \.id)
            let asking = Set(requests.items.map(\.childID))
            let profiles = try children.accounts.accounts(asking.sorted(), in: tx)
            return WaitingRequests(
                page: requests, children: asking.sorted().compactMap { profiles[$0].map { Member($0, role: .child) } })
        }
    }

    /// Returns one open request.
    /// - Throws: `AppError`: `notFound`, also if a parent decided on it before; `forbidden` for a sibling's.
    package func request(
        _ id: ID<ChoreRequest>, of child: PersonID, for actor: Actor
    ) async throws -> ChoreRequest {
        try await transactions.read(for: actor) { tx, householdActor in
            try request(id, of: child, for: householdActor, in: tx)
        }
    }

    /// Returns requests with the child.
    package func details(
        _ id: ID<ChoreRequest>, of child: PersonID, for actor: Actor
    ) async throws -> ChoreRequestDetails {
        try await transactions.read(for: actor) { tx, householdActor in
            ChoreRequestDetails(
                request: try request(id, of: child, for: householdActor, in: tx),
                child: try children.child(child, for: householdActor, in: tx))
        }
    }

    private func request(
        _ id: ID<ChoreRequest>, of child: PersonID, for householdActor: HouseholdActor, in tx: Transaction
    ) throws -> ChoreRequest {
        try householdActor.require(.seeRequests, with: child, in: tx)
        guard let request = try RequestStore.find(id, of: child, in: tx),
            try ChoreStore.present([request.choreID], of: householdActor.household, in: tx)[request.choreID] != nil
        else { throw AppError.notFound }
        return request
    }

    /// Creates a child's request for the points of a chore. A request for a chore that is due is for its occurrence.
    /// - Parameters:
    ///   - occurrence: the date of an occurrence, `2026-03-01`; `nil` for the open one, if there is one.
    ///   - proof: the steps and the photo, for a chore that has them.
    /// - Throws: `AppError`: `notFound`; `forbidden` unless the actor is the child; `invalid` at `choreId` without one,
    ///   at `occurrence`, at `steps` unless all are ticked off, and at `pictureId` without a photo of the child;
    ///   `conflict` at `choreId` for a chore that is deleted or doesn't exist, and at `occurrence` for a date that
    ///   isn't due or already counts; `conflict` if the child has an open request for it, or
    ///   ``Limits/openRequestsPerChild``.
    package func create(
        _ chore: ID<Chore>?, occurrence: String? = nil, proof: ChoreProof = ChoreProof(), for child: PersonID,
        by change: Change
    ) async throws -> ChoreRequest {
        guard let chore else { throw AppError(.invalid, .choreMissing, field: "choreId") }
        let requested = try AssignmentDraft.occurrence(occurrence)
        let now = clock.now
        let id = ID<ChoreRequest>(at: now, random: random)
        return try await transactions.write(by: change.actor) { tx, householdActor in
            let once = try tx.once(change.idempotency, status: 201, now: now, resource: id.description) {
                try householdActor.require(.request, with: child, in: tx)
                let present = try ChoreStore.present([chore], of: householdActor.household, in: tx)
                guard let wanted = present[chore] else {
                    throw AppError(.conflict, .choreGone, field: "choreId")
                }
                try require(proof, for: wanted, of: child, in: tx)
                guard try RequestStore.count(of: child, in: tx) < Limits.openRequestsPerChild else {
                    throw AppError(.conflict, .tooManyRequests)
                }
                let date = try date(requested, of: chore, for: child, householdActor, now: now, in: tx)
                guard
                    try RequestStore.insert(
                        id, child: child, chore: chore, occurrence: date,
                        automaticAt: wanted.automatic?.moment(after: now),
                        photo: wanted.needsPhoto ? proof.photoID : nil, now: now, in: tx)
                else { throw AppError(.conflict, .alreadyRequested) }
                try DeclinedRequestStore.delete(of: child, for: [chore], in: tx)
                try FamilyEvents.publish(
                    "request", FamilyEvents.child(child), of: householdActor.household, to: .parentsAnd(child),
                    now: now, in: tx)
                if let created = try RequestStore.find(id, of: child, in: tx) {
                    try notifier.notify(of: created, by: householdActor, now: now, in: tx)
                }
            }
            guard let created = ID<ChoreRequest>(once.resource),
                let request = try RequestStore.find(created, of: child, in: tx)
            else { throw AppError.notFound }
            return request
        }
    }

    /// Requires all steps of the chore and its photo.
    private func require(_ proof: ChoreProof, for chore: Chore, of child: PersonID, in tx: Transaction) throws {
        var problems = FieldErrors<FamilyMessage>()
        if !Set(chore.steps).isSubset(of: proof.steps) { problems.refuse("steps", .stepsMissing) }
        if chore.needsPhoto, try proof.photoID.map({ try PictureLibrary.owns($0, child, in: tx) }) != true {
            problems.refuse("pictureId", .photoMissing)
        }
        try problems.finish()
    }

    private func date(
        _ requested: LocalDate?, of chore: ID<Chore>, for child: PersonID, _ householdActor: HouseholdActor,
        now: Instant, in tx: Transaction
    ) throws -> LocalDate? {
        let open = try RequestStore.all(of: child, for: chore, in: tx)
        if open.contains(where: { requested == nil || $0.occurrence == requested }) {
            throw AppError(.conflict, .alreadyRequested)
        }
        let calendar = try turns.calendar(of: householdActor.household, chores: [chore], now: now, in: tx)
        let done = try occurrences.done(calendar, of: [child], in: tx)
        let date = try occurrences.date(
            requested: requested, of: chore, for: child, in: calendar, taken: done, field: "occurrence")
        if let date {
            try turns.reserve(
                ChoreDate(chore: chore, date: date), for: child, in: calendar, of: householdActor.household, now: now,
                in: tx)
        }
        return date
    }

    /// Withdraws a child's own request.
    /// - Throws: `AppError`: `notFound`, also if a parent decided on it before; `forbidden` unless the actor is the
    ///   child.
    package func withdraw(_ id: ID<ChoreRequest>, of child: PersonID, by change: Change) async throws {
        let now = clock.now
        try await transactions.write(by: change.actor) { tx, householdActor in
            _ = try tx.once(change.idempotency, status: 204, now: now, resource: id.description) {
                try householdActor.require(.withdrawRequest, with: child, in: tx)
                try closer.close(id, of: child, by: householdActor, now: now, in: tx)
            }
        }
    }
}
