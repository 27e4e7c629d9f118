import Accounts
import Kernel
import Notifications
import Storage
import TestSupport
import Testing
import Translations

@testable import Carrepsa

@Suite("The notifications of each transition")
struct TransitionNotificationTests {
    /// Returns owner and carrier of a transition: the owner, and the carrier if there is one.
    private static func parties(of step: Transition) -> [PackageRole] {
        step.state?.isUnderWay == true || step.action == .accept ? [.owner, .carrier] : [.owner]
    }

    /// Returns who acts, owner or carrier; `nil` for administrators and the clock.
    private static func actor(of step: Transition) -> PackageRole? {
        switch step.role {
        case .owner: .owner
        case .carrier, .stranger: .carrier
        case .operator, .clock, .recipient: nil
        }
    }

    @Test("Each transition notifies owner and carrier except the actor, and no other")
    func table() {
        for step in DeliveryLifeCycle.table {
            let silent = Self.parties(of: step).filter { $0 != Self.actor(of: step) }
            let notified = step.notifications.map(\.recipient).filter { $0 != .operator && $0 != .recipient }
            #expect(Set(notified) == Set(silent), "\(step.action) by \(step.role)")
            #expect(notified.count == silent.count, "\(step.action) by \(step.role)")
            #expect(step.notifications.allSatisfy { $0.money.isEmpty == ($0.recipient == .recipient) })
        }
    }

