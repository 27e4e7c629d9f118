import Accounts
import Kernel
import Ledger
import Notifications
import Storage
import TestSupport
import Testing

@testable import Carrepsa

extension CarrepsaFixture {
    @discardableResult
    func write(_ text: String, about id: ID<Package>, by actor: Actor) async throws -> PackageMessage {
        clock.advance(milliseconds: 1)
        let input = PackageMessageInput(text: text, pictureID: nil, place: nil)
        return try await carrepsa.messages.send(input, about: id, by: Change(actor: actor))
    }

    /// Returns the texts that a person reads, the oldest first; `nil` if the person may read none.
    func texts(_ id: ID<Package>, _ actor: Actor) async throws -> [String?]? {
        do {
            return try await carrepsa.messages.conversation(about: id, for: actor).messages.items.map(\.text).reversed()
        } catch let error as AppError where error.code == .notFound {
            return nil
        }
    }
}

@Suite("Messages about packages")
struct MessageTests {
    /// A package that Ben carries for Ada, with Cleo, who is no party.
    private struct Delivery {
        let package: ID<Package>
        let ada: Actor
        let ben: Actor
        let cleo: Actor

        init(_ fixture: CarrepsaFixture, isPickedUp: Bool = false) async throws {
            ada = try await fixture.person("Ada")
            ben = try await fixture.person("Ben")
            cleo = try await fixture.person("Cleo")
            for actor in [ada, ben, cleo] { try await fixture.carrepsa.memberships.ensureWallet(of: actor) }
            package =
                isPickedUp
                ? try await fixture.travelling(by: ben, of: ada) : try await fixture.accepted(by: ben, of: ada)
        }

        /// Cancels Ben's acceptance, and lets Cleo accept.
        func handOver(_ fixture: CarrepsaFixture) async throws {
            _ = try await fixture.carrepsa.acceptances.cancel(package, by: Change(actor: ada))
            _ = try await fixture.carrepsa.acceptances.accept(package, by: Change(actor: cleo))
        }
    }

