import Accounts
import Foundation
import Kernel
import Storage
import TestSupport
import Testing

@testable import Carrepsa

@Suite("The life cycle")
struct LifeCycleTests {
    @Test("The table has at most one transition per state, action and role")
    func unambiguous() {
        let places = DeliveryLifeCycle.table.map { "\($0.state?.rawValue ?? "-") \($0.action) \($0.role)" }
        #expect(Set(places).count == places.count)
        #expect(DeliveryLifeCycle.table.allSatisfy { $0.state?.isFinished != true })
        #expect(Set(DeliveryLifeCycle.table.map(\.action)) == Set(PackageAction.allCases))
    }

    @Test("Reward and deposit are both in escrow exactly while the package is under way, along every path")
    func moneyFollowsState() {
        struct Place: Hashable {
            let state: PackageState?
            let reward: LedgerParty
            let lock: LedgerParty
        }
        var seen: Set<Place> = []
        var open = [Place(state: nil, reward: .owner, lock: .carrier)]
        while let place = open.popLast() {
            guard seen.insert(place).inserted else { continue }
            for step in DeliveryLifeCycle.table where step.state == place.state {
                var reward = place.reward
                var lock = place.lock
                for payment in step.payments {
                    switch payment.money {
                    // Owner and carrier get a part.
                    case .reward where payment.isPart: reward = .owner
                    case .moneyLock where payment.isPart: lock = .owner
                    case .reward where reward == payment.from: reward = payment.to
                    case .moneyLock where lock == payment.from: lock = payment.to
                    default: #expect(payment.money == .reward && reward == payment.to)
                    }
                }
                open.append(Place(state: step.next, reward: reward, lock: lock))
            }
        }
        for place in seen {
            switch place.state {
            case nil: break
            case .available?: #expect(place.lock == .carrier && place.reward != .carrier)
            case .accepted?, .travelling?: #expect(place.reward == .escrow && place.lock == .escrow)
            case .delivered?: #expect(place.reward == .carrier && place.lock == .carrier)
            case .cancelled?: #expect(place.reward == .owner && place.lock != .escrow)
            }
        }
    }

    @Test("Divided money goes to owner and carrier, so that nothing stays in escrow")
    func parts() {
        for step in DeliveryLifeCycle.table where step.payments.contains(where: \.isPart) {
            #expect(step.next.isFinished)
            for money in PackageMoney.allCases {
                let parts = step.payments.filter { $0.money == money }
                #expect(parts.allSatisfy { $0.isPart && $0.from == .escrow })
                #expect(parts.map(\.to).sorted { $0.rawValue < $1.rawValue } == [.carrier, .owner])
            }
        }
    }

    @Test("Each transition's events reach the parties, and everyone if the offers change")
    func told() {
        for step in DeliveryLifeCycle.table {
            // An edited offer has other terms. An expired offer can't be accepted although its state stays available.
            let changesOffers =
                (step.state == .available) != (step.next == .available)
                || (step.state == .available && (step.action == .expire || step.action == .edit))
            #expect(step.audience.contains(.stranger) == changesOffers, "\(step.action)")
            #expect(!step.audience.isEmpty)
            if step.state?.isUnderWay == true {
                for party in [PackageRole.owner, .carrier] where party != step.role {
                    #expect(step.audience.contains(party), "\(step.action) \(step.role)")
                }
            }
        }
    }