    @Test("The recipient is notified of each change of the state, of the end and of a reported delivery, once")
    func recipients() {
        for step in DeliveryLifeCycle.table where step.role != .recipient {
            let mails = step.notifications.filter { $0.recipient == .recipient }
            let changes = step.state != nil && step.state != step.next
            #expect(
                mails.count == (changes || step.action == .reportDelivery ? 1 : 0), "\(step.action) by \(step.role)")
            #expect(mails.allSatisfy { DeliveryNotice($0.event) != nil }, "\(step.action) by \(step.role)")
        }
    }

    @Test("Administrators are notified of every dispute and statement")
    func operators() {
        for step in DeliveryLifeCycle.table where step.conditions.contains(.noDispute) || step.action == .addStatement {
            #expect(step.notifications.contains { $0.recipient == .operator }, "\(step.action) by \(step.role)")
        }
    }

    /// The people around a package.
    private struct Cast {
        let owner: Actor
        let carrier: Actor
        let `operator`: Actor

        init(_ fixture: CarrepsaFixture) async throws {
            owner = try await fixture.person("Ada")
            carrier = try await fixture.person("Ben")
            `operator` = try await fixture.person("Olga", isOperator: true)
            for actor in [owner, carrier] { try await fixture.carrepsa.memberships.ensureWallet(of: actor) }
        }

        func person(_ role: PackageRole) -> PersonID? {
            switch role {
            case .owner: owner.person
            case .carrier, .stranger: carrier.person
            case .operator: `operator`.person
            case .clock, .recipient: nil
            }
        }

        func initiator(_ role: PackageRole) -> PackageCommand.Initiator {
            role == .recipient ? .recipient : person(role).map { .person($0) } ?? .clock
        }
    }

    /// Creates a package in a state from which the transition is possible.
    private func prepared(_ step: Transition, _ cast: Cast, _ fixture: CarrepsaFixture) async throws -> PackageCommand {
        func make(_ action: PackageAction, _ role: PackageRole, on id: ID<Package>) async throws {
            var command = fixture.command(action, id, by: cast.initiator(role))
            command.note = "It is broken"
            if action.needsSplit { command.split = Self.split }
            try await fixture.execute(command)
        }
        let deadline = fixture.now.adding(seconds: 10 * 60 * 60)
        let id = try await fixture.post(by: cast.owner, reward: 1_50, moneyLock: 2_00, deadline: deadline)
        if step.state != .available { try await make(.accept, .carrier, on: id) }
        if step.state == .travelling { try await make(.confirmPickup, .owner, on: id) }
        func decide(_ action: PackageAction, _ id: ID<Package>) async throws {
            try await make(.dispute, .owner, on: id)
            try await make(.addStatement, .carrier, on: id)
            try await make(action, .operator, on: id)
        }
        func decideInEffect(_ action: PackageAction, _ id: ID<Package>) async throws {
            try await decide(action, id)
            fixture.clock.advance(seconds: Limits.appealSeconds)
        }
        var proof: PackageCommand.Proof?
        for condition in step.conditions {
            switch condition {
            case .afterDeadline: fixture.clock.set(deadline)
            case .reportUnanswered:
                try await make(.reportDelivery, .carrier, on: id)
                fixture.clock.advance(seconds: Limits.deliveryReportSeconds)
            case .ownRequest: try await make(.requestCancellation, step.role, on: id)
            case .otherRequest:
                try await make(.requestCancellation, step.role == .owner ? .carrier : .owner, on: id)
            case .inDispute: try await make(.dispute, .owner, on: id)
            case .heard: try await make(.addStatement, .carrier, on: id)
            case .statementsOver:
                try await make(.dispute, .owner, on: id)
                fixture.clock.advance(seconds: Limits.disputeAnswerSeconds)
            case .ownOffer, .otherOffer:
                try await make(.dispute, .owner, on: id)
                let isOwners = (step.role == .owner) == (condition == .ownOffer)
                try await make(.offerSplit, isOwners ? .owner : .carrier, on: id)
            case .decisionOpen: try await decide(.decideSplit, id)
            case .deliveredInEffect: try await decideInEffect(.decideDelivered, id)
            case .refundedInEffect: try await decideInEffect(.decideRefunded, id)
            case .lostInEffect: try await decideInEffect(.decideLost, id)
            case .splitInEffect: try await decideInEffect(.decideSplit, id)
            case .code:
                let handover: HandoverStep = step.action == .confirmPickup ? .pickup : .delivery
                let code = try await fixture.carrepsa.handovers.createCode(id, step: handover, by: cast.owner).code
                proof = PackageCommand.Proof(step: handover, code: code)
            case .beforeDeadline, .rewardHeld, .notReported, .noRequest, .noDispute, .statementsLeft, .statementsOpen,
                .undecided, .notAccepted, .noAppeal, .notRefused, .photos, .proofsLeft:
                break
            }
        }
        var command = fixture.command(step.action, id, by: cast.initiator(step.role))
        command.proof = proof
        if step.action.needsSplit { command.split = Self.split }
        if step.action == .edit { command.terms = try PackageDraft(CarrepsaFixture.parcel(), now: fixture.now) }
        return command
    }

    private static let split = MoneySplit(rewardToCarrier: 1_00, depositToOwner: 70)

    /// Returns the amounts that a notification names: both parts, or their sum.
    private static func amounts(_ notification: TransitionNotification, of step: Transition) -> [Int64] {
        notification.event.namesParts && !notification.isPart ? [1_50, 2_00] : [amount(notification, of: step)]
    }

    /// Returns the sum of what a notification is about: the reward is 1.50 and the deposit 2.00.
    private static func amount(_ notification: TransitionNotification, of step: Transition) -> Int64 {
        guard notification.isPart else {
            return notification.money.reduce(0) { $0 + ($1 == .reward ? 1_50 : 2_00) }
        }
        let isOwner = notification.recipient == .owner
        return switch step.action {
        case .decideDelivered: isOwner ? 0 : 3_50
        case .decideRefunded: isOwner ? 1_50 : 2_00
        case .decideLost: isOwner ? 3_50 : 0
        default: isOwner ? 1_20 : 2_30
        }
    }

    @Test("Each transition posts its notifications, and their text contains the amount", arguments: Engine.allCases)
    func steps(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let cast = try await Cast(fixture)
            for step in DeliveryLifeCycle.table where step.state != nil {
                let command = try await prepared(step, cast, fixture)
                let before = Set(try await fixture.notices())
                try await fixture.execute(command)
                let notices = try await fixture.notices().filter { !before.contains($0) }
                try check(notices, of: step, on: command.package, cast, fixture)
                fixture.clock.advance(seconds: 1)
            }
        }
    }

    private func check(
        _ notices: [PostedNotification], of step: Transition, on package: ID<Package>, _ cast: Cast,
        _ fixture: CarrepsaFixture
    ) throws {
        let expected = Set(step.notifications.compactMap { cast.person($0.recipient) })
        #expect(Set(notices.map(\.person)) == expected, "\(step.action) by \(step.role)")
        #expect(notices.count == step.notifications.count { $0.recipient != .recipient })
        for notification in step.notifications where notification.recipient != .recipient {
            let told = try #require(notices.first { $0.person == cast.person(notification.recipient) })
            #expect(told.kind == notification.event.kind.rawValue)
            #expect(told.resource == "/carrepsa/packages/\(package)")
            let notice = Notice(
                id: ID(at: fixture.now, random: fixture.random), person: told.person, kind: notification.event.kind,
                resource: told.resource, subject: told.subject, details: told.details, at: told.at
            )
            for language in Language.allCases {
                let text = NotificationTextBuilder(Translations.translator(language)).text(of: notice)
                for amount in Self.amounts(notification, of: step) {
                    #expect(text.body.contains(Currency.euro.text(amount, in: language)), "\(text)")
                }
                #expect(text.body.contains("A box of books"), "\(text)")
            }
        }
    }

    @Test("An administrator who is a party isn't notified as an administrator", arguments: Engine.allCases)
    func operatorWhoCarries(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let olga = try await fixture.person("Olga", isOperator: true)
            let omar = try await fixture.person("Omar", isOperator: true)
            let id = try await fixture.travelling(by: olga, of: ada)
            let before = try await fixture.notices().count
            fixture.clock.advance(seconds: 1)
            _ = try await fixture.carrepsa.disputes.open(id, reason: "It is late", by: Change(actor: ada))
            let notices = try await fixture.notices().dropFirst(before)
            #expect(notices.count == 2)
            #expect(notices.first { $0.person == olga.person }?.details["event"] == "disputed")
            #expect(notices.first { $0.person == omar.person }?.details["event"] == "disputeToDecide")
        }
    }

    @Test(
        "Failed acceptances without a covered reward notify the owner once until another event",
        arguments: Engine.allCases)
    func unfunded(engine: Engine) async throws {
        try await withFixture(engine, welcome: 20_00) { fixture in
            let ada = try await fixture.person("Ada")
            let ben = try await fixture.person("Ben")
            let id = try await fixture.post(by: ada, reward: 15_00, moneyLock: 1_00)
            _ = try await fixture.carrepsa.acceptances.accept(id, by: Change(actor: ben))
            _ = try await fixture.carrepsa.acceptances.cancel(id, by: Change(actor: ada))
            _ = try await fixture.post(by: ada, reward: 10_00, moneyLock: 1_00)
            let before = try await fixture.notices().count
            for _ in 0..<3 {
                fixture.clock.advance(seconds: 1)
                let error = await refusal {
                    _ = try await fixture.carrepsa.acceptances.accept(id, by: Change(actor: ben))
                }
                #expect(error?.code == .rewardNotFunded)
            }
            let notices = try await fixture.notices().dropFirst(before)
            #expect(notices.map(\.person) == [ada.person])
            #expect(notices.map(\.kind) == ["packageNotFunded"])
            #expect(notices.first?.details == ["event": "rewardNotFunded", "amount": "1500", "currency": "EUR"])
        }
    }

    @Test("A cancellation request and a simultaneous retraction notify separately", arguments: Engine.allCases)
    func sameMoment(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let ben = try await fixture.person("Ben")
            let id = try await fixture.travelling(by: ben, of: ada)
            let before = try await fixture.notices().count
            for _ in 0..<2 {
                _ = try await fixture.carrepsa.cancellations.request(id, by: Change(actor: ben))
                _ = try await fixture.carrepsa.cancellations.retract(id, by: Change(actor: ben))
            }
            // The second ones are counted by the first ones.
            #expect(try await fixture.notices().count == before + 2)
            let further: Int? = try await fixture.database.read { tx in
                try tx.row("SELECT SUM(further) AS n FROM notice WHERE kind = 'packageCancellationRequested'")?.get("n")
            }
            #expect(further == 2)
        }
    }
}
