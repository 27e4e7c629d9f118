import Kernel
import Storage

/// Notifies of trackers that have been silent for the hours of their items' settings; a part of housekeeping.
struct SilenceAlertService: Sendable {
    let database: Database
    let alerts: ItemAlertRecorder

    /// Notifies once of each silence.
    func run(now: Instant) async throws {
        var after: ID<Item>?
        while true {
            let silent = try await database.read { [after] tx in
                try HealthStore.silentItems(now: now, after: after, in: tx)
            }
            for item in silent {
                try Task.checkCancellation()
                try await database.write { tx in try notify(item, now: now, in: tx) }
            }
            guard silent.count == Limits.housekeepingBatch, let last = silent.last else { return }
            after = last.item
        }
    }

    private func notify(_ silent: HealthStore.SilentItem, now: Instant, in tx: Transaction) throws {
        // A report or another node may have come first.
        guard let item = try ItemStore.served(silent.item, in: tx), try HealthStore.recordSilence(silent, in: tx) else {
            return
        }
        let details = ["silentHours": String(silent.silentHours), "lastSeenAt": silent.lastSeenAt.rfc3339]
        let evidence = AlertEvidence(
            positions: silent.lastPosition.map { [.init(.item, $0)] } ?? [], silentHours: silent.silentHours,
            since: silent.lastSeenAt)
        try alerts.record(
            .silent, about: .init(item), evidence, at: silent.lastPosition?.coordinate, details: details,
            key: silent.lastSeenAt, now: now, in: tx)
    }
}
