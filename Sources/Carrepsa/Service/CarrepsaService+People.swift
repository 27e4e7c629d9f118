package import Accounts
package import Kernel
import Storage

extension CarrepsaService {
    /// Somebody on the other side: always the name; how to reach them only while the two have an accepted or
    /// travelling package together. An operator sees how to reach both sides of a dispute that waits for a decision.
    /// - Throws: `AppError.notFound` when there is no such account, or it is a child's: its name is for its family.
    package func person(_ id: PersonID, for actor: Actor) async throws -> Neighbour {
        try await reading { tx, _ in
            guard let contact = try PeopleStore.contact(id, in: tx), !contact.isChild else { throw AppError.notFound }
            let isOtherSide = try PackageStore.haveToDoWithEachOther(actor.person, id, in: tx)
            let isOperator = try !isOtherSide && PeopleStore.isOperator(actor.person, in: tx)
            let isInDispute = try isOperator && PackageStore.isPartyOfDispute(id, decidedBy: actor.person, in: tx)
            let isOpen = isOtherSide || isInDispute
            return Neighbour(
                id: contact.id, name: contact.name, email: isOpen ? contact.email : nil,
                phone: isOpen ? contact.phone : nil
            )
        }
    }

    // MARK: Operators

    /// A page of what an operator must decide, the newest dispute first.
    /// - Throws: `AppError`: `forbidden` for anybody else; `invalid` at `after`.
    package func disputes(for actor: Actor, after: String?, limit: Int) async throws -> CarrepsaPage<Package> {
        let start = try after.map { try DisputeCursor($0) }
        let limit = Cursor.limit(limit)
        let packages = try await reading { [self] tx, _ in
            guard try PeopleStore.isOperator(actor.person, in: tx) else { throw AppError(.forbidden, .operatorsOnly) }
            return try completed(try PackageList.disputes(before: start, limit: limit + 1, in: tx), in: tx)
        }
        return CarrepsaPage(packages, limit: limit) { DisputeCursor($0).text }
    }

    /// Checks an operator's note.
    /// - Throws: `AppError.invalid` at `note`.
    package func check(note: String?) throws {
        var problems = Problems()
        _ = PackageDraft.text(note, "note", &problems)
        try problems.finish()
    }

    /// Decides a dispute, as an operator who is neither owner nor carrier.
    /// - Parameter note: for both of them, at most ``Limits/descriptionCharacters`` characters.
    /// - Throws: `AppError`: `forbidden`, `notFound`, `invalid` at `note`; `conflict` when it isn't in dispute.
    package func decide(
        _ id: ID<Package>, outcome: DisputeOutcome, note: String?, by change: Change
    ) async throws -> Package {
        var problems = Problems()
        let text = PackageDraft.text(note, "note", &problems)
        try problems.finish()
        let action: PackageAction =
            switch outcome {
            case .delivered: .decideDelivered
            case .refunded: .decideRefunded
            case .lost: .decideLost
            }
        var move = Move(action, id, by: .person(change.actor.person), service: self)
        move.note = text
        move.ifVersion = change.ifVersion
        // Decided, it is no longer an operator's to see; this one is still told how it came out.
        return try await make(move, status: 201, scope: change.idempotency) { [self] row, tx in
            try completed(row, in: tx)
        }
    }
}
