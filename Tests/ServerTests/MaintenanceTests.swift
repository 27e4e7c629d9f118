import Jobs
import Kernel
import Storage
import TestSupport
import Testing

@testable import Server

@Suite("Maintenance")
struct MaintenanceTests {
    @Test(
        "One of several nodes maintains the server; when it stops, another one does", .timeLimit(.minutes(5)),
        arguments: Engine.allCases)
    func handover(engine: Engine) async throws {
        try await withDatabase(engine, migrations: JobQueue.migrations) { database in
            let (runs, running) = AsyncStream.makeStream(of: Int.self)
            var performed = runs.makeAsyncIterator()
            var nodes: [Int: Task<Void, any Error>] = [:]
            for node in 1...2 {
                let service = Self.service(database, everySeconds: 3_600) { running.yield(node) }
                nodes[node] = Task { try await service.run() }
            }
            let first = await performed.next() ?? 0
            let leader = try #require(nodes[first])
            nodes[first] = nil
            leader.cancel()
            try await leader.value
            let second = await performed.next()
            #expect(second != first)
            #expect(try await database.count("job WHERE dead_at IS NULL AND attempts = 2 AND last_error IS NULL") == 1)
            for node in nodes.values {
                node.cancel()
                try await node.value
            }
        }
    }

    @Test("A task that fails is logged, counted and tried again, and stops no other task", .timeLimit(.minutes(5)))
    func failure() async throws {
        try await withDatabase(.sqlite, migrations: JobQueue.migrations) { database in
            let (runs, running) = AsyncStream.makeStream(of: String.self)
            var performed = runs.makeAsyncIterator()
            let queue = JobQueue(lane: MaintenanceService.lane, random: SeededRandom(seed: 1), logger: .silent)
            let service = MaintenanceService(
                queue: queue, database: database, clock: TestClock(), random: SeededRandom(seed: 1),
                sequences: [
                    MaintenanceSequence(
                        everySeconds: 1,
                        [
                            MaintenanceTask("failing") {
                                running.yield("failing")
                                throw AppError.notFound
                            },
                            MaintenanceTask("working") { running.yield("working") },
                        ])
                ])
            let task = Task { try await service.run() }
            var counts: [String: Int] = [:]
            while counts["failing", default: 0] < 2 || counts["working", default: 0] < 2 {
                counts[await performed.next() ?? "", default: 0] += 1
            }
            #expect(queue.status.failureCount >= 1)
            task.cancel()
            try await task.value
        }
    }

    @Test("A task pauses for its interval, and for up to a minute after failures")
    func pauses() {
        let sequence = MaintenanceSequence(everySeconds: 10, [])
        #expect(sequence.pauseMilliseconds(afterFailures: 0, chance: 0) == 10_000)
        let pauses = (1...9).map { sequence.pauseMilliseconds(afterFailures: $0, chance: 0) }
        #expect(pauses == [10, 10, 20, 30, 30, 30, 30, 30, 30].map { $0 * 1_000 })
        let rare = MaintenanceSequence(everySeconds: 3_600, [])
        #expect(rare.pauseMilliseconds(afterFailures: 9, chance: 0) == 3_600_000)
    }

    private static func service(
        _ database: Database, everySeconds: Int64, _ work: @escaping @Sendable () -> Void
    ) -> MaintenanceService {
        MaintenanceService(
            queue: JobQueue(lane: MaintenanceService.lane, random: SeededRandom(seed: 1), logger: .silent),
            database: database, clock: TestClock(), random: SeededRandom(seed: 1),
            sequences: [MaintenanceSequence(everySeconds: everySeconds, [MaintenanceTask("sample", work: work)])])
    }
}