    @Test("The documentation contains the current table")
    func documentation() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = root.appendingPathComponent("docs/carrepsa-life-cycle.md")
        if ProcessInfo.processInfo.environment["HOMEWARD_WRITE_DOCUMENTS"] != nil {
            try DeliveryLifeCycle.markdown().write(to: file, atomically: true, encoding: .utf8)
        }
        let written = try String(contentsOf: file, encoding: .utf8)
        #expect(written == DeliveryLifeCycle.markdown())
    }

    /// The people around a package.
    private struct Cast {
        let owner: Actor
        let carrier: Actor
        let stranger: Actor
        let `operator`: Actor

        init(_ fixture: CarrepsaFixture) async throws {
            owner = try await fixture.person("Ada")
            carrier = try await fixture.person("Ben")
            stranger = try await fixture.person("Cleo")
            `operator` = try await fixture.person("Olga", isOperator: true)
            for actor in [owner, carrier, stranger, `operator`] {
                try await fixture.carrepsa.memberships.ensureWallet(of: actor)
            }
        }

        func initiator(_ role: PackageRole) -> PackageCommand.Initiator {
            switch role {
            case .owner: .person(owner.person)
            case .carrier: .person(carrier.person)
            case .stranger: .person(stranger.person)
            case .operator: .person(`operator`.person)
            case .clock: .clock
            case .recipient: .recipient
            }
        }
    }

    private func package(in state: PackageState, _ cast: Cast, _ fixture: CarrepsaFixture) async throws -> ID<Package> {
        let owner = Change(actor: cast.owner)
        let carrier = Change(actor: cast.carrier)
        switch state {
        case .available: return try await fixture.post(by: cast.owner)
        case .accepted: return try await fixture.accepted(by: cast.carrier, of: cast.owner)
        case .travelling: return try await fixture.travelling(by: cast.carrier, of: cast.owner)
        case .delivered:
            let id = try await fixture.travelling(by: cast.carrier, of: cast.owner)
            _ = try await fixture.carrepsa.handovers.confirmDelivery(id, code: nil, by: owner)
            return id
        case .cancelled:
            let id = try await fixture.travelling(by: cast.carrier, of: cast.owner)
            _ = try await fixture.carrepsa.cancellations.request(id, by: carrier)
            _ = try await fixture.carrepsa.cancellations.request(id, by: owner)
            return id
        }
    }

    private func everything(_ fixture: CarrepsaFixture) async throws -> [String] {
        try await fixture.database.read { tx in
            let queries: [SQL] = [
                "SELECT * FROM carrepsa_package ORDER BY id",
                "SELECT * FROM carrepsa_story ORDER BY package_id, number",
                "SELECT * FROM carrepsa_dispute ORDER BY package_id",
                "SELECT * FROM ledger_account ORDER BY id", "SELECT COUNT(*) AS n FROM ledger_transfer",
                "SELECT COUNT(*) AS n FROM outbox", "SELECT COUNT(*) AS n FROM idempotency",
            ]
            return try queries.flatMap { query in try tx.rows(query).map { "\($0)" } }
        }
    }

    @Test(
        "Actions without a transition are rejected and change nothing",
        arguments: Engine.allCases, PackageState.allCases
    )
    func unlawful(engine: Engine, state: PackageState) async throws {
        try await withFixture(engine) { fixture in
            let cast = try await Cast(fixture)
            let id = try await package(in: state, cast, fixture)
            let before = try await everything(fixture)
            for action in PackageAction.allCases {
                for role in PackageRole.allCases where DeliveryLifeCycle.transition(state, action, role) == nil {
                    if role == .carrier, state == .available { continue }
                    // An administrator may do whatever a stranger may.
                    if role == .operator, DeliveryLifeCycle.transition(state, action, .stranger) != nil { continue }
                    let command = fixture.command(action, id, by: cast.initiator(role))
                    let change = Change.keyed(cast.stranger, "/\(action)/\(role)", "k")
                    let error = await refusal {
                        try await fixture.execute(command, scope: change.idempotency)
                    }
                    let code = error?.code
                    let isRefused = code == .conflict || code == .forbidden || code == .notFound
                    #expect(isRefused, "\(action) by \(role): \(String(describing: error))")
                }
            }
            #expect(try await everything(fixture) == before)
            try await fixture.checkMoney()
        }
    }

    /// A transition with an unmet condition.
    struct Unmet: Sendable, CustomTestStringConvertible {
        let state: PackageState
        let action: PackageAction
        let role: PackageRole
        let code: AppError.Code
        var testDescription: String { "\(action) by \(role) while \(state)" }
    }

    private static let unmet: [Unmet] =
        [
            Unmet(state: .available, action: .expire, role: .clock, code: .conflict),
            Unmet(state: .accepted, action: .expire, role: .clock, code: .conflict),
            Unmet(state: .accepted, action: .confirmPickup, role: .carrier, code: .invalid),
            Unmet(state: .travelling, action: .confirmDelivery, role: .carrier, code: .invalid),
            Unmet(state: .travelling, action: .retractCancellation, role: .owner, code: .conflict),
            Unmet(state: .travelling, action: .retractCancellation, role: .carrier, code: .conflict),
            Unmet(state: .travelling, action: .agreeCancellation, role: .owner, code: .conflict),
            Unmet(state: .travelling, action: .agreeCancellation, role: .carrier, code: .conflict),
            Unmet(state: .travelling, action: .addStatement, role: .owner, code: .conflict),
            Unmet(state: .travelling, action: .addStatement, role: .carrier, code: .conflict),
            Unmet(state: .travelling, action: .escalate, role: .clock, code: .conflict),
            Unmet(state: .travelling, action: .decideDelivered, role: .operator, code: .conflict),
            Unmet(state: .travelling, action: .decideRefunded, role: .operator, code: .conflict),
            Unmet(state: .travelling, action: .decideLost, role: .operator, code: .conflict),
            Unmet(state: .travelling, action: .decideSplit, role: .operator, code: .conflict),
            Unmet(state: .travelling, action: .closeStatements, role: .clock, code: .conflict),
            Unmet(state: .travelling, action: .enforceDelivered, role: .clock, code: .conflict),
            Unmet(state: .travelling, action: .enforceRefunded, role: .clock, code: .conflict),
            Unmet(state: .travelling, action: .enforceLost, role: .clock, code: .conflict),
            Unmet(state: .travelling, action: .enforceSplit, role: .clock, code: .conflict),
        ]
        + [.offerSplit, .retractSplit, .declineSplit, .acceptSplit, .acceptDecision, .appeal].flatMap { action in
            [PackageRole.owner, .carrier].map {
                Unmet(state: .travelling, action: action, role: $0, code: .conflict)
            }
        }

    @Test("A transition with an unmet condition is rejected and changes nothing", arguments: Engine.allCases, unmet)
    func conditions(engine: Engine, unmet: Unmet) async throws {
        try await withFixture(engine) { fixture in
            let cast = try await Cast(fixture)
            let id = try await package(in: unmet.state, cast, fixture)
            let before = try await everything(fixture)
            var command = fixture.command(unmet.action, id, by: cast.initiator(unmet.role))
            switch unmet.action {
            case .confirmPickup: command.proof = PackageCommand.Proof(step: .pickup, code: nil)
            case .confirmDelivery: command.proof = PackageCommand.Proof(step: .delivery, code: nil)
            default: break
            }
            let error = await refusal { [command] in try await fixture.execute(command) }
            #expect(error?.code == unmet.code)
            #expect(try await everything(fixture) == before)
        }
    }

    @Test("Strangers see only offers; owner and carrier see the package in every state", arguments: Engine.allCases)
    func visibility(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let cast = try await Cast(fixture)
            for state in PackageState.allCases {
                let id = try await package(in: state, cast, fixture)
                for (role, actor) in [
                    (PackageRole.owner, cast.owner), (.carrier, cast.carrier), (.stranger, cast.stranger),
                    (.operator, cast.operator),
                ] {
                    if role == .carrier, state == .available { continue }
                    let error = await refusal { _ = try await fixture.carrepsa.packages.details(of: id, for: actor) }
                    let isAllowed = role == .owner || role == .carrier || state == .available
                    #expect((error == nil) == isAllowed, "\(role) at \(state)")
                    if !isAllowed { #expect(error?.code == .notFound) }
                }
            }
        }
    }

    @Test("The buttons match the table", arguments: Engine.allCases)
    func buttons(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let cast = try await Cast(fixture)
            let id = try await package(in: .travelling, cast, fixture)
            let owner = try await fixture.carrepsa.packages.details(of: id, for: cast.owner)
            #expect(owner.actions == [.confirmDelivery, .requestCancellation, .dispute, .addProof])
            #expect(owner.blocked.isEmpty)
            let carrier = try await fixture.carrepsa.packages.details(of: id, for: cast.carrier)
            #expect(
                carrier.actions == [
                    .confirmDelivery, .reportDelivery, .requestCancellation, .dispute, .addProof,
                ])
            #expect(carrier.blocked == [.confirmDelivery: .codeNeeded])
            _ = try await fixture.carrepsa.cancellations.request(id, by: Change(actor: cast.owner))
            let asked = try await fixture.carrepsa.packages.details(of: id, for: cast.owner).actions
            #expect(asked == [.confirmDelivery, .retractCancellation, .dispute, .addProof])
            let other = try await fixture.carrepsa.packages.details(of: id, for: cast.carrier).actions
            #expect(other == [.confirmDelivery, .reportDelivery, .agreeCancellation, .dispute, .addProof])
        }
    }
}
