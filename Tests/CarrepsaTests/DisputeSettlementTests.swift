import Accounts
import Kernel
import Ledger
import Storage
import TestSupport
import Testing

@testable import Carrepsa

@Suite("The end of disputes")
struct DisputeSettlementTests {
    private static let split = MoneySplit(rewardToCarrier: 3_00, depositToOwner: 5_00)

    /// A package in dispute with its people; reward 5.00, deposit 20.00.
    private struct Dispute {
        let fixture: CarrepsaFixture
        let id: ID<Package>
        let owner: Actor
        let carrier: Actor
        let administrator: Actor

        init(_ fixture: CarrepsaFixture) async throws {
            self.fixture = fixture
            owner = try await fixture.person("Ada")
            carrier = try await fixture.person("Ben")
            administrator = try await fixture.person("Olga", isOperator: true)
            id = try await fixture.travelling(by: carrier, of: owner)
            _ = try await fixture.carrepsa.disputes.open(
                id, kind: .damaged, reason: "It is broken", by: Change(actor: owner))
        }

        func balances() async throws -> [Int64] { try await fixture.balances(owner, carrier) }

        func decide(_ outcome: DisputeOutcome, by actor: Actor? = nil) async throws {
            try await fixture.decide(
                id, outcome, split: DisputeSettlementTests.split, by: actor ?? administrator, between: owner,
                and: carrier)
        }

        func appeal(by actor: Actor) async throws {
            _ = try await fixture.carrepsa.disputes.appeal(id, reason: "It is unfair", by: Change(actor: actor))
        }

        func state() async throws -> PackageState? { try await fixture.state(id) }
    }

    private func withDispute(_ engine: Engine, _ body: (Dispute) async throws -> Void) async throws {
        try await withFixture(engine) { fixture in
            try await body(try await Dispute(fixture))
            try await fixture.checkMoney()
            #expect(try await fixture.verify().isSound)
        }
    }

    @Test("An accepted offer divides the money in one transfer and ends the delivery", arguments: Engine.allCases)
    func accepted(engine: Engine) async throws {
        try await withDispute(engine) { dispute in
            let (disputes, id) = (dispute.fixture.carrepsa.disputes, dispute.id)
            _ = try await disputes.offerSplit(
                id, Self.split, statement: "Half each?", by: Change(actor: dispute.carrier))
            let own = await refusal { _ = try await disputes.acceptSplit(id, by: Change(actor: dispute.carrier)) }
            #expect(own?.message == CarrepsaMessage.noSplitOffered.text)
            let blind = await refusal { _ = try await disputes.acceptSplit(id, by: Change(actor: dispute.owner)) }
            #expect(blind?.message == CarrepsaMessage.versionMissing.text)
            let version = try await dispute.fixture.stored(id)?.version
            let details = try await disputes.acceptSplit(id, by: Change(actor: dispute.owner, ifVersion: version))
            #expect(details.package.state == .cancelled)
            #expect(try await dispute.fixture.count("ledger_transfer WHERE kind = 'accept-split'") == 1)
            // 2.00 of the reward and 5.00 of the deposit; 3.00 of the reward and 15.00 of the deposit.
            #expect(try await dispute.balances() == [102_00, 98_00])
            let history = try await dispute.fixture.carrepsa.packages.details(of: id, for: dispute.owner).history
            #expect(history.contains { $0.split == Self.split && $0.note == "Half each?" })
        }
    }

    @Test("An offer is replaced, taken back or declined without moving money", arguments: Engine.allCases)
    func withdrawn(engine: Engine) async throws {
        try await withDispute(engine) { dispute in
            let (disputes, id) = (dispute.fixture.carrepsa.disputes, dispute.id)
            let nothing = MoneySplit(rewardToCarrier: 0, depositToOwner: 0)
            _ = try await disputes.offerSplit(id, nothing, statement: nil, by: Change(actor: dispute.owner))
            let replaced = try await disputes.offerSplit(
                id, Self.split, statement: nil, by: Change(actor: dispute.carrier))
            #expect(replaced.dispute?.offer?.split == Self.split)
            #expect(replaced.dispute?.awaited == .carrier, "an offer without words isn't a statement")
            for actor in [dispute.owner, dispute.carrier] {
                _ = try await disputes.offerSplit(id, Self.split, statement: nil, by: Change(actor: dispute.carrier))
                let gone = try await disputes.removeOffer(id, by: Change(actor: actor))
                #expect(gone.dispute?.offer == nil)
            }
            let again = await refusal { _ = try await disputes.removeOffer(id, by: Change(actor: dispute.owner)) }
            #expect(again?.code == .conflict)
            #expect(try await dispute.balances() == [95_00, 80_00])
        }
    }

