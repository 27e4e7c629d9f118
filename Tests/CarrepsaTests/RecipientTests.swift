import Accounts
import Kernel
import Storage
import TestSupport
import Testing

@testable import Carrepsa

@Suite("Recipients")
struct RecipientTests {
    private static let address = "192.0.2.1"

    /// A package with a recipient, and the secret of their page.
    private struct Delivery {
        let fixture: CarrepsaFixture
        let package: ID<Package>
        let owner: Actor
        let carrier: Actor
        let secret: String

        init(_ fixture: CarrepsaFixture, isTravelling: Bool = true) async throws {
            self.fixture = fixture
            owner = try await fixture.person("Ada Lovelace")
            carrier = try await fixture.person("Ben Nevis")
            package =
                isTravelling
                ? try await fixture.travelling(by: carrier, of: owner)
                : try await fixture.accepted(by: carrier, of: owner)
            secret = try #require(
                try await fixture.carrepsa.recipients.set(
                    RecipientTests.mia, of: package, by: Change(actor: owner)
                ).secret)
        }

        func view(_ secret: String? = nil) async throws -> DeliveryView {
            try await fixture.carrepsa.deliveryViews.view(secret ?? self.secret, clientAddress: address)
        }

        func confirm(_ code: String?) async throws {
            _ = try await fixture.carrepsa.handovers.confirmDelivery(package, code: code, by: Change(actor: carrier))
        }
    }

    private static let mia = RecipientInput(name: "Mia", contact: "mia@example.org", address: "Am Markt 1\nBonn")

    @Test("Owner and carrier see the recipient; a stranger and a former carrier don't", arguments: Engine.allCases)
    func seenBy(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let delivery = try await Delivery(fixture, isTravelling: false)
            let stranger = try await fixture.person("Cleo")
            let recipients = fixture.carrepsa.recipients
            let owners = try await recipients.recipient(of: delivery.package, for: delivery.owner)
            #expect(owners.recipient?.email == "mia@example.org" && owners.secret == delivery.secret)
            let carriers = try await recipients.recipient(of: delivery.package, for: delivery.carrier)
            #expect(carriers.recipient?.address == "Am Markt 1\nBonn" && carriers.secret == nil)
            let error = await refusal { _ = try await recipients.recipient(of: delivery.package, for: stranger) }
            #expect(error?.code == .notFound)
            let change = Change(actor: delivery.carrier)
            let own = await refusal { _ = try await recipients.set(Self.mia, of: delivery.package, by: change) }
            #expect(own?.code == .forbidden)
            _ = try await fixture.carrepsa.acceptances.cancel(delivery.package, by: change)
            for work in [
                { _ = try await recipients.recipient(of: delivery.package, for: delivery.carrier) },
                { _ = try await recipients.setMeeting("Here", of: delivery.package, by: change) },
            ] as [@Sendable () async throws -> Void] {
                #expect(await refusal(work)?.code == .notFound)
            }
        }
    }

    @Test("A recipient needs a name, and a phone number or an email address")
    func validation() {
        func fields(_ input: RecipientInput) -> Set<String> {
            do {
                try input.check()
                return []
            } catch {
                return Set((error as? AppError)?.fields.keys.map { $0 } ?? [])
            }
        }
        #expect(fields(RecipientInput(name: " ", contact: "", address: nil)) == ["name", "contact"])
        let long = String(repeating: "a", count: Limits.recipientTextCharacters + 1)
        #expect(fields(RecipientInput(name: "Mia", contact: "nothing", address: long)) == ["contact", "address"])
        #expect(fields(RecipientInput(name: "Mia", contact: "+49 30 123456", address: "")) == [])
    }

    @Test("The recipient's page shows first names, no amounts, and a code only on the way", arguments: Engine.allCases)
    func page(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let delivery = try await Delivery(fixture, isTravelling: false)
            _ = try await fixture.carrepsa.recipients.setMeeting(
                "Friday, station", of: delivery.package, by: Change(actor: delivery.carrier))
            var view = try await delivery.view()
            #expect(view.ownerName == "Ada" && view.carrierName == "Ben" && view.state == .accepted)
            #expect(view.recipient.meeting == "Friday, station" && view.code == nil)
            _ = try await fixture.carrepsa.handovers.confirmPickup(
                delivery.package, code: nil, by: Change(actor: delivery.owner))
            view = try await delivery.view()
            #expect(view.code?.count == Limits.recipientCodeDigits)
            try await delivery.confirm(view.code)
            view = try await delivery.view()
            #expect(view.state == .delivered && view.code == nil && !view.canRefuse && !view.canInstruct)
        }
    }

    @Test(
        "The recipient's code confirms the delivery and pays the carrier, as the owner's does",
        arguments: Engine.allCases)
    func code(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let delivery = try await Delivery(fixture)
            let code = try #require(try await delivery.view().code)
            let wrong = await refusal { try await delivery.confirm("00000000" == code ? "00000001" : "00000000") }
            #expect(wrong?.code == .invalid)
            #expect(try await fixture.state(delivery.package) == .travelling)
            try await delivery.confirm(code.prefix(4) + " " + code.suffix(4))
            #expect(try await fixture.balances(delivery.owner, delivery.carrier) == [95_00, 105_00])
            try await fixture.checkMoney()
        }
    }

    @Test("A renewed or revoked link ends the former page and its code", arguments: Engine.allCases)
    func renewed(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let delivery = try await Delivery(fixture)
            let recipients = fixture.carrepsa.recipients
            let old = try #require(try await delivery.view().code)
            let renewed = try await recipients.renewLink(of: delivery.package, by: Change(actor: delivery.owner))
            let secret = try #require(renewed.secret)
            #expect(await refusal { _ = try await delivery.view() }?.code == .notFound)
            let code = try #require(try await delivery.view(secret).code)
            #expect(code != old)
            #expect(await refusal { try await delivery.confirm(old) }?.code == .invalid)
            _ = try await recipients.revokeLink(of: delivery.package, by: Change(actor: delivery.owner))
            #expect(await refusal { _ = try await delivery.view(secret) }?.code == .notFound)
            #expect(await refusal { try await delivery.confirm(code) }?.code == .invalid)
            #expect(try await fixture.balances(delivery.owner, delivery.carrier) == [95_00, 80_00])
        }
    }

    @Test(
        "Another contact gets another link and no former texts; a corrected name keeps both", arguments: Engine.allCases
    )
    func otherPerson(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let delivery = try await Delivery(fixture)
            let recipients = fixture.carrepsa.recipients
            let named = RecipientInput(name: "Mia M", contact: "mia@example.org", address: nil)
            let same = try await recipients.set(named, of: delivery.package, by: Change(actor: delivery.owner))
            #expect(same.secret == delivery.secret && same.recipient?.name == "Mia M")
            let views = fixture.carrepsa.deliveryViews
            _ = try await views.instruct("With Karl", delivery.secret, clientAddress: Self.address)
            _ = try await recipients.setMeeting("Here", of: delivery.package, by: Change(actor: delivery.owner))
            _ = try await views.refuse(delivery.secret, clientAddress: Self.address)
            _ = try await recipients.revokeLink(of: delivery.package, by: Change(actor: delivery.owner))
            let back = try await recipients.set(named, of: delivery.package, by: Change(actor: delivery.owner))
            #expect(back.recipient?.meeting == "Here" && back.recipient?.leaveAt == "With Karl" && back.isRefused)
            let noah = RecipientInput(name: "Noah", contact: "+4930123456", address: nil)
            let other = try await recipients.set(noah, of: delivery.package, by: Change(actor: delivery.owner))
            #expect(other.secret != back.secret && !other.isRefused)
            #expect(other.recipient?.meeting == nil && other.recipient?.leaveAt == nil)
            #expect(await refusal { _ = try await delivery.view() }?.code == .notFound)
            let stale = Change(actor: delivery.owner, ifVersion: 1)
            let conflict = await refusal {
                _ = try await recipients.set(noah, of: delivery.package, by: stale)
            }
            #expect(conflict?.code == .conflict)
        }
    }

    @Test("A refusal moves no money, and the carrier can't cancel alone after it", arguments: Engine.allCases)
    func refused(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let delivery = try await Delivery(fixture)
            let views = fixture.carrepsa.deliveryViews
            let view = try await views.refuse(delivery.secret, clientAddress: Self.address)
            #expect(view.isRefused && !view.canRefuse)
            let again = await refusal { _ = try await views.refuse(delivery.secret, clientAddress: Self.address) }
            #expect(again?.code == .conflict)
            let stored = try #require(try await fixture.stored(delivery.package))
            #expect(stored.cancellationRequestedBy == nil && stored.state == .travelling && stored.refusedAt != nil)
            _ = try await fixture.carrepsa.cancellations.request(delivery.package, by: Change(actor: delivery.carrier))
            #expect(try await fixture.state(delivery.package) == .travelling)
            #expect(try await fixture.balances(delivery.owner, delivery.carrier) == [95_00, 80_00])
            _ = try await fixture.carrepsa.cancellations.request(delivery.package, by: Change(actor: delivery.owner))
            #expect(try await fixture.balances(delivery.owner, delivery.carrier) == [100_00, 100_00])
            #expect(try await fixture.state(delivery.package) == .cancelled)
            try await fixture.checkMoney()
        }
    }

    @Test("A refusal and the carrier's request at once move no money", arguments: Engine.allCases)
    func raced(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            for _ in 0..<Counts.races {
                let delivery = try await Delivery(fixture)
                let codes = await together([
                    {
                        _ = try await fixture.carrepsa.deliveryViews.refuse(
                            delivery.secret, clientAddress: Self.address)
                    },
                    {
                        _ = try await fixture.carrepsa.cancellations.request(
                            delivery.package, by: Change(actor: delivery.carrier))
                    },
                ])
                let stored = try #require(try await fixture.stored(delivery.package))
                let balances = try await fixture.balances(delivery.owner, delivery.carrier)
                #expect(codes == [nil, nil])
                #expect(stored.cancellationRequestedBy == .carrier && stored.refusedAt != nil)
                #expect(stored.state == .travelling && balances == [95_00, 80_00])
            }
            try await fixture.checkMoney()
        }
    }

    @Test("A refusal keeps the carrier's request, and is possible before the pickup", arguments: Engine.allCases)
    func refusedEarlier(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let asked = try await Delivery(fixture)
            _ = try await fixture.carrepsa.cancellations.request(asked.package, by: Change(actor: asked.carrier))
            _ = try await fixture.carrepsa.deliveryViews.refuse(asked.secret, clientAddress: Self.address)
            #expect(try await fixture.stored(asked.package)?.cancellationRequestedBy == .carrier)
            let early = try await Delivery(fixture, isTravelling: false)
            _ = try await fixture.carrepsa.deliveryViews.refuse(early.secret, clientAddress: Self.address)
            let stored = try #require(try await fixture.stored(early.package))
            #expect(stored.state == .accepted && stored.cancellationRequestedBy == nil && stored.refusedAt != nil)
        }
    }

    @Test(
        "The recipient says where to leave it; owner and carrier are notified, and strangers never see it",
        arguments: Engine.allCases)
    func instructions(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let delivery = try await Delivery(fixture, isTravelling: false)
            let before = try await fixture.notices().count
            _ = try await fixture.carrepsa.deliveryViews.instruct(
                "With Karl, ground floor", delivery.secret, clientAddress: Self.address)
            let notices = try await fixture.notices().dropFirst(before)
            #expect(Set(notices.map(\.person)) == [delivery.owner.person, delivery.carrier.person])
            let seen = try await fixture.carrepsa.recipients.recipient(of: delivery.package, for: delivery.carrier)
            #expect(seen.recipient?.leaveAt == "With Karl, ground floor")
            _ = try await fixture.carrepsa.acceptances.cancel(delivery.package, by: Change(actor: delivery.carrier))
            let stranger = try await fixture.person("Cleo")
            let history = try await fixture.carrepsa.packages.details(of: delivery.package, for: stranger).history
            #expect(history.contains { $0.event == .action(.instruct) })
            #expect(history.allSatisfy { $0.note == nil })
            let closed = await refusal {
                _ = try await fixture.carrepsa.deliveryViews.instruct(
                    "Here", delivery.secret, clientAddress: Self.address)
            }
            #expect(closed?.code == .conflict)
        }
    }

    @Test("The page closes 14 days after the delivery, and the recipient is deleted then", arguments: Engine.allCases)
    func expired(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let delivery = try await Delivery(fixture)
            _ = try await fixture.carrepsa.handovers.confirmDelivery(
                delivery.package, code: nil, by: Change(actor: delivery.owner))
            fixture.clock.advance(seconds: Limits.recipientPageSeconds - 1)
            try await fixture.carrepsa.housekeeping.run()
            #expect(try await delivery.view().state == .delivered)
            fixture.clock.advance(seconds: 1)
            #expect(await refusal { _ = try await delivery.view() }?.code == .notFound)
            let late = await refusal {
                _ = try await fixture.carrepsa.recipients.recipient(of: delivery.package, for: delivery.carrier)
            }
            #expect(late?.code == .notFound)
            try await fixture.carrepsa.housekeeping.run()
            #expect(try await fixture.count("carrepsa_recipient") == 0)
        }
    }

    @Test(
        "Unknown secrets are throttled by network, and the deletion of the owner deletes the recipient",
        arguments: Engine.allCases)
    func guessed(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let delivery = try await Delivery(fixture)
            for _ in 0..<Limits.publicSecretFailures {
                #expect(await refusal { _ = try await delivery.view("guess") }?.code == .notFound)
            }
            #expect(await refusal { _ = try await delivery.view() }?.code == .throttled)
            _ = try await fixture.carrepsa.handovers.confirmDelivery(
                delivery.package, code: nil, by: Change(actor: delivery.owner))
            try await fixture.database.write { tx in try PackageStore.forget(delivery.owner.person, in: tx) }
            #expect(try await fixture.count("carrepsa_recipient") == 0)
        }
    }
}
