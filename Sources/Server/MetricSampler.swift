import AdminWeb
import Backups
import Kernel
import Ledger
import Logging
import ServiceLifecycle
import Storage
import Synchronization
import WebCore

/// Reads the values of metrics that need the database or the file system at a fixed interval, so that a request for the
/// metrics never waits for either.
final class MetricSampler: Service {
    /// The values that were read last; `nil` for those that couldn't be read.
    private struct Sample {
        var seal: LedgerSealStatus?
        /// The newest verification of the ledger.
        var verification: LedgerVerificationRun?
        var databaseBytes: Int64?
        var disk: DiskSpace?
        /// `nil` before the first reading.
        var isDatabaseUp: Bool?
        var readAt: ContinuousClock.Instant?

        /// The sample, or only the failure of a reading that doesn't end.
        func current(at now: ContinuousClock.Instant) -> Sample {
            let limit = Duration.seconds(Limits.metricSampleSeconds * Limits.metricSamplesMissed)
            guard let readAt, now - readAt > limit else { return self }
            return Sample(isDatabaseUp: false)
        }
    }

    private let database: Database
    private let ledger: Ledger
    private let folder: String
    private let logger: Logger
    private let startedAt: Instant
    private let sample = Mutex(Sample())

    init(_ services: Services) {
        database = services.database
        ledger = services.ledger
        folder = services.settings.dataFolder
        logger = services.logger
        startedAt = services.clock.now
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await repeating(everySeconds: Limits.metricSampleSeconds) { await self.read() }
        }
    }

    /// Reads all values. One that can't be read isn't exported until the next reading.
    func read() async {
        let read = await value { [database, ledger] in
            try await database.read { tx in
                (try ledger.sealStatus(in: tx), try LedgerVerificationRunStore.newest(1, in: tx).first)
            }
        }
        let bytes = await value { [database] in try await database.sizeBytes() }
        let disk = try? DiskSpace(of: folder)
        sample.withLock {
            $0 = Sample(
                seal: read?.0, verification: read?.1, databaseBytes: bytes, disk: disk, isDatabaseUp: read != nil,
                readAt: ContinuousClock.now)
        }
    }

    private func value<Value>(_ read: () async throws -> Value) async -> Value? {
        do {
            return try await read()
        } catch {
            // `/health/ready` reports an unreachable database.
            logger.debug("A metric couldn't be read", metadata: ["error": "\(error)"])
            return nil
        }
    }

    /// The metrics of this process and computer.
    func metrics(at now: Instant) -> [MetricFamily] {
        var info = MetricFamily("homeward_info", .gauge, help: "The program's version and kind of database; always 1.")
        info.add(1, labels: [("version", Services.version), ("database", database.dialect.metricLabel)])
        let sample = sample.withLock { $0.current(at: .now) }
        return [
            info,
            Self.gauge(
                "process_start_time_seconds", "Start of the process in seconds since 1970.",
                Double(startedAt.millisecondsSince1970) / 1_000),
            Self.gauge(
                "homeward_database_up", "Whether the last reading of the database succeeded: 1 or 0.",
                sample.isDatabaseUp.map { $0 ? 1 : 0 }),
            Self.gauge(
                "homeward_ledger_seal_age_seconds", "Age of the newest batch of sealed transfers.",
                sample.seal?.sealedAt.map { max(0, now.seconds(since: $0)) }),
            Self.gauge(
                "homeward_ledger_unsealed_seconds", "Age of the oldest transfer that isn't sealed; 0 if all are.",
                sample.seal.map { $0.unsealedSince.map { max(0, now.seconds(since: $0)) } ?? 0 }),
            Self.gauge(
                "homeward_verify_ok", "Whether the last verification found the ledger sound: 1 or 0.",
                sample.verification.map { $0.result == .sound ? 1 : 0 }),
            Self.gauge(
                "homeward_verify_age_seconds", "Age of the last verification of the ledger.",
                sample.verification.map { max(0, now.seconds(since: $0.finishedAt)) }),
            Self.gauge(
                "homeward_database_bytes", "Size of the database on disk.", sample.databaseBytes.map(Double.init)),
            Self.gauge(
                "homeward_disk_free_bytes", "Free space of the data folder's disk.",
                sample.disk.map { Double($0.freeBytes) }),
            Self.gauge(
                "homeward_disk_size_bytes", "Size of the data folder's disk.", sample.disk.map { Double($0.sizeBytes) }),
        ]
    }

    private static func gauge(_ name: String, _ help: String, _ value: Double?) -> MetricFamily {
        var family = MetricFamily(name, .gauge, help: help)
        if let value { family.add(value) }
        return family
    }
}

extension MetricSampler: ServerStorageReader {
    package var databaseBytes: Int64? { sample.withLock { $0.current(at: .now).databaseBytes } }
    package var freeDiskBytes: Int64? { sample.withLock { $0.current(at: .now).disk?.freeBytes } }
}

extension Dialect {
    fileprivate var metricLabel: String {
        switch self {
        case .sqlite: "sqlite"
        case .postgres: "postgres"
        }
    }
}
