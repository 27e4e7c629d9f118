import Accounts
import Kernel
import Storage
import TestSupport
import Testing

@testable import Carrepsa

@Suite("Messages and reviews at the same time")
struct ConversationRaceTests {
    /// Runs all parts at once, and returns their errors.
    private func errors(_ parts: [@Sendable () async throws -> Void]) async -> [AppError?] {
        await withTaskGroup(of: (Int, AppError?).self) { group in
            for (index, part) in parts.enumerated() {
                group.addTask {
                    do {
                        try await part()
                        return (index, nil)
                    } catch {
                        return (index, error as? AppError ?? AppError(.internal, "\(error)"))
                    }
                }
            }
            var errors = [AppError?](repeating: nil, count: parts.count)
            for await (index, error) in group { errors[index] = error }
            return errors
        }
    }

    @Test("Messages of both at once get numbers without gaps, and all are sealed", arguments: Engine.allCases)
    func numbers(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let people = try await fixture.people(2)
            let id = try await fixture.accepted(by: people[1], of: people[0])
            let parts = (0..<12).map { number -> @Sendable () async throws -> Void in
                {
                    let input = PackageMessageInput(text: "\(number)", pictureID: nil, place: nil)
                    _ = try await fixture.carrepsa.messages.send(
                        input, about: id, by: Change(actor: people[number % 2]))
                }
            }
            #expect(await errors(parts).allSatisfy { $0 == nil })
            let read = try await fixture.carrepsa.messages.conversation(about: id, for: people[0]).messages.items
            #expect(read.map(\.number) == (1...12).reversed())
            #expect(try await fixture.carrepsa.evidenceAudit.findings().isEmpty)
            #expect(try await fixture.count("carrepsa_conversation") == 1)
            try await fixture.checkMoney()
        }
    }

    @Test("A message and the end of the carrier's access follow one after the other", arguments: Engine.allCases)
    func access(engine: Engine) async throws {
        try await withFixture(engine, welcome: 100_000_00) { fixture in
            let people = try await fixture.people(2)
            for _ in 1...Counts.races {
                fixture.clock.advance(seconds: Limits.messageThrottleSeconds)
                let id = try await fixture.accepted(by: people[1], of: people[0])
                let input = PackageMessageInput(text: "Wait", pictureID: nil, place: nil)
                let found = await errors([
                    { _ = try await fixture.carrepsa.messages.send(input, about: id, by: Change(actor: people[1])) },
                    { _ = try await fixture.carrepsa.acceptances.cancel(id, by: Change(actor: people[0])) },
                ])
                #expect(found[1] == nil)
                // Without an earlier message, the former carrier has no conversation.
                #expect(found[0] == nil || found[0]?.code == .notFound, "\(String(describing: found[0]))")
            }
            try await fixture.checkMoney()
        }
    }

    @Test("Two people who block each other at once both succeed", arguments: Engine.allCases)
    func blocks(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let people = try await fixture.people(2)
            let blocks = fixture.carrepsa.blocks
            for round in 1...Counts.races {
                let found = await errors([
                    {
                        let change = Change.keyed(people[0], "/carrepsa/people/\(people[1].person)/block", "\(round)")
                        try await blocks.block(people[1].person, by: change)
                    },
                    {
                        let change = Change.keyed(people[1], "/carrepsa/people/\(people[0].person)/block", "\(round)")
                        try await blocks.block(people[0].person, by: change)
                    },
                ])
                #expect(found.allSatisfy { $0 == nil }, "\(found)")
                try await fixture.database.write { tx in try tx.execute("DELETE FROM carrepsa_block") }
            }
        }
    }

    @Test("Of two reviews at once, one is the first and the other shows both", arguments: Engine.allCases)
    func reviews(engine: Engine) async throws {
        try await withFixture(engine, welcome: 100_000_00) { fixture in
            let people = try await fixture.people(2)
            for _ in 1...Counts.races {
                fixture.clock.advance(seconds: 1)
                let id = try await fixture.travelling(by: people[1], of: people[0])
                _ = try await fixture.carrepsa.handovers.confirmDelivery(id, code: nil, by: Change(actor: people[0]))
                let input = PackageReviewInput(words: [.onTime], text: nil)
                let parts = people.map { person -> @Sendable () async throws -> Void in
                    { _ = try await fixture.carrepsa.reviews.write(input, about: id, by: Change(actor: person)) }
                }
                #expect(await errors(parts + parts).count { $0 == nil } == 2)
                let seen = try #require(try await fixture.carrepsa.reviews.reviews(of: id, for: people[0]))
                #expect(seen.own != nil && seen.other != nil)
                let events = try await fixture.notices().filter {
                    $0.kind == "packageReview" && $0.resource == "/carrepsa/packages/\(id)"
                }
                // The second review withdraws the notification of the first.
                #expect(events.map { $0.details["event"] } == ["shown"])
            }
            #expect(try await fixture.carrepsa.evidenceAudit.findings().isEmpty)
            try await fixture.checkMoney()
        }
    }
}