    @Test(
        "No one decides while one of the two has only offered a division, and the time for statements runs",
        arguments: Engine.allCases)
    func silentOffer(engine: Engine) async throws {
        try await withDispute(engine) { dispute in
            let (disputes, id) = (dispute.fixture.carrepsa.disputes, dispute.id)
            func decide() async -> AppError? {
                await refusal {
                    _ = try await disputes.decide(
                        id, outcome: .refunded, note: "Seen", by: Change(actor: dispute.administrator))
                }
            }
            _ = try await disputes.offerSplit(id, Self.split, statement: " ", by: Change(actor: dispute.carrier))
            #expect(await decide()?.message == CarrepsaMessage.notHeard.text)
            let heard = try await disputes.offerSplit(
                id, Self.split, statement: "Half each?", by: Change(actor: dispute.carrier))
            #expect(heard.dispute?.awaited == nil)
            #expect(await decide() == nil)
        }
        try await withDispute(engine) { dispute in
            let (disputes, id) = (dispute.fixture.carrepsa.disputes, dispute.id)
            _ = try await disputes.offerSplit(id, Self.split, statement: nil, by: Change(actor: dispute.carrier))
            dispute.fixture.clock.advance(seconds: Limits.disputeAnswerSeconds)
            _ = try await disputes.decide(
                id, outcome: .refunded, note: "Seen", by: Change(actor: dispute.administrator))
        }
    }

    @Test(
        "A division beyond the reward or the deposit is refused at its field", arguments: Engine.allCases,
        [
            (-1, 0, "rewardToCarrier"), (5_01, 0, "rewardToCarrier"), (0, -1, "depositToOwner"),
            (0, 20_01, "depositToOwner"),
        ])
    func outOfRange(engine: Engine, amounts: (Int64, Int64, String)) async throws {
        try await withDispute(engine) { dispute in
            let split = MoneySplit(rewardToCarrier: amounts.0, depositToOwner: amounts.1)
            let disputes = dispute.fixture.carrepsa.disputes
            let offer = await refusal {
                _ = try await disputes.offerSplit(
                    dispute.id, split, statement: nil, by: Change(actor: dispute.carrier))
            }
            #expect(offer?.fields.keys.sorted() == [amounts.2])
            _ = try await disputes.addStatement(dispute.id, text: "No", by: Change(actor: dispute.carrier))
            let decision = await refusal {
                _ = try await disputes.decide(
                    dispute.id, outcome: .split, split: split, note: "Both",
                    by: Change(actor: dispute.administrator))
            }
            #expect(decision?.fields.keys.sorted() == [amounts.2])
            #expect(try await dispute.state() == .travelling)
        }
    }

    @Test("A decision needs a reason, and for a division its amounts", arguments: Engine.allCases)
    func unfounded(engine: Engine) async throws {
        try await withDispute(engine) { dispute in
            let disputes = dispute.fixture.carrepsa.disputes
            _ = try await disputes.addStatement(dispute.id, text: "No", by: Change(actor: dispute.carrier))
            for (note, split, field) in [(" ", Self.split, "note"), ("Both", nil, "rewardToCarrier")] {
                let error = await refusal {
                    _ = try await disputes.decide(
                        dispute.id, outcome: .split, split: split, note: note,
                        by: Change(actor: dispute.administrator))
                }
                #expect(error?.fields[field] != nil)
            }
        }
    }

