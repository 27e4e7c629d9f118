import Kernel
import Synchronization

@testable import Storage

/// A driver that counts the transactions of another one.
final class CountingDriver: Driver {
    private let base: any Driver
    private let count = Mutex(0)

    init(_ base: any Driver) { self.base = base }

    /// Returns the number of transactions during `body`.
    func transactions(during body: () async throws -> Void) async throws -> Int {
        let before = count.withLock { $0 }
        try await body()
        return count.withLock { $0 } - before
    }

    var dialect: Dialect { base.dialect }

    var status: DatabaseStatus { base.status }

    func write<T: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> T) async throws -> T {
        count.withLock { $0 += 1 }
        return try await base.write(body)
    }

    func commit(_ body: @escaping @Sendable (Transaction) throws -> Void) async throws {
        count.withLock { $0 += 1 }
        try await base.commit(body)
    }

    func read<T: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> T) async throws -> T {
        count.withLock { $0 += 1 }
        return try await base.read(body)
    }

    func changes() -> AsyncStream<Void> { base.changes() }

    func sizeBytes() async throws -> Int64 { try await base.sizeBytes() }

    func backup(to path: String) async throws { try await base.backup(to: path) }

    func restore(
        from path: String, folder: String, prepare: @escaping @Sendable (Transaction) throws -> Void
    ) async throws -> String? { try await base.restore(from: path, folder: folder, prepare: prepare) }

    // The database under test is closed with the driver that it was opened with.
    func stop() {}

    func close() async {}
}
