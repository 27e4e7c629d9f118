import Accounts
import Kernel
import Storage
import TestSupport
import Testing

@testable import Carrepsa

@Suite("Handover codes")
struct HandoverTests {
    @Test("The carrier confirms pickup and delivery with the owner's codes", arguments: Engine.allCases)
    func carrierConfirms(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let ben = try await fixture.person("Ben")
            let id = try await fixture.accepted(by: ben, of: ada)
            let early = await refusal {
                _ = try await fixture.carrepsa.handovers.createCode(id, step: .delivery, by: ada)
            }
            #expect(early?.code == .conflict)
            let pickup = try await fixture.carrepsa.handovers.createCode(id, step: .pickup, by: ada)
            #expect(pickup.code.count == 6 && pickup.code.allSatisfy(\.isNumber))
            let typed = pickup.code.prefix(3) + " " + pickup.code.suffix(3)
            _ = try await fixture.carrepsa.handovers.confirmPickup(id, code: String(typed), by: Change(actor: ben))
            #expect(try await fixture.state(id) == .travelling)
            let delivery = try await fixture.carrepsa.handovers.createCode(id, step: .delivery, by: ada)
            let change = Change.keyed(ben, "/delivery", "k")
            _ = try await fixture.carrepsa.handovers.confirmDelivery(id, code: delivery.code, by: change)
            _ = try await fixture.carrepsa.handovers.confirmDelivery(id, code: delivery.code, by: change)
            #expect(try await fixture.balances(ada, ben) == [95_00, 105_00])
            try await fixture.checkMoney()
        }
    }

    @Test("The owner can enter the carrier's code, but not their own", arguments: Engine.allCases)
    func ownerTypes(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let ben = try await fixture.person("Ben")
            let id = try await fixture.accepted(by: ben, of: ada)
            let own = try await fixture.carrepsa.handovers.createCode(id, step: .pickup, by: ada)
            let error = await refusal {
                _ = try await fixture.carrepsa.handovers.confirmPickup(id, code: own.code, by: Change(actor: ada))
            }
            #expect(error?.code == .invalid)
            #expect(error?.fields["code"] != nil)
            let other = try await fixture.carrepsa.handovers.createCode(id, step: .pickup, by: ben)
            _ = try await fixture.carrepsa.handovers.confirmPickup(id, code: other.code, by: Change(actor: ada))
            #expect(try await fixture.state(id) == .travelling)
        }
    }

    @Test("A code is invalid after a newer one and after its expiry", arguments: Engine.allCases)
    func voided(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let ben = try await fixture.person("Ben")
            let id = try await fixture.accepted(by: ben, of: ada)
            let first = try await fixture.carrepsa.handovers.createCode(id, step: .pickup, by: ada)
            let second = try await fixture.carrepsa.handovers.createCode(id, step: .pickup, by: ada)
            let old = await refusal {
                _ = try await fixture.carrepsa.handovers.confirmPickup(id, code: first.code, by: Change(actor: ben))
            }
            #expect(old?.code == .invalid)
            fixture.clock.set(second.expiresAt)
            let late = await refusal {
                _ = try await fixture.carrepsa.handovers.confirmPickup(id, code: second.code, by: Change(actor: ben))
            }
            #expect(late?.code == .invalid)
            try await fixture.carrepsa.housekeeping.run()
            #expect(try await fixture.count("carrepsa_handover_code") == 0)
        }
    }

    @Test("A cancelled acceptance invalidates its codes", arguments: Engine.allCases)
    func nextCarrier(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let ben = try await fixture.person("Ben")
            let id = try await fixture.accepted(by: ben, of: ada)
            let code = try await fixture.carrepsa.handovers.createCode(id, step: .pickup, by: ada)
            _ = try await fixture.carrepsa.acceptances.cancel(id, by: Change(actor: ada))
            _ = try await fixture.carrepsa.acceptances.accept(id, by: Change(actor: ben))
            let error = await refusal {
                _ = try await fixture.carrepsa.handovers.confirmPickup(id, code: code.code, by: Change(actor: ben))
            }
            #expect(error?.code == .invalid)
        }
    }

    @Test("After five wrong codes even the right one is rejected for half an hour", arguments: Engine.allCases)
    func throttled(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let ben = try await fixture.person("Ben")
            let id = try await fixture.accepted(by: ben, of: ada)
            let right = try await fixture.carrepsa.handovers.createCode(id, step: .pickup, by: ada).code
            let wrong = right == "000000" ? "000001" : "000000"
            for _ in 0..<5 {
                let error = await refusal {
                    _ = try await fixture.carrepsa.handovers.confirmPickup(id, code: wrong, by: Change(actor: ben))
                }
                #expect(error?.code == .invalid)
            }
            let refused = await refusal {
                _ = try await fixture.carrepsa.handovers.confirmPickup(id, code: right, by: Change(actor: ben))
            }
            #expect(refused?.code == .throttled)
            #expect(refused?.retryAfterSeconds == Int(Limits.handoverThrottleSeconds))
            fixture.clock.advance(seconds: Limits.handoverThrottleSeconds)
            _ = try await fixture.carrepsa.handovers.confirmPickup(id, code: right, by: Change(actor: ben))
            #expect(try await fixture.state(id) == .travelling)
        }
    }

    @Test("Concurrent guesses don't exceed the limit", arguments: Engine.allCases)
    func guessesAtOnce(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let ben = try await fixture.person("Ben")
            let id = try await fixture.accepted(by: ben, of: ada)
            let codes = await together(
                (0..<40).map { _ in
                    {
                        _ = try await fixture.carrepsa.handovers.confirmPickup(
                            id, code: "guess", by: Change(actor: ben))
                    }
                }
            )
            #expect(codes.count { $0 == .invalid } == 5)
            #expect(codes.count { $0 == .throttled } == 35)
        }
    }

    @Test("The database stores a keyed hash of the code", arguments: Engine.allCases)
    func notStored(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person("Ada")
            let ben = try await fixture.person("Ben")
            let id = try await fixture.accepted(by: ben, of: ada)
            let code = try await fixture.carrepsa.handovers.createCode(id, step: .pickup, by: ada).code
            let mark = try await fixture.database.read { tx in
                try HandoverStore.mark(package: id, step: .pickup, side: .owner, now: fixture.now, in: tx)
            }
            let message = Array("\(id) pickup owner \(code)".utf8)
            let otherKey = try SecretBox(key: [UInt8](repeating: 4, count: 32))
            #expect(mark == fixture.secrets.mark(message, purpose: HandoverCodes.purpose))
            #expect(mark != otherKey.mark(message, purpose: HandoverCodes.purpose))
            #expect(mark != fixture.secrets.mark(message, purpose: "something else"))
        }
    }
}
