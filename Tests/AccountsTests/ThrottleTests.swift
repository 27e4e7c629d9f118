import Kernel
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Accounts

@Suite("Throttle")
struct ThrottleTests {
    @Test(
        "After 10 failures even the right password is refused, until the window has passed",
        arguments: Engine.allCases)
    func perEmail(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            try await fixture.join()
            for number in 0..<10 {
                // From different addresses, and with the email in different cases.
                let email = number.isMultiple(of: 2) ? "mia@example.org" : "MIA@example.org"
                let error = try await refusal {
                    _ = try await fixture.signIn(email, "wrong", from: .at("192.0.2.\(number)"))
                }
                #expect(error?.code == .unauthenticated)
                fixture.clock.advance(seconds: 1)
            }
            let error = try await refusal { _ = try await fixture.signIn(from: .at("198.51.100.1")) }
            #expect(error?.code == .throttled)
            // The first failure was 10 s ago.
            #expect(error?.retryAfterSeconds == Int(Limits.throttleSeconds) - 10)
            #expect(fixture.hasher.checks == 10)
            fixture.clock.advance(seconds: Limits.throttleSeconds - 11)
            try await expectRefusal(.throttled) { _ = try await fixture.signIn() }
            fixture.clock.advance(seconds: 1)
            _ = try await fixture.signIn()
        }
    }

    @Test("An unknown email is counted like a known one", arguments: Engine.allCases)
    func unknownEmail(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            for _ in 0..<10 {
                try await expectRefusal(.unauthenticated) { _ = try await fixture.signIn("no@example.org") }
            }
            let error = try await refusal { _ = try await fixture.signIn("NO@example.org") }
            #expect(error?.code == .throttled)
            #expect(error?.retryAfterSeconds == Int(Limits.throttleSeconds))
        }
    }

    @Test("Of 50 concurrent wrong attempts, 10 are checked", arguments: Engine.allCases)
    func parallel(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            try await fixture.join()
            let codes = await withTaskGroup(of: AppError.Code.self) { group in
                for _ in 0..<50 {
                    group.addTask {
                        do {
                            _ = try await fixture.signIn("mia@example.org", "wrong")
                            return .internal
                        } catch {
                            return (error as? AppError)?.code ?? .internal
                        }
                    }
                }
                return await group.reduce(into: [AppError.Code]()) { $0.append($1) }
            }
            #expect(count(.unauthenticated, in: codes) == 10)
            #expect(count(.throttled, in: codes) == 40)
            #expect(fixture.hasher.checks == 10)
        }
    }

    @Test("Two processes together check no more attempts than one", arguments: Engine.allCases)
    func twoProcesses(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            try await fixture.join()
            let services = [fixture.service, fixture.neighbour()]
            let codes = await withTaskGroup(of: AppError.Code.self) { group in
                for number in 0..<30 {
                    group.addTask {
                        do {
                            _ = try await services[number % 2].signIns.signIn(
                                email: "mia@example.org", password: "wrong", device: .phone
                            )
                            return .internal
                        } catch {
                            return (error as? AppError)?.code ?? .internal
                        }
                    }
                }
                return await group.reduce(into: [AppError.Code]()) { $0.append($1) }
            }
            #expect(count(.unauthenticated, in: codes) == 10)
            #expect(count(.throttled, in: codes) == 20)
        }
    }

    @Test("Failures survive a restart", arguments: Engine.allCases)
    func restart(engine: Engine) async throws {
        try await withDatabaseURL(engine, migrations: accountTables) { url in
            let clock = TestClock()
            for number in 0..<2 {
                let database = try await Database.open(url, migrations: accountTables, logger: .silent, clock: clock)
                let fixture = AccountsFixture(database)
                if number == 0 {
                    try await fixture.join()
                    for _ in 0..<10 {
                        _ = try await refusal { _ = try await fixture.signIn("mia@example.org", "wrong") }
                    }
                } else {
                    try await expectRefusal(.throttled) { _ = try await fixture.signIn() }
                }
                await database.close()
            }
        }
    }

    @Test("A success resets the failures of the email, but not those of the client address")
    func success() async throws {
        try await withFixture(.sqlite) { fixture in
            try await fixture.join()
            for _ in 0..<11 {
                for _ in 0..<9 { _ = try await refusal { _ = try await fixture.signIn("mia@example.org", "wrong") } }
                _ = try? await fixture.signIn()
            }
            // 99 failures of this address. The successes between them don't count.
            try await expectRefusal(.unauthenticated) { _ = try await fixture.signIn("a@example.org") }
            try await expectRefusal(.throttled) { _ = try await fixture.signIn("b@example.org") }
            try await expectRefusal(.throttled) { _ = try await fixture.signIn() }
            _ = try await fixture.signIn(from: .at("198.51.100.7"))
        }
    }

    @Test("One client address may fail 100 times over all emails, and other addresses aren't affected")
    func perAddress() async throws {
        try await withFixture(.sqlite) { fixture in
            try await fixture.join()
            for number in 0..<100 {
                try await expectRefusal(.unauthenticated) { _ = try await fixture.signIn("u\(number)@example.org") }
            }
            try await expectRefusal(.throttled) { _ = try await fixture.signIn("new@example.org") }
            _ = try await fixture.signIn(from: .at("198.51.100.9"))
        }
    }

    @Test("A full queue returns 503 and counts no failure")
    func fullQueue() async throws {
        try await withFixture(.sqlite) { fixture in
            try await fixture.join()
            let codes = await withTaskGroup(of: AppError.Code?.self) { group in
                for _ in 0..<200 {
                    group.addTask {
                        do {
                            _ = try await fixture.signIn()
                            return nil
                        } catch {
                            return (error as? AppError)?.code ?? .internal
                        }
                    }
                }
                return await group.reduce(into: [AppError.Code?]()) { $0.append($1) }
            }
            #expect(Set(codes) == [nil, .unavailable])
            _ = try await fixture.signIn()
        }
    }

    @Test("One client address can't fill the queue: others still get a slot")
    func sharedQueue() async throws {
        let hashLimiter = WorkLimiter(places: 1, queue: 8, queuePerKey: 3, busy: AppError(.unavailable, .busy))
        let gate = Gate()
        let sentAway = Names()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<23 {
                let address = number < 20 ? "192.0.2.1" : "192.0.2.\(number)"
                group.addTask {
                    do {
                        try await hashLimiter.run(keys: ["address \(address)"]) { await gate.pass() }
                    } catch {
                        sentAway.add(address)
                    }
                }
                // One is running. The others wait or are refused before the next one starts.
                while hashLimiter.waiting + sentAway.all.count < number { await Task.yield() }
            }
            await gate.open()
        }
        #expect(sentAway.all == Array(repeating: "192.0.2.1", count: 16))
    }

    @Test("The attempted emails are stored only as hashes", arguments: Engine.allCases)
    func onlyDigests(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            _ = try await refusal { _ = try await fixture.signIn("secret@example.org") }
            let keys: [String] = try await fixture.database.read { tx in
                try tx.rows("SELECT key FROM throttle").map { try $0.get("key") }
            }
            #expect(keys.count == 2)
            let all = keys.joined()
            #expect(!all.contains("secret") && !all.contains("192.0.2"))
        }
    }

    @Test("Housekeeping deletes expired failures", arguments: Engine.allCases)
    func housekeeping(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            _ = try await refusal { _ = try await fixture.signIn("no@example.org") }
            fixture.clock.advance(seconds: Limits.throttleSeconds - 1)
            try await fixture.service.housekeeping.run()
            #expect(try await rows(fixture) == 2)
            fixture.clock.advance(seconds: 1)
            try await fixture.service.housekeeping.run()
            #expect(try await rows(fixture) == 0)
        }
    }

    private func rows(_ fixture: AccountsFixture) async throws -> Int {
        try await fixture.database.read { try $0.rows("SELECT key FROM throttle").count }
    }
}

private final class Names: Sendable {
    private let names = Mutex<[String]>([])

    var all: [String] { names.withLock { $0 } }

    func add(_ name: String) { names.withLock { $0.append(name) } }
}

/// Blocks until it is opened once.
private actor Gate {
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func pass() async {
        if isOpen { return }
        await withCheckedContinuation { waiting.append($0) }
    }

    func open() {
        isOpen = true
        for continuation in waiting { continuation.resume() }
        waiting = []
    }
}
