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
        try await withHouse(engine) { house in
            try await house.join()
            for number in 0..<10 {
                // From different addresses, and with the email in different cases.
                let email = number.isMultiple(of: 2) ? "mia@example.org" : "MIA@example.org"
                let error = try await refusal {
                    _ = try await house.signIn(email, "wrong", from: .at("192.0.2.\(number)"))
                }
                #expect(error?.code == .unauthenticated)
                house.clock.advance(seconds: 1)
            }
            let error = try await refusal { _ = try await house.signIn(from: .at("198.51.100.1")) }
            #expect(error?.code == .throttled)
            // The first failure was 10 s ago.
            #expect(error?.retryAfterSeconds == Int(Limits.throttleSeconds) - 10)
            #expect(house.hasher.checks == 10)
            house.clock.advance(seconds: Limits.throttleSeconds - 11)
            try await expectRefusal(.throttled) { _ = try await house.signIn() }
            house.clock.advance(seconds: 1)
            _ = try await house.signIn()
        }
    }

    @Test("An unknown email is counted like a known one", arguments: Engine.allCases)
    func unknownEmail(engine: Engine) async throws {
        try await withHouse(engine) { house in
            for _ in 0..<10 {
                try await expectRefusal(.unauthenticated) { _ = try await house.signIn("no@example.org") }
            }
            let error = try await refusal { _ = try await house.signIn("NO@example.org") }
            #expect(error?.code == .throttled)
            #expect(error?.retryAfterSeconds == Int(Limits.throttleSeconds))
        }
    }

    @Test("Of 50 concurrent wrong attempts, 10 are checked", arguments: Engine.allCases)
    func parallel(engine: Engine) async throws {
        try await withHouse(engine) { house in
            try await house.join()
            let codes = await withTaskGroup(of: AppError.Code.self) { group in
                for _ in 0..<50 {
                    group.addTask {
                        do {
                            _ = try await house.signIn("mia@example.org", "wrong")
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
            #expect(house.hasher.checks == 10)
        }
    }

    @Test("Two processes together check no more attempts than one", arguments: Engine.allCases)
    func twoProcesses(engine: Engine) async throws {
        try await withHouse(engine) { house in
            try await house.join()
            let services = [house.service, house.neighbour()]
            let codes = await withTaskGroup(of: AppError.Code.self) { group in
                for number in 0..<30 {
                    group.addTask {
                        do {
                            _ = try await services[number % 2].signIn(
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
                let house = AccountsHouse(database)
                if number == 0 {
                    try await house.join()
                    for _ in 0..<10 { _ = try await refusal { _ = try await house.signIn("mia@example.org", "wrong") } }
                } else {
                    try await expectRefusal(.throttled) { _ = try await house.signIn() }
                }
                await database.close()
            }
        }
    }

    @Test("A success resets the failures of the email, but not those of the client address")
    func success() async throws {
        try await withHouse(.sqlite) { house in
            try await house.join()
            for _ in 0..<11 {
                for _ in 0..<9 { _ = try await refusal { _ = try await house.signIn("mia@example.org", "wrong") } }
                _ = try? await house.signIn()
            }
            // 99 failures of this address. The successes between them don't count.
            try await expectRefusal(.unauthenticated) { _ = try await house.signIn("a@example.org") }
            try await expectRefusal(.throttled) { _ = try await house.signIn("b@example.org") }
            try await expectRefusal(.throttled) { _ = try await house.signIn() }
            _ = try await house.signIn(from: .at("198.51.100.7"))
        }
    }

    @Test("One client address may fail 100 times over all emails, and other addresses aren't affected")
    func perAddress() async throws {
        try await withHouse(.sqlite) { house in
            try await house.join()
            for number in 0..<100 {
                try await expectRefusal(.unauthenticated) { _ = try await house.signIn("u\(number)@example.org") }
            }
            try await expectRefusal(.throttled) { _ = try await house.signIn("new@example.org") }
            _ = try await house.signIn(from: .at("198.51.100.9"))
        }
    }

    @Test("A full queue returns 503 and counts no failure")
    func fullQueue() async throws {
        try await withHouse(.sqlite) { house in
            try await house.join()
            let codes = await withTaskGroup(of: AppError.Code?.self) { group in
                for _ in 0..<200 {
                    group.addTask {
                        do {
                            _ = try await house.signIn()
                            return nil
                        } catch {
                            return (error as? AppError)?.code ?? .internal
                        }
                    }
                }
                return await group.reduce(into: [AppError.Code?]()) { $0.append($1) }
            }
            #expect(Set(codes) == [nil, .unavailable])
            _ = try await house.signIn()
        }
    }

    @Test("One client address can't fill the queue: others still get a slot")
    func sharedQueue() async throws {
        let desk = PasswordDesk(places: 1, queue: 8, queuePerKey: 3)
        let gate = Gate()
        let sentAway = Names()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<23 {
                let address = number < 20 ? "192.0.2.1" : "192.0.2.\(number)"
                group.addTask {
                    do {
                        try await desk.run(keys: ["address \(address)"]) { await gate.pass() }
                    } catch {
                        sentAway.add(address)
                    }
                }
                // One is running. The others wait or are refused before the next one starts.
                while desk.waiting + sentAway.all.count < number { await Task.yield() }
            }
            await gate.open()
        }
        #expect(sentAway.all == Array(repeating: "192.0.2.1", count: 16))
    }

    @Test("The attempted emails are stored only as hashes", arguments: Engine.allCases)
    func onlyDigests(engine: Engine) async throws {
        try await withHouse(engine) { house in
            _ = try await refusal { _ = try await house.signIn("secret@example.org") }
            let keys: [String] = try await house.database.read { tx in
                try tx.rows("SELECT key FROM throttle").map { try $0.get("key") }
            }
            #expect(keys.count == 2)
            let all = keys.joined()
            #expect(!all.contains("secret") && !all.contains("192.0.2"))
        }
    }

    @Test("Housekeeping deletes expired failures", arguments: Engine.allCases)
    func housekeeping(engine: Engine) async throws {
        try await withHouse(engine) { house in
            _ = try await refusal { _ = try await house.signIn("no@example.org") }
            house.clock.advance(seconds: Limits.throttleSeconds - 1)
            try await house.service.housekeeping()
            #expect(try await rows(house) == 2)
            house.clock.advance(seconds: 1)
            try await house.service.housekeeping()
            #expect(try await rows(house) == 0)
        }
    }

    private func rows(_ house: AccountsHouse) async throws -> Int {
        try await house.database.read { try $0.rows("SELECT key FROM throttle").count }
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
