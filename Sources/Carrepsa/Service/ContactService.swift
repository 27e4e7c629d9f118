package import Accounts
package import Kernel
import Storage

/// The other people of a delivery.
package struct ContactService: Sendable {
    let deadlines: PackageDeadlines

    /// Returns a person's name. Adds email and phone number if actor and person are owner and carrier of an accepted or
    /// travelling package, or if the actor is an administrator who may decide the person's open dispute.
    /// - Throws: `AppError.notFound` if the account doesn't exist or is a child's, whose name only the family sees.
    package func person(_ id: PersonID, for actor: Actor) async throws -> OtherParty {
        try await deadlines.read { tx, now in
            guard let contact = try PeopleStore.contact(id, in: tx), !contact.isChild else { throw AppError.notFound }
            let isOtherSide = try PackageStore.arePartiesOfSamePackage(actor.person, id, in: tx)
            let isOperator = try !isOtherSide && AdministratorPolicy.isAdministrator(actor, in: tx)
            let isInDispute = try isOperator && PackageStore.isPartyOfDispute(id, decidedBy: actor.person, in: tx)
            let isOpen = isOtherSide || isInDispute
            return OtherParty(
                id: contact.id, name: contact.name, email: isOpen ? contact.email : nil,
                phone: isOpen ? contact.phone : nil,
                reputation: try ReviewService.reputation(of: id, now: now, in: tx)
            )
        }
    }
}
