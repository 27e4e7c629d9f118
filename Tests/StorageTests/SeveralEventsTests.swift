import Kernel
import Storage
import TestSupport
import Testing

@Suite("Publishing several events")
struct SeveralEventsTests {
    private static let at = Instant(millisecondsSince1970: 1_767_225_600_000)

    private static func event(_ person: PersonID, _ number: Int) -> ChangeEvent {
        ChangeEvent(audience: person, kind: "item", resource: "/\(number)", version: Int64(number), at: at)
    }

    @Test("Several events published at once keep their order among the others", arguments: Engine.allCases)
    func order(engine: Engine) async throws {
        try await withDatabase(engine) { database async throws in
            let person = PersonID(at: Self.at, random: SeededRandom())
            try await database.write { tx in
                try tx.publish([])
                try tx.publish(Self.event(person, 0))
                try tx.publish([Self.event(person, 1), Self.event(ChangeEvent.everyone, 2), Self.event(person, 3)])
                try tx.publish([Self.event(person, 4)])
                try tx.publish(Self.event(person, 5))
            }
            // On PostgreSQL an entry may become readable a moment after its commit.
            for await _ in database.changes() {
                let entries = try await database.read { try Outbox.entries(after: 0, limit: 50, in: $0) }
                guard !entries.isEmpty else { continue }
                #expect(entries.map(\.event.version) == [0, 1, 2, 3, 4, 5])
                #expect(entries.map(\.event.resource) == (0..<6).map { "/\($0)" })
                #expect(entries.allSatisfy { $0.event.at == Self.at && $0.event.kind == "item" })
                #expect(zip(entries, entries.dropFirst()).allSatisfy { $0.sequence < $1.sequence })
                let other = PersonID(at: Self.at, random: SeededRandom(seed: 2))
                let heard = try await database.read {
                    try Outbox.entries(after: 0, upTo: .max, audience: other, limit: 50, in: $0)
                }
                #expect(heard.map(\.event.version) == [2])
                return
            }
        }
    }
}
