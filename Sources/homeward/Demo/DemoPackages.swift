import Accounts
import Carrepsa
import Kernel
import Pictures
import Server

/// Fictional packages, each in another state.
struct DemoPackages {
    private static let day: Int64 = 24 * 60 * 60

    private let carrepsa: CarrepsaServices
    private let now: Instant

    /// The owners and carriers.
    struct People {
        let mia: Actor
        let ben: Actor
        let ada: Actor
    }

    init(_ services: Services) {
        carrepsa = services.carrepsa
        now = services.clock.now
    }

    func create(_ people: People, bicycle: ID<Picture>?) async throws {
        for person in [people.mia, people.ben, people.ada] { try await carrepsa.memberships.ensureWallet(of: person) }
        try await offers(people, bicycle: bicycle)
        try await underWay(people)
    }

    /// Creates the available packages.
    private func offers(_ people: People, bicycle: ID<Picture>?) async throws {
        // Returned by its carrier; afterwards its owner spends the reward.
        let lamp = try await post(
            input("Desk lamp", "Köln", "Koblenz", grams: 2_300, reward: 1_000, lock: 2_000), people.ben)
        _ = try await carrepsa.acceptances.accept(lamp, by: Change(actor: people.ada))
        _ = try await carrepsa.acceptances.cancel(lamp, by: Change(actor: people.ada))
        var helmet = input("Bike helmet", "Aachen", "Bonn", grams: 1_200, reward: 1_200, lock: 4_000)
        helmet.deadline = now.adding(seconds: 6 * Self.day)
        helmet.description = "In a box, about 30 × 25 × 20 cm. Ring at Winter, second floor."
        _ = try await post(helmet, people.ben)
        var folding = input("Folding bicycle", "München", "Augsburg", grams: 11_500, reward: 1_850, lock: 7_500)
        folding.pictureID = bicycle
        folding.deadline = now.adding(seconds: 2 * Self.day)
        _ = try await post(folding, people.mia)
        _ = try await post(
            input("Sourdough starter", "Bonn", "Köln", grams: 350, reward: 300, lock: 100), people.ada)
    }

    /// Creates accepted, picked-up, disputed and delivered packages.
    private func underWay(_ people: People) async throws {
        let strings = try await post(
            input("Guitar strings", "Köln", "Bonn", grams: 180, reward: 500, lock: 1_000), people.ben)
        _ = try await carrepsa.acceptances.accept(strings, by: Change(actor: people.ada))
        _ = try await carrepsa.handovers.confirmPickup(strings, code: nil, by: Change(actor: people.ben))
        _ = try await carrepsa.handovers.confirmDelivery(strings, code: nil, by: Change(actor: people.ben))
        let books = try await post(
            input("Box of books", "Köln", "Düsseldorf", grams: 4_500, reward: 800, lock: 2_500), people.ada)
        _ = try await carrepsa.acceptances.accept(books, by: Change(actor: people.mia))
        let coat = try await post(
            input("Winter coat", "München", "Ulm", grams: 1_900, reward: 950, lock: 6_000), people.mia)
        _ = try await carrepsa.acceptances.accept(coat, by: Change(actor: people.ben))
        _ = try await carrepsa.handovers.confirmPickup(coat, code: nil, by: Change(actor: people.mia))
        _ = try await carrepsa.handovers.reportDelivery(coat, by: Change(actor: people.ben))
        let wheel = try await post(
            input("Spare wheel", "Bonn", "Aachen", grams: 3_200, reward: 600, lock: 2_000), people.ada)
        _ = try await carrepsa.acceptances.accept(wheel, by: Change(actor: people.ben))
        _ = try await carrepsa.handovers.confirmPickup(wheel, code: nil, by: Change(actor: people.ada))
        _ = try await carrepsa.disputes.open(
            wheel, reason: "It should have been here on Monday, and Ben doesn’t answer.", by: Change(actor: people.ada))
    }

    private func input(
        _ title: String, _ from: String, _ to: String, grams: Int64, reward: Int64, lock: Int64
    ) -> PackageInput {
        PackageInput(title: title, from: from, to: to, weightGrams: grams, reward: reward, moneyLock: lock)
    }

    private func post(_ input: PackageInput, _ owner: Actor) async throws -> ID<Package> {
        try await carrepsa.packages.create(input, by: Change(actor: owner)).package.id
    }
}