    @Test("A decision takes effect when owner and carrier accept it, and not before", arguments: Engine.allCases)
    func bothAccept(engine: Engine) async throws {
        try await withDispute(engine) { dispute in
            let disputes = dispute.fixture.carrepsa.disputes
            try await dispute.decide(.split)
            _ = try await disputes.acceptDecision(dispute.id, by: Change(actor: dispute.owner))
            let again = await refusal {
                _ = try await disputes.acceptDecision(dispute.id, by: Change(actor: dispute.owner))
            }
            #expect(again?.message == CarrepsaMessage.decisionAccepted.text)
            let appeal = await refusal { try await dispute.appeal(by: dispute.owner) }
            #expect(appeal?.message == CarrepsaMessage.decisionAccepted.text)
            #expect(try await dispute.balances() == [95_00, 80_00])
            let end = try await disputes.acceptDecision(dispute.id, by: Change(actor: dispute.carrier))
            #expect(end.package.state == .cancelled)
            #expect(try await dispute.balances() == [102_00, 98_00])
        }
    }

    @Test("An appeal stops the decision; the second one is final and takes effect at once", arguments: Engine.allCases)
    func appealed(engine: Engine) async throws {
        try await withDispute(engine) { dispute in
            try await dispute.decide(.lost)
            try await dispute.appeal(by: dispute.carrier)
            dispute.fixture.clock.advance(seconds: Limits.appealSeconds - 1)
            try await dispute.fixture.carrepsa.housekeeping.run()
            #expect(try await dispute.state() == .travelling)
            // The owner is heard again. There is no other administrator, so the same one decides.
            let early = await refusal {
                _ = try await dispute.fixture.carrepsa.disputes.decide(
                    dispute.id, outcome: .lost, note: "Again", by: Change(actor: dispute.administrator))
            }
            #expect(early?.message == CarrepsaMessage.notHeard.text)
            try await dispute.decide(.split)
            #expect(try await dispute.state() == .cancelled)
            #expect(try await dispute.balances() == [102_00, 98_00])
            let third = await refusal { try await dispute.appeal(by: dispute.owner) }
            #expect(third?.code == .conflict)
        }
    }

    @Test("Only one appeal is possible, and only before the decision takes effect", arguments: Engine.allCases)
    func lateAppeal(engine: Engine) async throws {
        try await withDispute(engine) { dispute in
            try await dispute.decide(.lost)
            dispute.fixture.clock.advance(seconds: Limits.appealSeconds)
            let late = await refusal { try await dispute.appeal(by: dispute.carrier) }
            #expect(late?.message == CarrepsaMessage.noOpenDecision.text)
            try await dispute.fixture.carrepsa.housekeeping.run()
            #expect(try await dispute.balances() == [120_00, 80_00])
        }
    }

    @Test(
        "Another administrator decides about an appeal, if there is one without a part in it",
        arguments: Engine.allCases)
    func another(engine: Engine) async throws {
        try await withDispute(engine) { dispute in
            let fixture = dispute.fixture
            let omar = try await fixture.person("Omar", isOperator: true)
            try await dispute.decide(.lost)
            try await dispute.appeal(by: dispute.carrier)
            _ = try await fixture.carrepsa.disputes.addStatement(
                dispute.id, text: "It is right", by: Change(actor: dispute.owner))
            let same = await refusal { try await dispute.decide(.lost) }
            #expect(same?.message == CarrepsaMessage.anotherDecides.text)
            let seen = try await fixture.carrepsa.packages.details(of: dispute.id, for: dispute.administrator)
            #expect(seen.actions == [], "the page doesn't offer it")
            #expect(seen.isAppealOfViewer)
            let people = [dispute.administrator.person, omar.person]
            let counts = try await fixture.database.read { [disputes = fixture.carrepsa.disputes] tx in
                try people.map { try disputes.openCount(for: $0, in: tx) }
            }
            #expect(counts == [0, 1])
            try await dispute.decide(.refunded, by: omar)
            #expect(try await dispute.balances() == [100_00, 100_00])
        }
    }

