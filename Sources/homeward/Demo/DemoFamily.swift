import Accounts
import Family
import Kernel
import Pictures
import Recurrence
import Server

/// A fictional family: two children, a few chores, one contract half reached.
struct DemoFamily {
    /// The data for signing in as one of the children.
    struct ChildAccess: Sendable {
        let childName: String
        /// Valid once, for ``Limits/signInCodeSeconds``.
        let signInURL: String
    }

    private let services: Services
    private let family: FamilyServices

    init(_ services: Services) {
        self.services = services
        family = services.family
    }

    func create(parent: Actor, password: String, other: Actor) async throws -> ChildAccess {
        let change = Change(actor: parent)
        let invitation = try await family.invitations.create(password: password, by: change)
        _ = try await family.invitationAcceptances.accept(
            invitation.code, clientAddress: "127.0.0.1", by: Change(actor: other))
        let lena = try await child("Lena", born: "2016-05-14", theme: "ocean", avatar: "fox", change)
        let tim = try await child("Tim", born: "2019-02-03", theme: "space", avatar: "dinosaur", change)
        let dishes = try await chore("Wash the dishes", picture: "dishes", change)
        let bed = try await chore("Make the bed", picture: "bed", change)
        let plants = try await chore("Water the plants", picture: "plants", change)
        try await contract(of: lena, change)
        try await schedule(dishes, for: [lena, tim], .turns, rule: "FREQ=DAILY", change)
        try await schedule(bed, for: [lena, tim], .each, rule: "FREQ=DAILY", change)
        try await schedule(plants, for: [tim], .each, rule: "FREQ=WEEKLY", change)
        _ = try await family.assignments.assign(
            [AssignmentInput(choreID: dishes, points: 3), AssignmentInput(choreID: bed, points: 2)], to: lena,
            by: change)
        _ = try await family.assignments.assign(
            [AssignmentInput(choreID: plants, points: 2)], to: lena, by: Change(actor: other))
        _ = try await family.assignments.assign([AssignmentInput(choreID: bed, points: 1)], to: tim, by: change)
        let code = try await family.signInCodes.create(for: lena, by: change)
        return ChildAccess(childName: "Lena", signInURL: code.url)
    }

    private func child(
        _ name: String, born: String, theme: String, avatar: String, _ change: Change
    ) async throws -> PersonID {
        let picture = BuiltinAvatars.all.first { $0.name == avatar }?.id
        let profile = ChildProfile(name: name, dateOfBirth: born, theme: theme, avatarPictureID: picture)
        return try await family.children.create(profile, by: change).id
    }

    private func chore(_ name: String, picture: String, _ change: Change) async throws -> ID<Chore> {
        let bytes = EmbeddedFile.contents(of: "demo/\(picture).png") ?? []
        let added = try await services.pictures.add(bytes, owner: change.actor.person)
        return try await family.chores.create(ChoreInput(name: name, pictureID: added.id), by: change).chore.id
    }

    private func schedule(
        _ chore: ID<Chore>, for children: [PersonID], _ distribution: ChoreDistribution, rule: String, _ change: Change
    ) async throws {
        let input = ChoreScheduleInput(
            children: children.map(\.description), startsOn: LocalTimeZone.utc.date(at: services.clock.now).text,
            rule: rule, distribution: distribution.rawValue)
        _ = try await family.schedules.set(input, of: chore, by: change)
    }

    private func contract(of child: PersonID, _ change: Change) async throws {
        let input = ContractInput(
            maxPoints: 15, description: "Until the summer holidays",
            levels: [
                LevelInput(reward: "An ice cream", points: 3), LevelInput(reward: "A trip to the pool", points: 4),
                LevelInput(reward: "A night in the tent", points: 5),
            ]
        )
        _ = try await family.contracts.create(for: child, input, by: change)
    }
}
