package import Accounts
package import Kernel
import Storage

extension CarrepsaService {
    /// Returns a person's name. Adds email and phone number if actor and person are the parties of an accepted or
    /// travelling package, or if the actor is an administrator who may decide the person's open dispute.
    /// - Throws: `AppError.notFound` if the account doesn't exist or is a child's, whose name only the family sees.
    package func person(_ id: PersonID, for actor: Actor) async throws -> OtherParty {
        try await reading { tx, _ in
            guard let contact = try PeopleStore.contact(id, in: tx), !contact.isChild else { throw AppError.notFound }
            let isOtherSide = try PackageStore.arePartiesOfSamePackage(actor.person, id, in: tx)
            let isOperator = try !isOtherSide && PeopleStore.isOperator(actor.person, in: tx)
            let isInDispute = try isOperator && PackageStore.isPartyOfDispute(id, decidedBy: actor.person, in: tx)
            let isOpen = isOtherSide || isInDispute
            return OtherParty(
                id: contact.id, name: contact.name, email: isOpen ? contact.email : nil,
                phone: isOpen ? contact.phone : nil
            )
        }
    }

    // MARK: Administrators

    /// Returns a page of open disputes, newest first.
    /// - Throws: `AppError`: `forbidden` if the actor isn't an administrator; `invalid` at `after`.
    package func disputes(for actor: Actor, after: String?, limit: Int) async throws -> CarrepsaPage<Package> {
        let start = try after.map { try DisputeCursor($0) }
        let limit = Cursor.limit(limit)
        let packages = try await reading { [self] tx, _ in
            guard try PeopleStore.isOperator(actor.person, in: tx) else { throw AppError(.forbidden, .operatorsOnly) }
            return try completed(try PackageList.disputes(before: start, limit: limit + 1, in: tx), in: tx)
        }
        return CarrepsaPage(packages, limit: limit) { DisputeCursor($0).text }
    }

    /// Validates an administrator's note.
    /// - Throws: `AppError.invalid` at `note`.
    package func check(note: String?) throws {
        var problems = Problems()
        _ = PackageDraft.text(note, "note", &problems)
        try problems.finish()
    }

    /// Decides a dispute as an administrator who is neither owner nor carrier.
    /// - Parameter note: a note for both parties, at most ``Limits/descriptionCharacters`` characters.
    /// - Throws: `AppError`: `forbidden`, `notFound`, `invalid` at `note`; `conflict` if the package isn't in
    ///   dispute.
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
        var command = PackageCommand(action, id, by: .person(change.actor.person), service: self)
        command.note = text
        command.ifVersion = change.ifVersion
        // The administrator can't see the package after the decision, but gets the result.
        return try await make(command, status: 201, scope: change.idempotency) { [self] row, tx in
            try completed(row, in: tx)
        }
    }
}