    @Test("An administrator who carried the package before doesn't decide", arguments: Engine.allCases)
    func formerCarrier(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let ben = try await fixture.person("Ben")
            let olga = try await fixture.person("Olga", isOperator: true)
            let omar = try await fixture.person("Omar", isOperator: true)
            let id = try await fixture.accepted(by: olga, of: ada)
            _ = try await fixture.carrepsa.acceptances.cancel(id, by: Change(actor: olga))
            _ = try await fixture.carrepsa.acceptances.accept(id, by: Change(actor: ben))
            _ = try await fixture.carrepsa.handovers.confirmPickup(id, code: nil, by: Change(actor: ada))
            _ = try await fixture.carrepsa.disputes.open(id, reason: "Late", by: Change(actor: ada))
            let error = await refusal {
                try await fixture.decide(id, .refunded, by: olga, between: ada, and: ben)
            }
            #expect(error?.message == CarrepsaMessage.hasPart.text)
            // Without another administrator the money would stay in escrow.
            try await fixture.database.write { tx in
                try tx.execute("UPDATE account SET is_operator = 0 WHERE id = \(omar.person)")
            }
            try await fixture.decide(id, .refunded, by: olga, between: ada, and: ben)
        }
    }

    @Test("Statements end after their time, once, and the administrators are notified", arguments: Engine.allCases)
    func closed(engine: Engine) async throws {
        try await withDispute(engine) { dispute in
            let fixture = dispute.fixture
            fixture.clock.advance(seconds: Limits.disputeAnswerSeconds - 1)
            try await fixture.carrepsa.housekeeping.run()
            let before = try await fixture.notices().count
            fixture.clock.advance(seconds: 1)
            try await fixture.carrepsa.housekeeping.run()
            try await fixture.carrepsa.housekeeping.run()
            let notices = try await fixture.notices().dropFirst(before)
            #expect(notices.count == 3)
            #expect(notices.first { $0.person == dispute.administrator.person }?.details["event"] == "readyToDecide")
            let late = await refusal {
                _ = try await fixture.carrepsa.disputes.addStatement(
                    dispute.id, text: "Wait", by: Change(actor: dispute.carrier))
            }
            #expect(late?.message == CarrepsaMessage.statementsClosed.text)
            _ = try await fixture.carrepsa.disputes.decide(
                dispute.id, outcome: .lost, note: "No answer", by: Change(actor: dispute.administrator))
        }
    }

    @Test("Owner or carrier is reminded once of a missing statement, a day before the end", arguments: Engine.allCases)
    func reminded(engine: Engine) async throws {
        try await withDispute(engine) { dispute in
            let fixture = dispute.fixture
            let seconds = Limits.disputeAnswerSeconds - Limits.statementReminderSeconds
            fixture.clock.advance(seconds: seconds - 1)
            try await fixture.carrepsa.housekeeping.run()
            let before = try await fixture.notices().count
            fixture.clock.advance(seconds: 1)
            for _ in 0..<2 { try await fixture.carrepsa.housekeeping.run() }
            let notices = try await fixture.notices().dropFirst(before)
            #expect(notices.map(\.person) == [dispute.carrier.person])
            #expect(notices.first?.details["event"] == "statementDue")
            // The appeal begins a new time, with its own reminder for the other person.
            try await dispute.decide(.lost)
            try await dispute.appeal(by: dispute.carrier)
            fixture.clock.advance(seconds: seconds)
            let later = try await fixture.notices().count
            for _ in 0..<2 { try await fixture.carrepsa.housekeeping.run() }
            #expect(try await fixture.notices().dropFirst(later).map(\.person) == [dispute.owner.person])
        }
    }

    @Test("A decision ends offers and requests to cancel that were made before it", arguments: Engine.allCases)
    func older(engine: Engine) async throws {
        try await withDispute(engine) { dispute in
            let carrepsa = dispute.fixture.carrepsa
            _ = try await carrepsa.disputes.offerSplit(
                dispute.id, Self.split, statement: nil, by: Change(actor: dispute.owner))
            _ = try await carrepsa.cancellations.request(dispute.id, by: Change(actor: dispute.owner))
            try await dispute.decide(.lost)
            let offer = await refusal {
                _ = try await carrepsa.disputes.acceptSplit(dispute.id, by: Change(actor: dispute.carrier))
            }
            #expect(offer?.message == CarrepsaMessage.noSplitOffered.text)
            let details = try await carrepsa.cancellations.request(dispute.id, by: Change(actor: dispute.carrier))
            #expect(details.package.state == .travelling, "it is a new request")
        }
    }

    @Test("Statements stay readable after many later entries", arguments: Engine.allCases)
    func crowdedOut(engine: Engine) async throws {
        try await withDispute(engine) { dispute in
            let cancellations = dispute.fixture.carrepsa.cancellations
            for _ in 0...Limits.packageHistoryEntries / 2 {
                _ = try await cancellations.request(dispute.id, by: Change(actor: dispute.carrier))
                _ = try await cancellations.retract(dispute.id, by: Change(actor: dispute.carrier))
            }
            let history = try await dispute.fixture.carrepsa.packages.details(
                of: dispute.id, for: dispute.administrator
            )
            .history
            #expect(history.first?.note == "It is broken")
            #expect(history.count == Limits.packageHistoryEntries + 1)
        }
    }

    @Test("The export contains a person's statements and offers", arguments: Engine.allCases)
    func exported(engine: Engine) async throws {
        try await withDispute(engine) { dispute in
            _ = try await dispute.fixture.carrepsa.disputes.offerSplit(
                dispute.id, Self.split, statement: nil, by: Change(actor: dispute.carrier))
            for (actor, text) in [(dispute.owner, "It is broken"), (dispute.carrier, "300")] {
                let files = try await dispute.fixture.carrepsa.dataHandler.attachments(of: actor.person)
                let file = try #require(files.first { $0.path == "carrepsa/statements.json" })
                var bytes: [UInt8] = []
                if let pieces = try await file.open() { for try await piece in pieces { bytes += piece } }
                #expect(String(decoding: bytes, as: UTF8.self).contains(text))
            }
        }
    }

    @Test("A dispute without a row, from a server of the version before, can be decided", arguments: Engine.allCases)
    func withoutRow(engine: Engine) async throws {
        try await withDispute(engine) { dispute in
            try await dispute.fixture.database.write { tx in
                try tx.execute("DELETE FROM carrepsa_dispute WHERE package_id = \(dispute.id)")
            }
            _ = try await dispute.fixture.carrepsa.disputes.addStatement(
                dispute.id, text: "Yes", by: Change(actor: dispute.carrier))
            try await dispute.decide(.refunded)
            #expect(try await dispute.state() == .travelling)
        }
    }

    @Test("Administrators see the disputes that wait for a decision, also after an appeal", arguments: Engine.allCases)
    func listed(engine: Engine) async throws {
        try await withDispute(engine) { dispute in
            func listed() async throws -> Int {
                let page = try await dispute.fixture.carrepsa.disputes.list(
                    for: dispute.administrator, after: nil, limit: 10)
                let count = try await dispute.fixture.database.read {
                    [disputes = dispute.fixture.carrepsa.disputes, person = dispute.administrator.person] tx in
                    try disputes.openCount(for: person, in: tx)
                }
                #expect(page.items.count == count)
                return count
            }
            #expect(try await listed() == 1)
            try await dispute.decide(.lost)
            #expect(try await listed() == 0)
            try await dispute.appeal(by: dispute.carrier)
            #expect(try await listed() == 1)
        }
    }

    @Test(
        "The audit names a changed amount of an offer or a decision", arguments: Engine.allCases,
        ["offerSplit", "decideSplit"])
    func sealed(engine: Engine, event: String) async throws {
        try await withDispute(engine) { dispute in
            _ = try await dispute.fixture.carrepsa.disputes.offerSplit(
                dispute.id, Self.split, statement: "Half", by: Change(actor: dispute.carrier))
            try await dispute.decide(.split)
            #expect(try await dispute.fixture.carrepsa.evidenceAudit.findings().isEmpty)
            try await dispute.fixture.database.write { tx in
                try tx.execute("UPDATE carrepsa_story SET split_deposit = 501 WHERE event = \(event)")
            }
            let findings = try await dispute.fixture.carrepsa.evidenceAudit.findings()
            #expect(findings.map(\.column) == ["split_deposit"])
            #expect(findings.map(\.firstByte) == [2])
        }
    }
}
