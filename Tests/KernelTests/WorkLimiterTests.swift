import Kernel
import Testing

@Suite("Limited work")
struct WorkLimiterTests {
    private struct Busy: Error {}
    private struct Broken: Error {}

    /// Blocks calls until the test opens it.
    private actor Gate {
        private var waiting: [CheckedContinuation<Void, Never>] = []
        private var isOpen = false
        private(set) var inside = 0
        private(set) var most = 0
        /// The keys of the calls, in the order of their starts.
        private(set) var started: [String] = []

        func pass(_ key: String = "") async {
            started.append(key)
            inside += 1
            most = max(most, inside)
            if !isOpen { await withCheckedContinuation { waiting.append($0) } }
            inside -= 1
        }

        func letPass() {
            for continuation in waiting { continuation.resume() }
            waiting = []
        }

        func open() {
            isOpen = true
            letPass()
        }
    }

    private let gate = Gate()

    private func limiter(_ places: Int, queue: Int, queuePerKey: Int = .max) -> WorkLimiter {
        WorkLimiter(places: places, queue: queue, queuePerKey: queuePerKey, busy: Busy())
    }

    private func call(_ limiter: WorkLimiter, _ key: String) -> Task<Void, any Error> {
        Task { [gate] in try await limiter.run(keys: [key]) { await gate.pass(key) } }
    }

    private func wait(until isTrue: () async -> Bool) async {
        while !(await isTrue()) { await Task.yield() }
    }

    @Test("Two calls run, three wait, and further calls are refused", .timeLimit(.minutes(1)))
    func queue() async throws {
        let limiter = limiter(2, queue: 3)
        let tasks = (0..<5).map { number in call(limiter, "\(number)") }
        await wait { await gate.inside == 2 }
        await wait { limiter.waiting == 3 }
        await #expect(throws: Busy.self) { try await limiter.run {} }
        for expected in [3, 1] {
            await gate.letPass()
            await wait { limiter.waiting <= max(0, expected - 2) }
            await wait { await gate.inside == min(2, expected) }
        }
        await gate.open()
        for task in tasks { try await task.value }
        #expect(await gate.most == 2)
        try await limiter.run {}
    }

    @Test("The calls of one key fill only a part of the queue", .timeLimit(.minutes(1)))
    func partOfQueue() async throws {
        let limiter = limiter(1, queue: 3, queuePerKey: 2)
        var tasks = (0..<3).map { _ in call(limiter, "mia") }
        await wait { await gate.inside == 1 }
        await wait { limiter.waiting == 2 }
        await #expect(throws: Busy.self) { try await limiter.run(keys: ["mia"]) {} }
        tasks.append(call(limiter, "ben"))
        await wait { limiter.waiting == 3 }
        await gate.open()
        for task in tasks { try await task.value }
    }

    @Test("The calls of one key run one after another, and leave the other places free", .timeLimit(.minutes(1)))
    func oneAtATime() async throws {
        let limiter = limiter(2, queue: 3)
        var tasks = [call(limiter, "mia"), call(limiter, "mia")]
        await wait { await gate.inside == 1 }
        await wait { limiter.waiting == 1 }
        tasks.append(call(limiter, "ben"))
        await wait { await gate.inside == 2 }
        #expect(limiter.waiting == 1)
        #expect(await gate.started == ["mia", "ben"])
        await gate.open()
        for task in tasks { try await task.value }
    }

    @Test("Keys take turns, whatever the order of their calls", .timeLimit(.minutes(1)))
    func turns() async throws {
        let limiter = limiter(1, queue: 6)
        var tasks = [call(limiter, "mia")]
        await wait { await gate.inside == 1 }
        for (waiting, key) in ["mia", "mia", "ben", "ben", "eva"].enumerated() {
            tasks.append(call(limiter, key))
            await wait { limiter.waiting == waiting + 1 }
        }
        await gate.open()
        for task in tasks { try await task.value }
        #expect(await gate.started == ["mia", "ben", "eva", "mia", "ben", "mia"])
    }

    @Test("A cancelled call leaves the queue without taking a place", .timeLimit(.minutes(1)))
    func cancelled() async throws {
        let limiter = limiter(1, queue: 1)
        let first = call(limiter, "mia")
        await wait { await gate.inside == 1 }
        let second = call(limiter, "ben")
        await wait { limiter.waiting == 1 }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        #expect(limiter.waiting == 0)
        let third = call(limiter, "eva")
        await wait { limiter.waiting == 1 }
        await gate.open()
        try await first.value
        try await third.value
        #expect(await gate.started == ["mia", "eva"])
    }

    @Test("A call that was cancelled before it began doesn't run", .timeLimit(.minutes(1)))
    func cancelledBefore() async throws {
        let limiter = limiter(1, queue: 1)
        let task = Task { [gate] in
            while !Task.isCancelled { await Task.yield() }
            try await limiter.run { await gate.pass() }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(await gate.started.isEmpty)
        try await limiter.run {}
    }

    @Test("A place is free again after its call fails")
    func failing() async throws {
        let limiter = limiter(1, queue: 0)
        await #expect(throws: Broken.self) { try await limiter.run(keys: ["mia"]) { throw Broken() } }
        try await limiter.run(keys: ["mia"]) {}
    }
}
