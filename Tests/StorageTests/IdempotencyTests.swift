import Kernel
import Storage
import Synchronization
import TestSupport
import Testing

@Suite("Idempotency")
struct IdempotencyTests {
    struct Refusal: Error, Equatable {}

    private static func scope(
        key: String = "k", body: UInt8 = 1, person: PersonID = Samples.person, method: String = "POST",
        path: String = "/tracking/items"
    ) -> IdempotencyScope {
        IdempotencyScope(person: person, method: method, path: path, key: key, bodyDigest: [body])
    }

    private func add(_ id: String, _ scope: IdempotencyScope?, _ database: Database) async throws -> Once {
        try await database.write { tx in
            try tx.once(scope, status: 201, now: Samples.now, resource: id) { try Samples.addBox(id, in: tx) }
        }
    }

    @Test("The same key and body make one change and return its resource", arguments: Engine.allCases)
    func replays(engine: Engine) async throws {
        try await withSamples(engine) { database async throws in
            #expect(try await add("a", Self.scope(), database) == .made("a"))
            let again = try await add("b", Self.scope(), database)
            #expect(again == .replayed("a"))
            #expect(again.isReplay)
            #expect(again.resource == "a")
            try await Samples.expectBoxes(["a"], in: database)
        }
    }

    @Test("A change is charged with and without a key, a repeated or refused one isn't", arguments: Engine.allCases)
    func charged(engine: Engine) async throws {
        try await withSamples(engine) { database async throws in
            func scope(_ key: String?, charge: @escaping IdempotencyScope.Charge) -> IdempotencyScope {
                IdempotencyScope(
                    person: Samples.person, method: "POST", path: "/tracking/items", key: key, bodyDigest: [1],
                    charge: charge)
            }
            let charges = Mutex(0)
            let count: IdempotencyScope.Charge = { _, _ in charges.withLock { $0 += 1 } }
            for key in ["k", "k", nil, nil] {
                _ = try await add("box \(charges.withLock(\.self))", scope(key, charge: count), database)
            }
            #expect(charges.withLock(\.self) == 3)
            try await Samples.expectBoxes(["box 0", "box 1", "box 2"], in: database)
            for key in ["k2", nil] {
                await #expect(throws: Refusal.self) {
                    try await add("refused", scope(key) { _, _ in throw Refusal() }, database)
                }
            }
            try await Samples.expectBoxes(["box 0", "box 1", "box 2"], in: database)
            #expect(try await add("box 3", scope("k2", charge: count), database) == .made("box 3"))
        }
    }

    @Test("Old keys are deleted in batches, and younger ones stay", arguments: Engine.allCases)
    func prune(engine: Engine) async throws {
        try await withSamples(engine) { database async throws in
            _ = try await add("a", Self.scope(), database)
            let early = try await database.write { tx in try tx.pruneIdempotency(before: Samples.now) }
            #expect(early == 0)
            #expect(try await add("b", Self.scope(), database) == .replayed("a"))
            let late = Samples.now.adding(seconds: 1)
            #expect(try await database.write { tx in try tx.pruneIdempotency(before: late) } == 1)
            #expect(try await database.write { tx in try tx.pruneIdempotency(before: late) } == 0)
            #expect(try await add("b", Self.scope(), database) == .made("b"))
        }
    }

    @Test("Another body under the same key is a conflict", arguments: Engine.allCases)
    func otherBody(engine: Engine) async throws {
        try await withSamples(engine) { database async throws in
            _ = try await add("a", Self.scope(), database)
            let error = await #expect(throws: AppError.self) { try await add("b", Self.scope(body: 2), database) }
            #expect(error?.code == .conflict)
            try await Samples.expectBoxes(["a"], in: database)
        }
    }

    @Test("A request stored by an earlier version is recognized by its old digest", arguments: Engine.allCases)
    func earlierDigest(engine: Engine) async throws {
        try await withSamples(engine) { database async throws in
            func scope(_ body: UInt8, earlier: UInt8) -> IdempotencyScope {
                IdempotencyScope(
                    person: Samples.person, method: "POST", path: "/tracking/items", key: "k", bodyDigest: [body],
                    earlierBodyDigest: [earlier])
            }
            _ = try await add("a", Self.scope(body: 1), database)
            #expect(try await add("b", scope(2, earlier: 1), database) == .replayed("a"))
            let error = await #expect(throws: AppError.self) { try await add("b", scope(2, earlier: 3), database) }
            #expect(error?.code == .conflict)
        }
    }

    @Test("The resource of an earlier request can be looked up", arguments: Engine.allCases)
    func earlier(engine: Engine) async throws {
        try await withSamples(engine) { database async throws in
            func earlier(_ scope: IdempotencyScope) async throws -> String? {
                try await database.read { tx in try tx.earlier(scope) }
            }
            #expect(try await earlier(Self.scope()) == nil)
            _ = try await add("a", Self.scope(), database)
            #expect(try await earlier(Self.scope()) == "a")
            #expect(try await earlier(Self.scope(key: "k2")) == nil)
            let error = await #expect(throws: AppError.self) { try await earlier(Self.scope(body: 2)) }
            #expect(error?.code == .conflict)
        }
    }

    @Test("Another person, method, path or key is another request", arguments: Engine.allCases)
    func otherScope(engine: Engine) async throws {
        try await withSamples(engine) { database async throws in
            let scopes = [
                Self.scope(), Self.scope(person: Samples.stranger), Self.scope(method: "PUT"),
                Self.scope(path: "/tracking/items/"), Self.scope(key: "k2"),
                // Moves a letter from the path to the key.
                Self.scope(key: "sk", path: "/tracking/item"), nil, nil,
            ]
            for (index, scope) in scopes.enumerated() {
                #expect(try await add("\(index)", scope, database) == .made("\(index)"))
            }
            #expect(try await Samples.boxes(database).count == scopes.count)
        }
    }

    @Test("A failed change can be repeated", arguments: Engine.allCases)
    func refused(engine: Engine) async throws {
        try await withSamples(engine) { database async throws in
            await #expect(throws: Refusal()) {
                try await database.write { tx in
                    try tx.once(Self.scope(), status: 201, now: Samples.now, resource: "a") { throw Refusal() }
                }
            }
            #expect(try await add("a", Self.scope(body: 2), database) == .made("a"))
        }
    }

    @Test("One of several concurrent duplicates changes data, and all get its resource", arguments: Engine.allCases)
    func concurrent(engine: Engine) async throws {
        try await withSamples(engine) { database async throws in
            let answers = try await withThrowingTaskGroup(of: Once.self, returning: [Once].self) { group in
                for number in 0..<20 { group.addTask { try await add("\(number)", Self.scope(), database) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let boxes = try await Samples.boxes(database)
            #expect(boxes.count == 1)
            #expect(answers.count { !$0.isReplay } == 1)
            #expect(Set(answers.map(\.resource)) == Set(boxes))
        }
    }

    @Test("PostgreSQL: a duplicate waits for the first request, and runs if that fails")
    func waits() async throws {
        try await withSamples(.postgres) { database async throws in
            let gate = Gate()
            let first = Task {
                try await database.write { tx in
                    try tx.once(Self.scope(), status: 201, now: Samples.now, resource: "a") {
                        gate.pass()
                        throw Refusal()
                    }
                }
            }
            await gate.waitForArrival()
            async let second = add("b", Self.scope(), database)
            gate.open()
            await #expect(throws: Refusal()) { try await first.value }
            #expect(try await second == .made("b"))
        }
    }

    @Test("A person's keys are deleted with the person", arguments: Engine.allCases)
    func forgotten(engine: Engine) async throws {
        try await withSamples(engine) { database async throws in
            _ = try await add("a", Self.scope(), database)
            _ = try await add("b", Self.scope(person: Samples.stranger), database)
            try await database.write { tx in try tx.forgetIdempotency(of: Samples.person) }
            #expect(try await add("c", Self.scope(), database) == .made("c"))
            #expect(try await add("d", Self.scope(person: Samples.stranger), database) == .replayed("b"))
        }
    }
}
