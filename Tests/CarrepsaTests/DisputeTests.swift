import Accounts
import Kernel
import Storage
import TestSupport
import Testing

@testable import Carrepsa

@Suite("Statements of disputes")
struct DisputeTests {
    /// A package in dispute with its people.
    private struct Dispute {
        let package: ID<Package>
        let owner: Actor
        let carrier: Actor
        let `operator`: Actor

        init(_ fixture: CarrepsaFixture) async throws {
            owner = try await fixture.person("Ada")
            carrier = try await fixture.person("Ben")
            `operator` = try await fixture.person("Olga", isOperator: true)
            package = try await fixture.travelling(by: carrier, of: owner)
            _ = try await fixture.carrepsa.disputes.open(package, reason: "It is late", by: Change(actor: owner))
        }
    }

    @Test("Owner and carrier add statements, which both and the administrator read", arguments: Engine.allCases)
    func statements(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let dispute = try await Dispute(fixture)
            let id = dispute.package
            _ = try await fixture.carrepsa.disputes.addStatement(
                id, text: "The train was late", by: Change(actor: dispute.carrier))
            _ = try await fixture.carrepsa.disputes.addStatement(
                id, text: "Since Monday?", by: Change(actor: dispute.owner))
            for actor in [dispute.owner, dispute.carrier, dispute.operator] {
                let history = try await fixture.carrepsa.packages.details(of: id, for: actor).history.suffix(3)
                #expect(history.map(\.note) == ["It is late", "The train was late", "Since Monday?"])
                #expect(history.map(\.byName) == ["Ada", "Ben", "Ada"])
            }
            #expect(try await fixture.state(id) == .travelling)
            try await fixture.checkMoney()
        }
    }

    @Test("The statements of owner and of carrier are limited", arguments: Engine.allCases)
    func bounded(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let dispute = try await Dispute(fixture)
            let id = dispute.package
            for number in 1...Limits.disputeStatements {
                _ = try await fixture.carrepsa.disputes.addStatement(
                    id, text: "\(number)", by: Change(actor: dispute.carrier))
            }
            let error = await refusal {
                _ = try await fixture.carrepsa.disputes.addStatement(
                    id, text: "one more", by: Change(actor: dispute.carrier))
            }
            #expect(error?.code == .conflict)
            #expect(error?.message == CarrepsaMessage.noStatementsLeft.text)
            #expect(
                try await !fixture.carrepsa.packages.details(of: id, for: dispute.carrier).actions.contains(
                    .addStatement))
            // The other person's limit is separate.
            _ = try await fixture.carrepsa.disputes.addStatement(id, text: "1", by: Change(actor: dispute.owner))
        }
    }

    @Test("A statement needs text of limited length, a party and an open dispute", arguments: Engine.allCases)
    func refused(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let dispute = try await Dispute(fixture)
            for text in [nil, " \n ", String(repeating: "a", count: Limits.descriptionCharacters + 1)] {
                let error = await refusal {
                    _ = try await fixture.carrepsa.disputes.addStatement(
                        dispute.package, text: text, by: Change(actor: dispute.owner))
                }
                #expect(error?.code == .invalid)
                #expect(error?.fields["statement"] != nil)
            }
            let byOperator = await refusal {
                _ = try await fixture.carrepsa.disputes.addStatement(
                    dispute.package, text: "I think", by: Change(actor: dispute.operator))
            }
            #expect(byOperator != nil)
            let quiet = try await fixture.travelling(by: dispute.carrier, of: dispute.owner)
            let early = await refusal {
                _ = try await fixture.carrepsa.disputes.addStatement(
                    quiet, text: "It is late", by: Change(actor: dispute.owner))
            }
            #expect(early?.message == CarrepsaMessage.notInDispute.text)
        }
    }

    @Test(
        "An administrator sees the contact details of owner and carrier until the decision takes effect",
        arguments: Engine.allCases)
    func contacts(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let dispute = try await Dispute(fixture)
            let other = try await fixture.person("Cleo")
            func phones(_ actor: Actor) async throws -> [String?] {
                var phones: [String?] = []
                for side in [dispute.owner, dispute.carrier, other] {
                    phones.append(try await fixture.carrepsa.contacts.person(side.person, for: actor).phone)
                }
                return phones
            }
            #expect(try await phones(dispute.operator) == ["+4930123456", "+4930123456", nil])
            #expect(try await phones(other) == [nil, nil, nil])
            try await fixture.settle(
                dispute.package, .refunded, by: dispute.operator, between: dispute.owner, and: dispute.carrier)
            #expect(try await phones(dispute.operator) == [nil, nil, nil])
        }
    }

    @Test("A later carrier doesn't see the names of earlier carriers", arguments: Engine.allCases)
    func laterCarrier(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let ben = try await fixture.person("Ben")
            let cleo = try await fixture.person("Cleo")
            let id = try await fixture.accepted(by: ben, of: ada)
            _ = try await fixture.carrepsa.acceptances.cancel(id, by: Change(actor: ben))
            _ = try await fixture.carrepsa.acceptances.accept(id, by: Change(actor: cleo))
            let seen = try await fixture.carrepsa.packages.details(of: id, for: cleo).history
            #expect(seen.map(\.byName) == ["Ada", nil, nil, "Cleo"])
            #expect(seen.map(\.by) == [ada.person, nil, nil, cleo.person])
            let owners = try await fixture.carrepsa.packages.details(of: id, for: ada).history
            #expect(owners.map(\.byName) == ["Ada", "Ben", "Ben", "Cleo"])
        }
    }
}