    @Test("Owner and carrier write and read, and no other person", arguments: Engine.allCases)
    func parties(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let delivery = try await Delivery(fixture)
            let id = delivery.package
            try await fixture.write("I come at five", about: id, by: delivery.ben)
            try await fixture.write("Second floor", about: id, by: delivery.ada)
            for actor in [delivery.ada, delivery.ben] {
                #expect(try await fixture.texts(id, actor) == ["I come at five", "Second floor"])
            }
            let olga = try await fixture.person("Olga", isOperator: true)
            for actor in [delivery.cleo, olga] {
                #expect(try await fixture.texts(id, actor) == nil)
                let error = await refusal { try await fixture.write("Hello", about: id, by: actor) }
                #expect(error?.code == .notFound)
            }
            let notices = try await fixture.notices().filter { $0.kind == NoticeKind.packageMessage.rawValue }
            #expect(notices.map(\.person) == [delivery.ada.person, delivery.ben.person])
            #expect(notices.map { $0.details["quote"] } == ["I come at five", "Second floor"])
            let events = try await fixture.events().filter { $0.kind == "message" }
            #expect(Set(events.map(\.audience)) == [delivery.ada.person, delivery.ben.person])
            try await fixture.checkMoney()
        }
    }

    @Test("A former carrier keeps their messages, and neither carrier reads the other's", arguments: Engine.allCases)
    func formerCarrier(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let delivery = try await Delivery(fixture)
            let id = delivery.package
            try await fixture.write("To Ben", about: id, by: delivery.ada)
            _ = try await fixture.carrepsa.acceptances.cancel(id, by: Change(actor: delivery.ada))
            let between = await refusal { try await fixture.write("Why?", about: id, by: delivery.ben) }
            #expect(between?.message == CarrepsaMessage.conversationEnded.text)
            _ = try await fixture.carrepsa.acceptances.accept(id, by: Change(actor: delivery.cleo))
            #expect(try await fixture.texts(id, delivery.cleo) == [])
            try await fixture.write("To Cleo", about: id, by: delivery.ada)
            #expect(try await fixture.texts(id, delivery.cleo) == ["To Cleo"])
            #expect(try await fixture.texts(id, delivery.ada) == ["To Cleo"])
            #expect(try await fixture.texts(id, delivery.ben) == ["To Ben"])
            let former = try await fixture.carrepsa.messages.conversation(about: id, for: delivery.ben)
            #expect(former.obstacle == .ended && former.phone == nil)
            let late = await refusal { try await fixture.write("Why?", about: id, by: delivery.ben) }
            #expect(late?.code == .conflict)
        }
    }

    @Test("A conversation closes 14 days after the end of the delivery", arguments: Engine.allCases)
    func closing(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let delivery = try await Delivery(fixture, isPickedUp: true)
            let id = delivery.package
            _ = try await fixture.carrepsa.handovers.confirmDelivery(id, code: nil, by: Change(actor: delivery.ada))
            fixture.clock.advance(seconds: Limits.conversationOpenSeconds - 1)
            try await fixture.write("Thank you", about: id, by: delivery.ada)
            fixture.clock.advance(seconds: 1)
            let error = await refusal { try await fixture.write("One more thing", about: id, by: delivery.ben) }
            #expect(error?.message == CarrepsaMessage.conversationClosed.text)
            #expect(try await fixture.texts(id, delivery.ben) == ["Thank you"])
        }
    }

    @Test("Reading withdraws the notifications and shows the author that it was read", arguments: Engine.allCases)
    func reading(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let delivery = try await Delivery(fixture)
            let id = delivery.package
            try await fixture.write("One", about: id, by: delivery.ada)
            try await fixture.write("Two", about: id, by: delivery.ada)
            let packages = fixture.carrepsa.packages
            #expect(try await packages.details(of: id, for: delivery.ben).contact?.unread == 2)
            #expect(try await packages.details(of: id, for: delivery.ada).contact?.unread == 0)
            let messages = fixture.carrepsa.messages
            try await messages.markRead(id, upTo: 1, by: delivery.ben)
            #expect(try await messages.conversation(about: id, for: delivery.ada).readByOther == 1)
            try await messages.markRead(id, upTo: 99, by: delivery.ben)
            #expect(try await messages.conversation(about: id, for: delivery.ada).readByOther == 2)
            // It never goes back.
            try await messages.markRead(id, upTo: 1, by: delivery.ben)
            #expect(try await packages.details(of: id, for: delivery.ben).contact?.unread == 0)
            #expect(try await fixture.notices().filter { $0.kind == "packageMessage" }.isEmpty)
        }
    }

    @Test("A message needs content of limited length, and a repeated request sends one", arguments: Engine.allCases)
    func content(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let delivery = try await Delivery(fixture)
            let id = delivery.package
            for text in [" \n", String(repeating: "a", count: Limits.messageCharacters + 1)] {
                let error = await refusal { try await fixture.write(text, about: id, by: delivery.ada) }
                #expect(error?.fields["text"] != nil)
            }
            let place = try #require(Coordinate(latitude: 53.866, longitude: -10.6797))
            let input = PackageMessageInput(
                text: nil, pictureID: try await fixture.picture(of: delivery.ada), place: place)
            let change = Change.keyed(delivery.ada, "/carrepsa/packages/\(id)/messages", "k")
            let sent = try await fixture.carrepsa.messages.send(input, about: id, by: change)
            #expect(try await fixture.carrepsa.messages.send(input, about: id, by: change) == sent)
            let read = try await fixture.carrepsa.messages.conversation(about: id, for: delivery.ben).messages.items
            #expect(read == [sent])
            #expect(read.first?.place == place)
            let strange = PackageMessageInput(
                text: nil, pictureID: try await fixture.picture(of: delivery.ada), place: nil)
            let error = await refusal {
                _ = try await fixture.carrepsa.messages.send(strange, about: id, by: Change(actor: delivery.ben))
            }
            #expect(error?.fields["pictureId"] != nil)
        }
    }

    @Test("Messages are limited per time", arguments: Engine.allCases)
    func throttled(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let delivery = try await Delivery(fixture)
            for number in 1...Limits.messagesAtOnce {
                try await fixture.write("\(number)", about: delivery.package, by: delivery.ada)
            }
            let error = await refusal { try await fixture.write("more", about: delivery.package, by: delivery.ada) }
            #expect(error?.code == .throttled)
            try await fixture.write("1", about: delivery.package, by: delivery.ben)
            fixture.clock.advance(seconds: Limits.messageThrottleSeconds)
            try await fixture.write("later", about: delivery.package, by: delivery.ada)
        }
    }

    @Test("Administrators read messages while a party's dispute is open, and both are told", arguments: Engine.allCases)
    func dispute(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let delivery = try await Delivery(fixture, isPickedUp: true)
            let id = delivery.package
            let olga = try await fixture.person("Olga", isOperator: true)
            try await fixture.write("Where are you?", about: id, by: delivery.ada)
            #expect(try await fixture.texts(id, olga) == nil)
            _ = try await fixture.carrepsa.disputes.open(id, reason: "It is late", by: Change(actor: delivery.ada))
            #expect(try await fixture.texts(id, olga) == ["Where are you?"])
            let error = await refusal { try await fixture.write("Hello", about: id, by: olga) }
            #expect(error?.code == .forbidden)
            try await fixture.carrepsa.messages.markRead(id, upTo: 1, by: delivery.ben)
            let told = try await fixture.notices().filter { $0.details["event"] == "opened" }
            #expect(Set(told.map(\.person)) == [delivery.ada.person, delivery.ben.person])
            #expect(told.allSatisfy { $0.kind == NoticeKind.packageDisputed.rawValue })
            for actor in [delivery.ada, delivery.ben] {
                let conversation = try await fixture.carrepsa.messages.conversation(about: id, for: actor)
                #expect(conversation.isOpenToAdministrators)
            }
            try await fixture.decide(id, .refunded, by: olga, between: delivery.ada, and: delivery.ben)
            #expect(try await fixture.texts(id, olga) == ["Where are you?"], "until the decision takes effect")
            for actor in [delivery.ada, delivery.ben] {
                _ = try await fixture.carrepsa.disputes.acceptDecision(id, by: Change(actor: actor))
            }
            #expect(try await fixture.texts(id, olga) == nil)
        }
    }

    @Test("A dispute that the clock opens doesn't show messages to administrators", arguments: Engine.allCases)
    func escalation(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let delivery = try await Delivery(fixture, isPickedUp: true)
            let olga = try await fixture.person("Olga", isOperator: true)
            try await fixture.write("I am there", about: delivery.package, by: delivery.ben)
            _ = try await fixture.carrepsa.handovers.reportDelivery(
                delivery.package, by: Change(actor: delivery.ben))
            fixture.clock.advance(seconds: Limits.deliveryReportSeconds)
            try await fixture.execute(fixture.command(.escalate, delivery.package, by: .clock))
            #expect(try await fixture.stored(delivery.package)?.disputedBy == .clock)
            #expect(try await fixture.texts(delivery.package, olga) == nil)
        }
    }

    @Test("Neither of two people writes or accepts after a block", arguments: Engine.allCases)
    func blocked(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let delivery = try await Delivery(fixture)
            let blocks = fixture.carrepsa.blocks
            try await blocks.block(delivery.ben.person, by: Change(actor: delivery.ada))
            for actor in [delivery.ada, delivery.ben] {
                let error = await refusal { try await fixture.write("Hello", about: delivery.package, by: actor) }
                #expect(error?.code == .forbidden)
            }
            for (owner, carrier) in [(delivery.ada, delivery.ben), (delivery.ben, delivery.ada)] {
                let offer = try await fixture.post(by: owner)
                let error = await refusal {
                    _ = try await fixture.carrepsa.acceptances.accept(offer, by: Change(actor: carrier))
                }
                #expect(error?.message == CarrepsaMessage.acceptanceBlocked.text)
            }
            #expect(try await blocks.list(for: delivery.ada).map(\.name) == ["Ben"])
            #expect(try await blocks.list(for: delivery.ben).isEmpty)
            // With the last possible block, to block the same person again still succeeds.
            try await fixture.fillBlocks(of: delivery.ada)
            try await blocks.block(delivery.ben.person, by: Change(actor: delivery.ada))
            let full = await refusal {
                try await blocks.block(delivery.cleo.person, by: Change(actor: delivery.ada))
            }
            #expect(full?.message == CarrepsaMessage.tooManyBlocked.text)
            try await blocks.unblock(delivery.ben.person, by: Change(actor: delivery.ada))
            try await fixture.write("Hello", about: delivery.package, by: delivery.ben)
            try await fixture.checkMoney()
        }
    }

    @Test("A report shows administrators one message, except those who are a party", arguments: Engine.allCases)
    func reported(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let delivery = try await Delivery(fixture)
            let id = delivery.package
            let olga = try await fixture.person("Olga", isOperator: true)
            let rude = try await fixture.write("You fool", about: id, by: delivery.ben)
            let own = try await fixture.write("Stop it", about: id, by: delivery.ada)
            let reports = fixture.carrepsa.messageReports
            func report(_ message: PackageMessage, by actor: Actor, blocks: Bool = false) async -> AppError? {
                await refusal {
                    try await reports.report(
                        message.id, about: id, reason: "An insult", blocks: blocks, by: Change(actor: actor))
                }
            }
            #expect(await report(own, by: delivery.ada)?.code == .notFound)
            try await fixture.fillBlocks(of: delivery.ada)
            #expect(await report(rude, by: delivery.ada, blocks: true)?.message == CarrepsaMessage.tooManyBlocked.text)
            try await fixture.database.write { tx in try tx.execute("DELETE FROM carrepsa_block") }
            #expect(await report(rude, by: delivery.cleo)?.code == .notFound)
            for _ in 1...2 { #expect(await report(rude, by: delivery.ada, blocks: true) == nil) }
            let error = await refusal { try await fixture.write("Hello", about: id, by: delivery.ben) }
            #expect(error?.code == .forbidden)
            let forbidden = await refusal {
                _ = try await reports.list(for: delivery.ada, after: nil, limit: 10)
            }
            #expect(forbidden?.code == .forbidden)
            let listed = try await reports.list(for: olga, after: nil, limit: 10).items
            #expect(listed.map(\.message.text) == ["You fool"])
            #expect(listed.map(\.reason) == ["An insult"])
            #expect(listed.map(\.reporter) == [delivery.ada.person])
            #expect(listed.map(\.package) == [id] && listed.map(\.isInDispute) == [false])
            let told = try await fixture.notices().filter { $0.details["event"] == "reported" }
            #expect(told.map(\.person) == [olga.person])
            #expect(told.map(\.kind) == [NoticeKind.packageDisputed.rawValue])
            #expect(try await fixture.texts(id, olga) == nil)
            // Ben becomes an administrator, and decides nothing about himself.
            try await fixture.database.write { tx in
                try tx.execute("UPDATE account SET is_operator = 1 WHERE id = \(delivery.ben.person)")
            }
            #expect(try await reports.list(for: delivery.ben, after: nil, limit: 10).items.isEmpty)
            let report = try #require(listed.first).id
            let refused = await refusal { try await reports.close(report, by: Change(actor: delivery.ben)) }
            #expect(refused?.code == .notFound)
            try await reports.close(report, by: Change(actor: olga))
            #expect(try await reports.list(for: olga, after: nil, limit: 10).items.isEmpty)
        }
    }

    @Test("The audit names a changed or missing message", arguments: Engine.allCases)
    func audit(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let delivery = try await Delivery(fixture)
            let first = try await fixture.write("I come at five", about: delivery.package, by: delivery.ben)
            try await fixture.write("Good", about: delivery.package, by: delivery.ada)
            func findings(after change: SQL) async throws -> [String] {
                try await fixture.database.write { tx in try tx.execute(change) }
                return try await fixture.carrepsa.evidenceAudit.findings().map { "\($0.row) \($0.column ?? "")" }
            }
            #expect(try await fixture.carrepsa.evidenceAudit.findings().isEmpty)
            let row = "\(delivery.package)/\(first.id)"
            let changed = try await findings(
                after: "UPDATE carrepsa_message SET body = 'I come at six' WHERE number = 1")
            #expect(changed == ["\(row) content"])
            let restored = try await findings(
                after: "UPDATE carrepsa_message SET body = 'I come at five' WHERE number = 1")
            #expect(restored == [])
            let swapped = try await findings(after: "UPDATE carrepsa_message SET role = 'owner' WHERE number = 1")
            #expect(swapped.count == 1 && swapped[0].hasPrefix(row))
            _ = try await findings(after: "UPDATE carrepsa_message SET role = 'carrier' WHERE number = 1")
            let emptied = try await findings(
                after: "UPDATE carrepsa_message SET body = NULL, salt = NULL WHERE number = 1")
            #expect(emptied == ["\(row) content"])
            let missing = try await findings(after: "DELETE FROM carrepsa_message WHERE number = 1")
            #expect(missing == ["\(delivery.package) "])
        }
    }

    @Test(
        "The deletion of an account removes its messages' content, and the audit stays clean",
        arguments: Engine.allCases)
    func erased(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let delivery = try await Delivery(fixture)
            try await fixture.write("My door code is 1234", about: delivery.package, by: delivery.ada)
            try await fixture.write("Thanks", about: delivery.package, by: delivery.ben)
            let picture = PackageMessageInput(
                text: "The door", pictureID: try await fixture.picture(of: delivery.ada), place: nil)
            _ = try await fixture.carrepsa.messages.send(
                picture, about: delivery.package, by: Change(actor: delivery.ada))
            _ = try await fixture.carrepsa.handovers.confirmPickup(
                delivery.package, code: nil, by: Change(actor: delivery.ada))
            _ = try await fixture.carrepsa.handovers.confirmDelivery(
                delivery.package, code: nil, by: Change(actor: delivery.ada))
            try await fixture.delete(delivery.ada)
            #expect(try await fixture.texts(delivery.package, delivery.ben) == [nil, "Thanks", nil])
            let notices = try await fixture.notices()
            #expect(notices.allSatisfy { $0.details["quote"] == nil }, "\(notices)")
            #expect(try await fixture.carrepsa.evidenceAudit.findings().isEmpty)
            #expect(try await fixture.verify().isSound)
        }
    }
}
