import Accounts
import Kernel
import Storage
import TestSupport
import Testing

@testable import Carrepsa

@Suite("Recipients: instructions, the next carrier, and servers of the version before")
struct RecipientHistoryTests {
    private static let address = "192.0.2.1"
    private static let mia = RecipientInput(name: "Mia", contact: "mia@example.org", address: nil)

    private struct Delivery {
        let package: ID<Package>
        let owner: Actor
        let carrier: Actor
        let secret: String

        init(_ fixture: CarrepsaFixture) async throws {
            owner = try await fixture.person("Ada Lovelace")
            carrier = try await fixture.person("Ben Nevis")
            package = try await fixture.accepted(by: carrier, of: owner)
            let entered = try await fixture.carrepsa.recipients.set(mia, of: package, by: Change(actor: owner))
            secret = try #require(entered.secret)
        }
    }

    @Test("The same instruction again writes nothing, and their number is limited", arguments: Engine.allCases)
    func instructions(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let delivery = try await Delivery(fixture)
            let views = fixture.carrepsa.deliveryViews
            for number in 1...Limits.recipientInstructions {
                let text = "With number \(number)"
                let view = try await views.instruct(text, delivery.secret, clientAddress: Self.address)
                #expect(view.recipient.leaveAt == text)
                // The page's own limit of changes is by the hour.
                fixture.clock.advance(seconds: Limits.recipientChangeSeconds)
            }
            let last = "With number \(Limits.recipientInstructions)"
            let before = try await fixture.count("carrepsa_story")
            let notices = try await fixture.notices().count
            let same = try await views.instruct(last, delivery.secret, clientAddress: Self.address)
            #expect(same.recipient.leaveAt == last)
            let more = await refusal {
                _ = try await views.instruct("One more", delivery.secret, clientAddress: Self.address)
            }
            #expect(more?.code == .conflict)
            #expect(try await fixture.count("carrepsa_story") == before)
            #expect(try await fixture.notices().count == notices)
            #expect(
                try await views.view(delivery.secret, clientAddress: Self.address).recipient.leaveAt == last)
        }
    }

    @Test("An open page whose link ended doesn't count as a guess", arguments: Engine.allCases)
    func openPage(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let (ended, other) = (try await Delivery(fixture), try await Delivery(fixture))
            let views = fixture.carrepsa.deliveryViews
            let mark = try await views.view(ended.secret, clientAddress: Self.address).pageMark
            _ = try await fixture.carrepsa.recipients.revokeLink(of: ended.package, by: Change(actor: ended.owner))
            for _ in 0...Limits.publicSecretFailures {
                let error = await refusal {
                    _ = try await views.view(ended.secret, clientAddress: Self.address, mark: mark)
                }
                #expect(error?.code == .notFound)
            }
            // The mark of one page is none of another secret's.
            for _ in 0..<Limits.publicSecretFailures {
                let error = await refusal { _ = try await views.view("guess", clientAddress: Self.address, mark: mark) }
                #expect(error?.code == .notFound)
            }
            let throttled = await refusal { _ = try await views.view(other.secret, clientAddress: Self.address) }
            #expect(throttled?.code == .throttled)
        }
    }

    @Test("The meeting of a former carrier isn't shown to the next one", arguments: Engine.allCases)
    func nextCarrier(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let delivery = try await Delivery(fixture)
            let recipients = fixture.carrepsa.recipients
            _ = try await fixture.carrepsa.deliveryViews.instruct(
                "With Karl", delivery.secret, clientAddress: Self.address)
            let met = try await recipients.setMeeting(
                "Friday, station", of: delivery.package, by: Change(actor: delivery.carrier))
            _ = try await fixture.carrepsa.acceptances.cancel(delivery.package, by: Change(actor: delivery.carrier))
            let next = try await recipients.recipient(of: delivery.package, for: delivery.owner)
            #expect(next.recipient?.meeting == nil && next.recipient?.leaveAt == "With Karl")
            #expect(next.recipient?.version == met.recipient.map { $0.version + 1 })
        }
    }

    @Test("A server of the version before can read the roles in the history", arguments: Engine.allCases)
    func roles(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let delivery = try await Delivery(fixture)
            let views = fixture.carrepsa.deliveryViews
            _ = try await views.instruct("With Karl", delivery.secret, clientAddress: Self.address)
            _ = try await views.refuse(delivery.secret, clientAddress: Self.address)
            let stored: [String] = try await fixture.database.read { tx in
                try tx.rows("SELECT role FROM carrepsa_story ORDER BY number").map { try $0.get("role") }
            }
            #expect(stored == ["owner", "stranger", "stranger", "stranger"])
            let history = try await fixture.carrepsa.packages.details(of: delivery.package, for: delivery.owner).history
            #expect(history.map(\.role) == [.owner, .stranger, .recipient, .recipient])
        }
    }

    @Test(
        "Housekeeping closes the page of a package that a server of the version before finished",
        arguments: Engine.allCases)
    func unclosed(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let (open, finished) = (try await Delivery(fixture), try await Delivery(fixture))
            let now = fixture.now
            try await fixture.database.write { tx in
                try tx.execute(
                    """
                    UPDATE carrepsa_package SET state = 'delivered', reward_held = 0, finished_at = \(now)
                    WHERE id = \(finished.package)
                    """
                )
            }
            fixture.clock.advance(seconds: 60)
            try await fixture.carrepsa.housekeeping.run()
            let ends = try await fixture.database.read { tx in
                try [open, finished].map { try RecipientStore.recipient(of: $0.package, in: tx)?.endsAt }
            }
            #expect(ends == [nil, now.adding(seconds: Limits.recipientPageSeconds)])
        }
    }

    @Test(
        "Housekeeping deletes the recipient of an owner whose account a server of the version before deleted",
        arguments: Engine.allCases)
    func ownerless(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let (kept, ownerless) = (try await Delivery(fixture), try await Delivery(fixture))
            let now = fixture.now
            try await fixture.database.write { tx in
                try tx.execute(
                    """
                    UPDATE carrepsa_package
                    SET owner_id = NULL, state = 'delivered', reward_held = 0, finished_at = \(now)
                    WHERE id = \(ownerless.package)
                    """
                )
            }
            try await fixture.carrepsa.housekeeping.run()
            let left = try await fixture.database.read { tx in
                try [kept, ownerless].map { try RecipientStore.recipient(of: $0.package, in: tx)?.name }
            }
            #expect(left == ["Mia", nil])
        }
    }
}
